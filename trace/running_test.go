// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
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

// Timelines and profiles are taken while spans begin and end: none of them may lie outside the time that was recorded.
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
		for _, e := range chrome(t, timeline) {
			if e.Ph == "X" {
				spans++
				within("a span of Chrome's", 1e3*e.Ts, 1e3*(e.Ts+e.Dur))
			}
		}
		stacks := parse(t, func(w io.Writer) error { return trace.WriteStacks(w, timeline) })
		if d := timeline.At.Sub(begin); stacks.DurationNanos > int64(d+slack) {
			t.Fatalf("a profile of %v within %v", time.Duration(stacks.DurationNanos), d)
		}
		snapshot := strobe.TakeSnapshot().Sub(before)
		end := clock.NowOrdered() // spans that ended while the snapshot was taken may be in it
		whole := parse(t, func(w io.Writer) error { return trace.WriteProfile(w, snapshot) })
		for what, p := range map[string]*pprof.Profile{"timeline": stacks, "snapshot": whole} {
			most := 3 * int64(timeline.At.Sub(begin)+slack)
			if p == whole {
				most = 3 * int64(end.Sub(begin)+slack)
			}
			sum := map[string]int64{}
			for _, s := range p.Sample {
				if s.Label["lane"][0] == "busy" {
					sum[s.Location[len(s.Location)-1].Line[0].Function.Name] += s.Value[1]
				}
				if s.Value[0] < 0 || s.Value[1] < 0 {
					t.Fatalf("a sample of %d", s.Value)
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

type chromeEvent struct {
	Ph      string
	Ts, Dur float64
}

func chrome(t *testing.T, timeline profile.Timeline) []chromeEvent {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteChrome(&b, timeline); err != nil {
		t.Fatal(err)
	}
	var f struct{ TraceEvents []chromeEvent }
	if err := json.Unmarshal(b.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	return f.TraceEvents
}

func parse(t *testing.T, write func(io.Writer) error) *pprof.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What the program measured of itself, the profile says too: for each zone the sum over its samples and, over all stacks
// that hold it, its total.
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
	p := parse(t, func(w io.Writer) error { return trace.WriteProfile(w, s) })
	n, flat, cum := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, x := range p.Sample {
		seen := map[string]bool{}
		for i, loc := range x.Location {
			name := loc.Line[0].Function.Name
			if i == 0 {
				n[name] += x.Value[0]
				flat[name] += x.Value[1]
			}
			if !seen[name] {
				cum[name] += x.Value[1]
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
