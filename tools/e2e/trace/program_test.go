// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// awkward is a name that breaks pages, scripts and protobuf readers that trust it.
const awkward = "</script><b>\"\\\x01\u2028\xff"

// shown is awkward as viewers see it.
const shown = "</script><b>\"\\\x01\u2028\uFFFD"

// named is awkward as the name of a zone in files that a terminal may show.
const named = "</script><b>\"\\???"

var zones = struct{ turn, step, hit, wait, awkward *strobe.Zone }{
	strobe.NewZone("turn"), strobe.NewZone("step"), strobe.NewZone("hit"), strobe.NewWaitZone("wait"), strobe.NewZone(awkward),
}

const turns = 20

// run is the program under test: two lanes, nested and recursive spans, frames, a plot, messages.
var run = sync.OnceValues(func() (profile.Timeline, profile.Snapshot) {
	strobe.Record(8 << 20)
	var lanes sync.WaitGroup
	lanes.Go(func() {
		l := strobe.NewLane(awkward)
		for range turns {
			s := l.Enter(zones.wait)
			time.Sleep(time.Millisecond)
			s.Exit()
		}
	})
	lanes.Go(func() {
		strobe.NameLane("main")
		for i := range turns {
			turn(i)
		}
		zones.awkward.Enter().Exit()
		strobe.Message(awkward)
	})
	lanes.Wait()
	return strobe.TakeTimeline(), strobe.TakeSnapshot()
})

func turn(i int) {
	strobe.Frame("loop")
	strobe.Plot("height", float64(i)/4)
	defer zones.turn.Enter().Exit()
	for range 3 {
		step()
	}
}

func step() {
	defer zones.step.Enter().Exit()
	busy(100 * time.Microsecond)
	dig(3)
}

func dig(depth int) {
	if depth > 0 {
		defer zones.hit.Enter().Exit()
		busy(20 * time.Microsecond)
		dig(depth - 1)
	}
}

func busy(d time.Duration) {
	for start := clock.Now(); clock.Now().Sub(start) < d; {
	}
}

// calls has the number of times that run enters each zone.
var calls = map[string]int{"turn": turns, "step": 3 * turns, "hit": 9 * turns, "wait": turns, shown: 1}

func TestNothingOfTheProgramIsLost(t *testing.T) {
	timeline, _ := run()
	n := 0
	for _, e := range timeline.Events {
		if e.Kind == profile.SpanEvent {
			n++
		}
	}
	want := 0
	for _, c := range calls {
		want += c
	}
	if n != want || timeline.Lost != 0 {
		t.Fatalf("%d spans, want %d; %d lost", n, want, timeline.Lost)
	}
}
