// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package trace

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

// busy runs spans within spans on three lanes until the test ends, and returns when the first may have begun.
func busy(t *testing.T) clock.Instant {
	begin := clock.NowOrdered()
	strobe.Record(1 << 16)
	outer, inner := strobe.NewZone("outer"), strobe.NewZone("inner")
	var stop atomic.Bool
	var all, begun sync.WaitGroup
	for range 3 {
		all.Add(1)
		begun.Add(1)
		go func() {
			defer all.Done()
			l := strobe.NewLane("busy")
			l.Enter(outer).Exit()
			begun.Done()
			for !stop.Load() {
				o := l.Enter(outer)
				for range 5 {
					l.Enter(inner).Exit()
				}
				o.Exit()
			}
			l.Close()
		}()
	}
	t.Cleanup(func() {
		stop.Store(true)
		all.Wait()
		strobe.Record(0)
	})
	begun.Wait()
	return begin
}

// Timelines and profiles are taken while spans begin and end. No span may lie outside the recorded time.
func TestFilesOfARunningProgramHoldOnlyTimesOfItsRun(t *testing.T) {
	before := strobe.TakeSnapshot()
	begin := busy(t)
	spans := 0
	for range 20 {
		timeline := strobe.TakeTimeline()
		slack := timeline.At.Sub(begin)/1000 + time.Microsecond // the rate of the ticks is being refined
		within := func(what string, start, end float64) {
			t.Helper()
			if start < float64(begin.Add(-slack)) || end > float64(timeline.At.Add(slack)) || end < start {
				t.Fatalf("%s from %.0f to %.0f ns, but the run is from %d to %d", what, start, end, begin, timeline.At)
			}
		}
		for _, e := range timeline.Events {
			within("an event", float64(e.Start), float64(e.Start.Add(e.Took)))
		}
		for _, e := range readChrome(t, timeline) {
			if e.Ph == "X" {
				spans++
				start, err := e.Ts.Float64()
				took, err2 := e.Dur.Float64()
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				within("a span of Chrome's", 1e3*start, 1e3*(start+took))
			}
		}
		stacks := stacksOf(t, timeline)
		if d := timeline.At.Sub(begin); stacks.duration > int64(d+slack) {
			t.Fatalf("a profile of %v within %v", time.Duration(stacks.duration), d)
		}
		snapshot := strobe.TakeSnapshot().Sub(before)
		end := clock.NowOrdered() // spans that ended while the snapshot was taken may be in it
		whole := profileOf(t, snapshot)
		for what, p := range map[string]pprofFile{"timeline": stacks, "snapshot": whole} {
			most := 3 * int64(timeline.At.Sub(begin)+slack)
			if what == "snapshot" {
				most = 3 * int64(end.Sub(begin)+slack)
			}
			sum := map[string]int64{}
			for _, s := range p.samples {
				if s.labels["lane"] == "busy" {
					sum[s.stack[len(s.stack)-1].name] += s.self
				}
				if s.calls < 0 || s.self < 0 {
					t.Fatalf("a sample of %d calls and %d ns", s.calls, s.self)
				}
			}
			if sum["inner"] > most || sum["outer"] > most {
				t.Fatalf("%s: %v ns on three lanes, at most %d are possible", what, sum, most)
			}
		}
	}
	if spans == 0 {
		t.Error("no span was seen")
	}
}

// The profile agrees with the snapshot: for each zone, the sum over its samples is its self time, and the sum over all stacks
// that contain it is its total.
func TestProfileAgreesWithTheTotalsOfTheSnapshot(t *testing.T) {
	prefix := fmt.Sprint("profile ", clock.Now(), " ") // -count runs it again in the same process
	zones := []*strobe.Zone{strobe.NewZone(prefix + "a"), strobe.NewZone(prefix + "b"), strobe.NewZone(prefix + "c")}
	l := strobe.NewLane("profile")
	calls := map[string]int64{}
	var run func(zone, depth int)
	run = func(zone, depth int) {
		s := l.Enter(zones[zone])
		calls[prefix+string(rune('a'+zone))]++
		for i := range depth {
			run((zone+i)%3, depth-1) // recursion included
		}
		s.Exit()
	}
	for range 5 {
		run(0, 5)
	}
	s := strobe.TakeSnapshot()
	p := profileOf(t, s)
	n, flat, cum := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, x := range p.samples {
		seen := map[string]bool{}
		for i, place := range x.stack {
			name := place.name
			if i == 0 {
				n[name] += x.calls
				flat[name] += x.self
			}
			if !seen[name] {
				cum[name] += x.self
			}
			seen[name] = true
		}
	}
	for _, z := range s.Totals() {
		name := s.Zones[z.Zone].Name
		if calls[name] == 0 {
			continue
		}
		if n[name] != calls[name] || flat[name] != int64(z.Self) || math.Abs(float64(cum[name]-int64(z.Total))) > 1 {
			t.Errorf("%s: %d calls, flat %d, cum %d; want %d, %d, %d", name, n[name], flat[name], cum[name], calls[name], z.Self, z.Total)
		}
	}
}
