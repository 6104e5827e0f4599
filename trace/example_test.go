// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package trace_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

// In a program the timeline is strobe.TakeTimeline(); this one is made up, so that it is always the same.
var timeline = profile.Timeline{
	At:    clock.Instant(9 * time.Millisecond),
	Zones: []profile.ZoneInfo{{Name: "frame", Where: "main.go:12"}, {Name: "physics", Where: "main.go:30"}},
	Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{Name: "main"}}},
	Events: []profile.Event{
		{Kind: profile.SpanEvent, Lane: 0, Zone: 1, Depth: 1, Start: clock.Instant(2 * time.Millisecond), Took: 3 * time.Millisecond},
		{Kind: profile.SpanEvent, Lane: 0, Zone: 0, Depth: 0, Start: clock.Instant(time.Millisecond), Took: 7 * time.Millisecond},
		{Lane: 0, Zone: -1, Start: clock.Instant(8 * time.Millisecond), Kind: profile.FrameEvent, Name: "loop"},
	},
}

func ExampleWriteChrome() {
	if err := trace.WriteChrome(os.Stdout, timeline); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"displayTimeUnit":"ns","traceEvents":[
	// {"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"strobe"}},
	// {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
	// {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
	// {"ph":"X","name":"frame","cat":"zone","pid":1,"tid":1,"ts":1000.000,"dur":7000.000},
	// {"ph":"X","name":"physics","cat":"zone","pid":1,"tid":1,"ts":2000.000,"dur":3000.000},
	// {"ph":"i","s":"t","name":"loop","cat":"frame","pid":1,"tid":1,"ts":8000.000},
	// {"ph":"i","s":"g","name":"timeline taken","cat":"strobe","pid":1,"tid":0,"ts":9000.000,"args":{"lost":0,"notes":[]}}
	// ]}
}

// This shows the spans in a window of time with go tool pprof.
func ExampleWriteStacks() {
	file, err := os.CreateTemp("", "*.pb.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(file.Name())
	if err := trace.WriteStacks(file, timeline); err != nil {
		fmt.Println(err)
	}
	file.Close()
	show(file.Name())
	// Output:
	// Showing nodes accounting for 7ms, 100% of 7ms total
	//       flat  flat%   sum%        cum   cum%
	//        4ms 57.14% 57.14%        7ms   100%  frame
	//        3ms 42.86%   100%        3ms 42.86%  physics
}

// show prints the table of go tool pprof.
func show(file string) {
	out, err := exec.Command("go", "tool", "pprof", "-top", file).Output()
	if err != nil {
		fmt.Println(err)
	}
	_, table, _ := strings.Cut(string(out), "Showing")
	fmt.Print("Showing", table)
}

// This shows the profile of a whole run, with the path of zones as the stack.
func ExampleWriteProfile() {
	snapshot := profile.Snapshot{ // in a program, strobe.TakeSnapshot()
		Zones: []profile.ZoneInfo{{Name: "frame", Where: "main.go:12"}, {Name: "physics", Where: "main.go:30"}},
		Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{Name: "main"}, Nodes: profile.Tree{
			{Parent: -1, Zone: 0, Calls: 60, Total: 900 * time.Millisecond, Self: 300 * time.Millisecond},
			{Parent: 0, Zone: 1, Calls: 120, Total: 600 * time.Millisecond, Self: 600 * time.Millisecond},
		}}},
	}
	file, err := os.CreateTemp("", "*.pb.gz")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(file.Name())
	if err := trace.WriteProfile(file, snapshot); err != nil {
		fmt.Println(err)
	}
	file.Close()
	show(file.Name())
	// Output:
	// Showing nodes accounting for 900ms, 100% of 900ms total
	//       flat  flat%   sum%        cum   cum%
	//      600ms 66.67% 66.67%      600ms 66.67%  physics
	//      300ms 33.33%   100%      900ms   100%  frame
}

func ExampleWriteFolded() {
	snapshot := profile.Snapshot{
		Zones: []profile.ZoneInfo{{Name: "frame"}, {Name: "physics"}},
		Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{Name: "main"}, Nodes: profile.Tree{
			{Parent: -1, Zone: 0, Calls: 60, Total: 900, Self: 300},
			{Parent: 0, Zone: 1, Calls: 120, Total: 600, Self: 600},
		}}},
	}
	if err := trace.WriteFolded(os.Stdout, snapshot); err != nil {
		fmt.Println(err)
	}
	// Output:
	// main;frame 300
	// main;frame;physics 600
}

func ExampleWritePerfetto() {
	zone := strobe.NewZone("store")
	main := strobe.NewLane("main")
	strobe.Record(1 << 20)
	main.Enter(zone).Exit()
	strobe.Message("saved")
	var file bytes.Buffer
	if err := trace.WritePerfetto(&file, strobe.TakeTimeline()); err != nil {
		fmt.Println(err)
	}
	strobe.Record(0)
	fmt.Println(bytes.Contains(file.Bytes(), []byte("store")), bytes.Contains(file.Bytes(), []byte("saved")))
	// Output: true true
}
