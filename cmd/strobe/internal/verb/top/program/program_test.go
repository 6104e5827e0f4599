// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

func hello(run, loop string) feed.Message {
	return feed.Message{Hello: &feed.Hello{Version: 1, Program: "p", Run: run, Loop: loop, Zones: []feed.Zone{{Name: "a"}, {Name: "b", Wait: true}}}}
}

func state(at int64, totals ...feed.Total) feed.Message {
	return feed.Message{State: &feed.State{At: at, Totals: totals}}
}

func ns(n int64) *int64 { return &n }

func share(x float64) *float64 { return &x }

func frames(at int64, list ...feed.Frame) feed.Message {
	return feed.Message{Frames: &feed.Frames{At: at, Frames: list}}
}

func TestRatesAreDifferencesOfTotals(t *testing.T) {
	var p Program
	p.Add(hello("r", "loop"))
	if p.Zones() != nil || p.Rated() != 0 {
		t.Error("rates of nothing")
	}
	p.Add(state(10e9, feed.Total{Zone: 0, Calls: 100, Total: 5e9, Self: ns(4e9), Sum: ns(7e9)}))
	if p.Zones() != nil {
		t.Error("rates of one state")
	}
	rate := 50.0
	m := state(11e9, feed.Total{Zone: 0, Calls: 150, Total: 55e8, Self: ns(42e8), Sum: ns(95e8)}, feed.Total{Zone: 1, Calls: 2, Total: 1e9, Self: ns(1e9), Sum: ns(1e9)}, feed.Total{Zone: 7, Calls: 1})
	m.State.Rate = &rate
	p.Add(m)
	// The first is recursive: its calls took longer than its total.
	want := []Zone{{"a", false, 150, 50, 0.5, share(0.2), 50 * time.Millisecond, 10 * time.Millisecond}, {"b", true, 2, 2, 1, share(1), 500 * time.Millisecond, 20 * time.Millisecond}}
	if got := p.Zones(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if busy := p.Busy(); busy[0].Name != "b" {
		t.Errorf("%+v", busy)
	}
	p.Add(state(12e9, feed.Total{Zone: 0, Calls: 150, Total: 55e8, Self: ns(42e8)}, feed.Total{Zone: 1, Calls: 2, Total: 1e9, Self: ns(1e9)}))
	p.Add(state(13e9, feed.Total{Zone: 0, Calls: 150, Total: 55e8, Self: ns(42e8)}, feed.Total{Zone: 1, Calls: 2, Total: 1e9, Self: ns(1e9)}))
	if got := p.Rated(); got != 2*time.Second || len(p.Busy()) != 0 {
		t.Errorf("after two idle seconds: %v, %+v", got, p.Busy())
	}
}

func TestTheMeanIsNotKnownWithoutTheSumOfTheCalls(t *testing.T) {
	var p Program
	p.Add(hello("r", "loop"))
	p.Add(state(10e9))
	p.Add(state(11e9, feed.Total{Zone: 0, Calls: 100, Total: 5e8, Self: ns(5e8)}))
	if z := p.Zones()[0]; z.Calls != 100 || z.Share != 0.5 || z.Mean != 0 {
		t.Errorf("%+v", z)
	}
}

func TestAResetBeginsAnew(t *testing.T) {
	for name, m := range map[string]feed.Message{"totals fell": state(12e9, feed.Total{Zone: 0, Calls: 3, Total: 1, Self: ns(1)}), "time fell": state(5e9, feed.Total{Zone: 0, Calls: 300})} {
		var p Program
		p.Add(hello("r", ""))
		p.Add(state(10e9, feed.Total{Zone: 0, Calls: 100, Total: 5e9}))
		p.Add(state(11e9, feed.Total{Zone: 0, Calls: 200, Total: 6e9}))
		p.Add(m)
		if got := p.Zones(); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAnotherRunForgetsAndAnotherLoopForgetsFrames(t *testing.T) {
	var p Program
	p.Add(hello("r", "x"))
	p.Add(frames(1, feed.Frame{Number: 1, Took: 5}))
	p.Add(hello("r", "x"))
	if len(p.Frames) != 1 {
		t.Error("the same hello forgets frames")
	}
	p.Add(state(10e9))
	p.Add(state(11e9))
	p.Add(hello("r", "y"))
	if len(p.Frames) != 0 || p.Rated() == 0 {
		t.Errorf("another loop: %d frames, %v", len(p.Frames), p.Rated())
	}
	p.Add(hello("s", "y"))
	if p.Rated() != 0 || p.Hello.Run != "s" {
		t.Error("another run keeps rates")
	}
}

func TestFramesStayInOrderAndBounded(t *testing.T) {
	var p Program
	p.Add(hello("r", "x"))
	p.Add(frames(1, feed.Frame{Number: 7, Took: 70}, feed.Frame{Number: 2, Took: 20}))
	p.Add(frames(2, feed.Frame{Number: 5, Took: 50}, feed.Frame{Number: 7, Took: 70}, feed.Frame{Number: 8, Took: 80}))
	if got := fmt.Sprint(p.Frames); got != "[{2 0 20 []} {5 0 50 []} {7 0 70 []} {8 0 80 []}]" {
		t.Error(got)
	}
	if over, of := p.Over(60); over != 2 || of != 4 {
		t.Errorf("%d of %d", over, of)
	}
	if f, ok := Slowest(p.Frames); !ok || f.Number != 8 {
		t.Errorf("%+v", f)
	}
	if b, given := p.Budget(); b != 70 || given {
		t.Errorf("the median is %v, %v", b, given)
	}
	for i := range int64(3 * keptFrames) {
		p.Add(frames(3, feed.Frame{Number: 100 + i}))
	}
	if len(p.Frames) != keptFrames || cap(p.Frames) > 5*keptFrames || len(p.Recent()) != ratedFrames {
		t.Errorf("%d frames in room for %d", len(p.Frames), cap(p.Frames))
	}
}

func TestARushOfMessagesIsBounded(t *testing.T) {
	var p Program
	p.Add(hello("r", "x"))
	for i := range 20_000 {
		p.Add(state(int64(i)))
		m := frames(int64(i))
		m.Frames.Runtime = new(feed.Runtime)
		m.Frames.Plots = []feed.Plot{{Name: fmt.Sprint("plot ", i)}}
		p.Add(m)
	}
	if len(p.states) > keptStates || len(p.runtime) > keptFrames || len(p.Plots()) != keptPlots {
		t.Errorf("%d states, %d samples, %d plots", len(p.states), len(p.runtime), len(p.Plots()))
	}
}

func TestTheCauseOfASlowFrameIsTheZoneThatTookMoreThanUsual(t *testing.T) {
	var p Program
	m := hello("r", "x")
	m.Hello.Zones = []feed.Zone{{Name: "tick"}, {Name: "move"}, {Name: "join", Wait: true}, {Name: "draw"}}
	p.Add(m)
	if _, ok := p.Cause(feed.Frame{Number: 1}); ok {
		t.Error("a cause of nothing")
	}
	// tick holds move and join; draw is on another lane.
	m = frames(1)
	m.Frames.Paths = []feed.Path{{Number: 10, Parent: -1, Zone: 0}, {Number: 11, Parent: 10, Zone: 1}, {Number: 12, Parent: 10, Zone: 2}, {Number: 13, Lane: 1, Parent: -1, Zone: 3}}
	for i := range int64(98) {
		m.Frames.Frames = append(m.Frames.Frames, feed.Frame{Number: i + 1, Took: 10, Parts: []int64{10, 1, 90, 11, 1, 50, 12, 1, 20, 13, 1, 40}})
	}
	p.Add(m)
	p.Add(frames(2, feed.Frame{Number: 99, Took: 90, Parts: []int64{10, 1, 1090, 11, 1, 550, 12, 1, 520, 13, 1, 40}}))
	p.Add(frames(3, feed.Frame{Number: 100, Took: 90, Parts: []int64{10, 1, 1090, 12, 1, 1020, 77, 1, 1e9, 13, 1, 40}}))
	if c, ok := p.Cause(feed.Frame{Number: 99, Took: 900}); c.Zone != "move" || c.More < 490 || c.More > 500 || !ok {
		t.Errorf("%+v, %v", c, ok)
	}
	if c, ok := p.Cause(feed.Frame{Number: 100, Took: 90}); c.Zone != "tick" || c.More < 45 || c.More > 50 || c.Waited != "join" || !ok {
		t.Errorf("%+v, %v", c, ok)
	}
	p.Add(frames(4, feed.Frame{Number: 101, Took: 90, Parts: []int64{10, 1, 1020, 12, 1, 1000}}))
	if c, ok := p.Cause(feed.Frame{Number: 101, Took: 90}); c.Zone != "join" || c.More < 950 || c.Waited != "" || !ok {
		t.Errorf("waiting: %+v, %v", c, ok)
	}
	p.Add(frames(5, feed.Frame{Number: 102, Took: 1}))
	if c, ok := p.Cause(feed.Frame{Number: 102, Took: 5000}); !ok || c != (Cause{}) {
		t.Errorf("a frame without zones: %+v, %v", c, ok)
	}
	if c, ok := p.Cause(feed.Frame{Number: 99, Took: 5000}); !ok || c != (Cause{}) {
		t.Errorf("a frame that no zone explains: %+v, %v", c, ok)
	}
	c := p.Clone()
	for i := range int64(3 * keptFrames) {
		p.Add(frames(6, feed.Frame{Number: 200 + i, Took: 1, Parts: []int64{10, 1, 5}}))
	}
	if len(p.why.frames) > 2*keptFrames {
		t.Errorf("%d frames are kept", len(p.why.frames))
	}
	if _, ok := c.Cause(feed.Frame{Number: 99}); !ok || len(c.why.frames) != 102 {
		t.Error("the copy changed")
	}
}

func TestTheRuntimeIsSummedUp(t *testing.T) {
	var p Program
	p.Add(hello("r", "x"))
	if _, _, ok := p.Runtime(); ok {
		t.Error("the runtime of nothing")
	}
	for i, latency := range []float64{900, 5, 7, 6} {
		m := frames(int64(i) * 1e9)
		m.Frames.Runtime = &feed.Runtime{Collections: 1, Pause: 10, Latency: &latency, Heap: float64(i), Goroutines: 3}
		p.Add(m)
	}
	m := frames(4e9)
	m.Frames.Runtime = &feed.Runtime{Heap: 9, Goroutines: 4}
	p.Add(m)
	backlog := frames(5e9)
	backlog.Frames.Runtime, backlog.Frames.Backlog = &feed.Runtime{Collections: 100}, true
	p.Add(backlog)
	r, over, ok := p.Runtime()
	if !ok || over != 4*time.Second || r.Collections != 3 || r.Pause != 30 || *r.Latency != 7 || r.Heap != 9 || r.Goroutines != 4 {
		t.Errorf("%+v over %v", r, over)
	}
}

func TestACopyStaysAsItIs(t *testing.T) {
	var p Program
	p.Add(hello("r", "x"))
	m := frames(1, feed.Frame{Number: 1})
	m.Frames.Plots = []feed.Plot{{Name: "q", Value: 1}}
	p.Add(m)
	p.Add(state(1e9))
	c := p.Clone()
	m = frames(2, feed.Frame{Number: 2})
	m.Frames.Plots = []feed.Plot{{Name: "q", Value: 2}}
	p.Add(m)
	p.Add(state(2e9))
	if len(c.Frames) != 1 || c.Plots()[0].Value != 1 || c.Rated() != 0 || p.Plots()[0].Value != 2 {
		t.Errorf("%+v", c)
	}
}
