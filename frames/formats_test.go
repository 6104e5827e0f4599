// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Made-up output of these programs, in their published formats; see the readers for the sources.
var formats = []struct {
	name, text, process string
	format              Format
	column              string
	frames              []float64
	starts              []float64
	gpu, latency        []float32
	latencyColumn       string
	info                map[string]string
}{
	{
		name: "CapFrameX JSON", format: FormatCapFrameX, column: "MsBetweenPresents", process: "game.exe",
		text: `{"Hash":"AB","Info":{"AppVersion":"1.7.0.4","ProcessName":"game.exe","GPU":"a card","GPUCount":null,"Deep":{"a":[1,{"b":2}]}},
"Runs":[{"Hash":"x","SensorData2":{"MeasureTime":{"Values":[1,2]}},"CaptureData":{"TimeInSeconds":[1,1.0166,1.0332],"MsBetweenPresents":[16.6,16.6,"NaN"],
"MsUntilDisplayed":[20,0,21],"QPCTime":[1,2,3],"Dropped":[false,true,false],"PcLatency":null,"GpuActive":[12.5,13,14]},"RTSSFrameTimes":null}]}`,
		frames: []float64{16.6, 16.6}, starts: []float64{0, 16.6}, gpu: []float32{12.5, 13}, latency: []float32{20, -1}, latencyColumn: "MsUntilDisplayed",
		info: map[string]string{"GPU": "a card", "ProcessName": "game.exe", "AppVersion": "1.7.0.4"},
	},
	{
		name: "FRAPS frametimes", format: FormatFRAPS, column: "Time (ms)",
		text:   "Frame, Time (ms)\n    1,          0.000\n    2,         16.667\n    3,         33.335\n    4,         33.335\n    5,         50.000\n",
		frames: []float64{16.667, 16.668, 16.665},
	},
	{ // the form of a file of FRAPS that a German spreadsheet saved: github.com/Smagjus/FrapsBenchConvert at 3d5279d; other numbers
		name: "FRAPS frametimes with semicolons and decimal commas", format: FormatFRAPS, column: "Time (ms)",
		text:   "Frame; Time (ms);Time (s);Delta\r\n1;0;0;8,125\r\n2;8,125;0,008125;8,25\r\n3;16,375;0,016375;8,5\r\n",
		frames: []float64{8.125, 8.25},
	},
	{
		name: "a game's own benchmark in the form of FRAPS", format: FormatCSV, column: "Delta (ms)",
		text:   "Frame, Time (ms), Delta (ms) , Memory (mb)\n    1, 0.000, 0.000,2691\n    2,11.216,11.216,5480\n",
		frames: []float64{11.216},
	},
	{
		name: "FrameView", format: FormatFrameView, column: "MsBetweenPresents", process: "game.exe",
		text: "Application,GPU,CPU,Resolution,Runtime,AllowsTearing,ProcessID,SwapChainAddress,SyncInterval,PresentFlags,PresentMode,Dropped,TimeInSeconds," +
			"MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,MsUntilDisplayed,Render Queue Depth,MsPCLatency,GPU0Clk(MHz),GPU0Util(%)\n" +
			"game.exe,a card,a processor,1920x1080,D3D12,0,18,0x1,1,0,Hardware,0,1634.6,30.5,20.8,0.4,17.7,18.6,0.5,96.5,1515,98\n" +
			"game.exe,a card,a processor,1920x1080,D3D12,0,18,0x1,1,0,Hardware,0,1634.62,20,20.8,0.4,17.7,18.6,0.5,NA,1515,98\n",
		frames: []float64{30.5, 20}, latency: []float32{96.5, -1}, latencyColumn: "MsPCLatency",
		info: map[string]string{"GPU": "a card", "CPU": "a processor", "Resolution": "1920x1080", "Runtime": "D3D12"},
	},
	{
		name: "Unreal's CSV profiler", format: FormatUnreal, column: "FrameTime",
		text: "EVENTS,FrameTime,GameThreadTime,RenderThreadTime,GPUTime\n,16.5,5,6,11\nLoad;Spawn,33,5,6,12,0.5\n,16.6,5,6,0,0.25\n" +
			"EVENTS,FrameTime,GameThreadTime,RenderThreadTime,GPUTime,GPU/Shadows\n[HasHeaderRowAtEnd],1,[Platform],Windows,[Config],Test,[Commandline],\"-a \"\"b\"\"\"\n",
		frames: []float64{16.5, 33, 16.6}, gpu: []float32{11, 12, 0}, info: map[string]string{"Platform": "Windows", "Config": "Test", "Commandline": `-a "b"`},
	},
	{
		name: "Unreal Engine 5", format: FormatUnreal, column: "FrameTime",
		text: "EVENTS,Exclusive/AllWorkers/Physics,RHI/DrawCalls,TextureProfiler//Engine/Maps/Sky.Sky,FrameTime,MemoryFreeMB,RenderThreadTime,GameThreadTime,GPUTime,RHIThreadTime,InputLatencyTime,MaxFrameTime\n" +
			",0.07,225,17,21.3392,7623.4,17.5,20.5,21.7,0.27,73.8392,33.3333\n,0.1,227,17,16.5,7623.4,12.5,15.5,16.7,0.27,58.5,33.3333\n",
		frames: []float64{21.3392, 16.5}, gpu: []float32{21.7, 16.7}, latency: []float32{73.8392, 58.5}, latencyColumn: "InputLatencyTime",
	},
	{
		name: "Unity's Profile Analyzer", format: FormatUnity, column: "Frame Time (ms)",
		text:   "Frame Offset, Frame Index, Frame Time (ms), Time from first frame (ms)\n0,101,16.5,0\n1,102,17,16.5\n2,103,16.25,33.5\n",
		frames: []float64{16.5, 17, 16.25}, starts: []float64{0, 16.5, 33.5},
	},
	{
		name: "an older Profile Analyzer", format: FormatUnity, column: "Frame Time (ms)",
		text:   "Frame Offset; Frame Index; Frame Time (ms); Time from first frame (ms)\n0;101;16,5;0\n1;102;17;16,5\n",
		frames: []float64{16.5, 17}, starts: []float64{0, 16.5},
	},
}

