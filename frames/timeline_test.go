// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// A timeline and its trace, as packages profile and trace write them: two loops with marks on several lanes, among spans and
// other marks. One loop runs on another goroutine for one turn.
const (
	timelineJSON = `{"at_ns":90000000,"zones":[{"name":"update","every":0}],"lanes":[{"id":0,"name":""},{"id":0,"name":""}],"events":[
{"kind":"frame","lane":0,"zone":-1,"path":0,"start_ns":10000000,"duration_ns":0,"name":"draw"},
{"kind":"span","lane":0,"zone":0,"path":0,"start_ns":11000000,"duration_ns":4000000},
{"kind":"frame","lane":0,"zone":-1,"path":0,"start_ns":26500000,"duration_ns":0,"name":"draw"},
{"kind":"plot","lane":0,"zone":-1,"path":0,"start_ns":27000000,"duration_ns":0,"name":"draw","value":3},
{"kind":"frame","lane":0,"zone":-1,"path":0,"start_ns":75250000,"duration_ns":0,"name":"draw"},
{"kind":"frame","lane":1,"zone":-1,"path":0,"start_ns":20000000,"duration_ns":0,"name":"network"},
{"kind":"frame","lane":1,"zone":-1,"path":0,"start_ns":42750000,"duration_ns":0,"name":"draw"},
{"kind":"message","lane":1,"zone":-1,"path":0,"start_ns":43000000,"duration_ns":0,"name":"draw"},
{"kind":"frame","lane":1,"zone":-1,"path":0,"start_ns":45000000,"duration_ns":0,"name":"network"}],"lost":LOST}`

	chromeJSON = `{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"strobe"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
{"ph":"X","name":"update","cat":"zone","pid":1,"tid":1,"ts":11000.000,"dur":4000.000},
{"ph":"i","s":"t","name":"draw","cat":"frame","pid":1,"tid":1,"ts":10000.000},
{"ph":"i","s":"t","name":"draw","cat":"frame","pid":1,"tid":1,"ts":26500.000},
{"ph":"C","name":"draw","cat":"plot","pid":1,"tid":0,"ts":27000.000,"args":{"value":3}},
{"ph":"i","s":"t","name":"draw","cat":"frame","pid":1,"tid":1,"ts":75250.000},
{"ph":"i","s":"t","name":"network","cat":"frame","pid":1,"tid":2,"ts":20000.000},
{"ph":"i","s":"t","name":"draw","cat":"frame","pid":1,"tid":2,"ts":42750.000},
{"ph":"i","s":"t","name":"draw","cat":"message","pid":1,"tid":2,"ts":43000.000},
{"ph":"i","s":"t","name":"network","cat":"frame","pid":1,"tid":2,"ts":45000.000},
{"ph":"i","s":"g","name":"timeline taken","cat":"strobe","pid":1,"tid":0,"ts":90000.000,"args":{"lost":LOST,"notes":[]}}
]}`
)

func TestMarksOfALoopAreFrames(t *testing.T) {
	for name, text := range map[string]string{"timeline": timelineJSON, "Chrome trace": chromeJSON} {
		got, err := Read(strings.NewReader(strings.Replace(text, "LOST", "0", 1)), ReadOptions{File: "f"})
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: %v, %d captures", name, err, len(got))
		}
		for i, want := range []Capture{
			{Process: "draw", Frames: []float64{16.5, 16.25, 32.5}, Starts: []float64{0, 16.5, 32.75}},
			{Process: "network", Frames: []float64{25}, Starts: []float64{0}},
		} {
			c := got[i]
			if c.Process != want.Process || c.Format != FormatStrobe || !slices.EqualFunc(c.Frames, want.Frames, sameTime) ||
				!slices.EqualFunc(c.Starts, want.Starts, sameTime) || c.Skipped != 0 || len(c.Notes) != 0 {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

func sameTime(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestLostMarksAreSaid(t *testing.T) {
	for _, text := range []string{timelineJSON, chromeJSON} {
		got, err := Read(strings.NewReader(strings.Replace(text, "LOST", "12", 1)), ReadOptions{})
		if err != nil || len(got) != 2 || len(got[0].Notes) != 1 || !strings.Contains(got[0].Notes[0], "12 earlier events") {
			t.Errorf("%v: %+v", err, got)
		}
	}
}

func TestDamagedTracesAreUsedUpToTheDamage(t *testing.T) {
	got, err := Read(strings.NewReader(timelineJSON[:strings.Index(timelineJSON, `"network"`)]), ReadOptions{File: "f"})
	if err == nil || !strings.Contains(err.Error(), "ends in the middle") || len(got) != 1 || len(got[0].Frames) != 2 {
		t.Errorf("%v: %+v", err, got)
	}
	for in, want := range map[string]string{
		`{"events":[]}`: "no two marks of a loop",
		`{"events":[{"kind":"frame","start_ns":5,"name":"x"}]}`: "no two marks of a loop",
		`{"events":[{"kind":"frame","start_ns":"5"}]}`:          "f: ",
		`{"traceEvents":3}`:                   "this JSON is neither",
		`{"traceEvents":[{"ph":"X","ts":1}]}`: "no two marks of a loop",
	} {
		if got, err := Read(strings.NewReader(in), ReadOptions{File: "f"}); err == nil || !strings.Contains(err.Error(), want) || len(got) > 0 {
			t.Errorf("%s: %v, %d captures", in, err, len(got))
		}
	}
	marks := strings.Repeat(`{"kind":"frame","start_ns":5,"name":"x"},`, 50)
	if _, err := Read(strings.NewReader(`{"events":[`+marks[:len(marks)-1]+`]}`), ReadOptions{MaxFrames: 10}); err == nil || !strings.Contains(err.Error(), "more than 10 frames") {
		t.Error(err)
	}
}
