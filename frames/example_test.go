// SPDX-License-Identifier: BSD-3-Clause

package frames_test

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/frames"
)

func ExampleRead() {
	file := `Application,ProcessID,MsBetweenPresents,Dropped
game.exe,42,16.6,0
game.exe,42,16.8,0
overlay.exe,7,33.3,0
game.exe,42,oops,0
game.exe,42,50.1,1
`
	captures, err := frames.Read(strings.NewReader(file), frames.ReadOptions{File: "game.csv"})
	if err != nil {
		fmt.Println("damaged:", err)
	}
	for _, c := range captures {
		fmt.Println(c.Format, c.Process, c.Frames, c.Notes)
	}
	// Output:
	// damaged: game.csv:5: frame time "oops" is not a number
	// PresentMon 1 game.exe [16.6 16.8 50.1] [1 of 3 frames were never shown; they are counted]
	// PresentMon 1 overlay.exe [33.3] []
}

func ExampleRead_column() {
	captures, err := frames.Read(strings.NewReader("tick;server time;players\n1;0,0167;3\n2;0,0171;3\n"),
		frames.ReadOptions{Column: "server time", Unit: "s"})
	fmt.Println(captures[0].Frames, err)
	// Output: [16.7 17.1] <nil>
}

// One capture, three tools, three answers to "the 1 % low".
func ExampleAnalyze() {
	game := frames.Capture{Process: "game", Frames: make([]float64, 1000)}
	for i := range game.Frames {
		game.Frames[i] = 16 + float64(i%10)/10
		if i%90 == 89 {
			game.Frames[i] = 30 + float64(i)/50 // a hitch about once in 90 frames, each longer than the last
		}
	}
	for _, preset := range []frames.Preset{frames.PresentMon, frames.MangoHud, frames.CapFrameX} {
		report, err := frames.Analyze(game, frames.Options{Preset: preset})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, key := range []string{"avg_fps", "p1_fps", "low1_average_fps"} {
			if m, ok := report.Metric(key); ok && m.By == preset.String() {
				fmt.Printf("%-10s %-15s %s FPS\n", preset, m.Name, m.Text)
			}
		}
	}
	// Output:
	// presentmon average         59.8348 FPS
	// presentmon P1              31.4485 FPS
	// mangohud   average         59.8 FPS
	// mangohud   P1              29.7796 FPS
	// capframex  average         59.8 FPS
	// capframex  P1              30.3 FPS
	// capframex  1 % low average 24.0 FPS
}

func ExampleCompare() {
	before, after := make([]float64, 600), make([]float64, 600)
	for i := range before {
		wave := float64(i*7919%600) / 600 // the same irregular load in both
		before[i] = 16 + wave
		after[i] = 15.5 + wave
	}
	comparisons, err := frames.Compare(frames.Capture{Frames: before}, []frames.Capture{frames.Capture{Frames: after}}, frames.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range comparisons[0].Differences {
		if d.Key == "mean_ms" || d.Key == "stddev_ms" {
			fmt.Printf("%s: %+.2f %s, clear: %v\n", d.Name, d.Value, d.Unit, d.Clear)
		}
	}
	// Output:
	// mean frame time: -0.50 ms, clear: true
	// standard deviation: +0.00 ms, clear: false
}