func TestFormatsOfOtherPrograms(t *testing.T) {
	for _, f := range formats {
		cs, err := Read(strings.NewReader(f.text), ReadOptions{})
		if err != nil || len(cs) != 1 {
			t.Errorf("%s: %d captures, %v", f.name, len(cs), err)
			continue
		}
		c := cs[0]
		if c.Format != f.format || c.Column != f.column || c.Process != f.process || !slices.Equal(c.Frames, f.frames) {
			t.Errorf("%s: %s, %q of %q, %v", f.name, c.Format, c.Column, c.Process, c.Frames)
		}
		if !slices.Equal(c.GPUBusy, f.gpu) || !slices.Equal(c.Latency, f.latency) || c.LatencyColumn != f.latencyColumn {
			t.Errorf("%s: GPU busy %v, latency %v by %q", f.name, c.GPUBusy, c.Latency, c.LatencyColumn)
		}
		if f.starts != nil && fmt.Sprintf("%.3f", c.Starts) != fmt.Sprintf("%.3f", f.starts) {
			t.Errorf("%s: stamps %v", f.name, c.Starts)
		}
		for k, v := range f.info {
			if c.Info[k] != v {
				t.Errorf("%s: %s is %q, want %q", f.name, k, c.Info[k], v)
			}
		}
	}
}

func TestSeveralRunsOfACapFrameXFileAreSeveralCaptures(t *testing.T) {
	run := `{"CaptureData":{"MsBetweenPresents":[16,17]}}`
	cs, err := Read(strings.NewReader(`{"Runs":[`+run+","+run+`],"Info":null}`), ReadOptions{})
	if err != nil || len(cs) != 2 || cs[1].Process != "run 2" {
		t.Errorf("%+v, %v", cs, err)
	}
	cs, err = Read(strings.NewReader(`{"Runs":[`+run+`,{"CaptureData":{"MsBetweenPresents":[16,`), ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "the file ends in the middle of the capture") || len(cs) == 0 || len(cs[0].Frames) != 2 {
		t.Errorf("a cut file: %+v, %v", cs, err)
	}
	if cs, err = Read(strings.NewReader(`{"Runs":[`+run+`]}`), ReadOptions{MaxFrames: 1}); err == nil || len(cs) != 1 || len(cs[0].Frames) != 1 {
		t.Errorf("a limit of one frame: %+v, %v", cs, err)
	}
	if cs, err = Read(strings.NewReader(`{"Runs":[{"CaptureData":{"Other":[0.016]}}]}`), ReadOptions{Column: "Other", Unit: "s"}); err != nil || len(cs) != 1 || cs[0].Frames[0] != 16 {
		t.Errorf("another column: %+v, %v", cs, err)
	}
}

func TestGeneratedFramesAreCountedByWhatWasShown(t *testing.T) {
	var b strings.Builder
	b.WriteString("Application,ProcessID,SwapChainAddress,PresentRuntime,FrameType,MsBetweenPresents,MsBetweenDisplayChange,MsGPUBusy\n")
	for i := range 200 {
		fmt.Fprintf(&b, "g.exe,1,0x1,DXGI,Application,%d,10,9\ng.exe,1,0x1,DXGI,Intel XeSS-FG,NA,10,NA\n", 20+i%2)
	}
	cs, err := Read(strings.NewReader(b.String()), ReadOptions{})
	if err != nil || len(cs) != 1 || len(cs[0].Frames) != 200 || len(cs[0].Displayed) != 400 || cs[0].Skipped != 200 {
		t.Fatalf("%v, %+v", err, cs)
	}
	r, err := Analyze(cs[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := r.Metric("displayed_fps")
	busy, _ := r.Metric("gpu_busy_ms")
	if shown.Value != 100 || shown.Text != "100.00" || busy.Value != 9 || value(t, r, "avg_fps") > 49 {
		t.Errorf("displayed %+v, busy %+v, average %v", shown, busy, value(t, r, "avg_fps"))
	}
	cs[0].GPUBusy[3] = -5
	if _, err := Analyze(cs[0], Options{}); err == nil {
		t.Error("a negative time of the graphics processor was accepted")
	}
}
