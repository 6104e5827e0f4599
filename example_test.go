// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe_test

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

var zParse = strobe.NewZone("parse")

func parse(text string) int {
	defer zParse.Enter().Exit()
	return len(text)
}

// A first program: a zone in a package variable, one line in the function, and a snapshot. To watch a program while it
// runs, write this in main instead:
//
//	defer strobe.StartReporter(os.Stderr, time.Second).Stop()
func Example() {
	before := strobe.TakeSnapshot()
	for range 1000 {
		parse("...")
	}
	snapshot := strobe.TakeSnapshot().Sub(before)
	for _, z := range snapshot.Totals() {
		if name := snapshot.Zones[z.Zone].Name; name == "parse" {
			fmt.Println(name, z.Calls, "calls, the shortest took less than a millisecond:", z.Min < time.Millisecond)
		}
	}
	// Output: parse 1000 calls, the shortest took less than a millisecond: true
}

// Do measures a function literal.
func ExampleZone_Do() {
	zone := strobe.NewZone("sum")
	sum := 0
	zone.Do(func() {
		for i := range 10 {
			sum += i
		}
	})
	fmt.Println(sum)
	// Output: 45
}

var loopTick = strobe.NewLoop("tick of the example")

// The times between the turns of a loop are its frame times.
func ExampleNewLoop() {
	for range 100 {
		loopTick.Frame()
		// ...
	}
	for _, loop := range strobe.TakeSnapshot().Frames {
		if loop.Name == "tick of the example" {
			fmt.Println(loop.Turns, "turns,", loop.Histogram.N(), "frame times")
		}
	}
	// Output: 100 turns, 99 frame times
}

// A TimelineReader returns the spans one by one.
func ExampleNewTimelineReader() {
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	zone, lane := strobe.NewZone("step"), strobe.NewLane("worker of the example")
	reader := strobe.NewTimelineReader()
	lane.Enter(zone).Exit()
	for _, e := range reader.Read().Events {
		if e.Kind == profile.SpanEvent && !e.Open {
			fmt.Println("a span of depth", e.Depth)
		}
	}
	// Output: a span of depth 0
}

// Phases that follow one another cost one reading of the clock each.
func ExampleStartLap() {
	input, physics, draw := strobe.NewZone("input"), strobe.NewZone("physics"), strobe.NewZone("draw")
	before := strobe.TakeSnapshot()
	for range 60 {
		lap := strobe.StartLap(input)
		// ...
		lap.Next(physics)
		// ...
		lap.Next(draw)
		// ...
		lap.End()
	}
	s := strobe.TakeSnapshot().Sub(before)
	for _, z := range s.Totals() {
		if z.Calls > 0 {
			fmt.Println(s.Zones[z.Zone].Name, z.Calls)
		}
	}
	// Output:
	// input 60
	// physics 60
	// draw 60
}
