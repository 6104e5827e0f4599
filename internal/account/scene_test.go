// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/switches"
)

const (
	msec = 1_000_000 // Time
	ms   = time.Millisecond
)

// ids of stacks, whose places a scene knows.
const (
	atLock gotrace.StackID = 1 + iota
	atUnlock
	atSync
	atReceive
	atStop
	atMap
	atCollect
	atMalloc
	inC
)

var places = map[gotrace.StackID]place{
	atLock: {where: "store.go:41 (main.save)"}, atUnlock: {where: "store.go:60 (main.flush)"}, atSync: {where: "store.go:55 (main.flush)"},
	atReceive: {where: "pool.go:7 (main.wait)"}, atStop: {where: "debug.go:9 (main.dump)"}, atMap: {where: "map.go:3 (main.grow)", memory: true},
	atMalloc:  {where: "list.go:8 (main.add)", malloc: true},
	atCollect: {where: "main.go:5 (main.tidy)", gc: true},
	inC:       {where: "draw.go:23 (C.draw)", inC: true},
}

// A scene is a trace in which goroutines are written as lines:
//
//	1: run 0, wait 10 sync 1, ready 40 by 2, run 41
//
// times in ms, each state until the next; "wait" has the reason, with "_" for a space, and the stack. Goroutine N runs on thread 100+N
// and, if not said otherwise, on P N.
type scene struct {
	Sources
	procs int
	t     *testing.T
}

func newScene(t *testing.T, lines ...string) *scene {
	t.Helper()
	s := &scene{procs: 2, t: t}
	trace := &gotrace.Trace{From: 0, To: 1000 * msec}
	holds := make(map[int32]*gotrace.Proc)
	for _, line := range lines {
		var g gotrace.Goroutine
		head, rest, _ := strings.Cut(line, ":")
		if _, err := fmt.Sscan(head, &g.ID); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, text := range strings.Split(rest, ",") {
			word := strings.Fields(text)
			var at float64
			if _, err := fmt.Sscan(word[1], &at); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			step := gotrace.Step{At: Time(at * msec), Proc: -1}
			switch word[0] {
			case "run", "gc":
				step.State, step.Thread, step.Proc = gotrace.Running, 100+g.ID, int32(g.ID)
				if word[0] == "gc" {
					step.Reason = "GC (dedicated)"
				}
			case "call":
				step.State, step.Thread = gotrace.Syscall, 100+g.ID
				fmt.Sscan(word[2], &step.Stack)
			case "ready":
				step.State = gotrace.Runnable
				if len(word) > 3 {
					fmt.Sscan(word[3], &step.By)
					step.ByStack = atUnlock
				}
			case "yield":
				step.State, step.Reason = gotrace.Runnable, "yield"
				fmt.Sscan(word[2], &step.Stack)
			case "wait":
				step.State, step.Reason = gotrace.Waiting, strings.ReplaceAll(word[2], "_", " ")
				fmt.Sscan(word[3], &step.Stack)
			case "gone":
				step.State = gotrace.Gone
			default:
				t.Fatalf("%q", text)
			}
			g.Steps = append(g.Steps, step)
		}
		for i, step := range g.Steps {
			to := trace.To
			if i+1 < len(g.Steps) {
				to = g.Steps[i+1].At
			}
			if step.State == gotrace.Running {
				p := holds[step.Proc]
				if p == nil {
					p = &gotrace.Proc{ID: step.Proc}
					holds[step.Proc] = p
				}
				p.Holds = append(p.Holds, gotrace.Hold{From: step.At, To: to, Thread: step.Thread})
			}
		}
		trace.Goroutines = append(trace.Goroutines, g)
	}
	for _, p := range holds {
		trace.Procs = append(trace.Procs, *p)
	}
	s.Trace = trace
	return s
}

// off adds a time in which the thread of a goroutine was off the processor.
func (s *scene) off(g int64, from, to float64, preempted bool) *scene {
	s.exact()
	s.Switches.Off = append(s.Switches.Off, switches.Off{Thread: 100 + g, From: int64(from * msec), To: int64(to * msec), Preempted: preempted})
	return s
}

// machine has the program use so many processors at most.
func (s *scene) machine(processors int) *scene {
	s.Processors = processors
	return s
}

// shared adds times in which the threads of two goroutines share processor 0: in each turn of 10 ms the first one has 3 and is ready for 7.
func (s *scene) shared(g, other int64) *scene {
	s.exact()
	for at := float64(0); at < 60; at += 10 {
		s.Switches.Off = append(s.Switches.Off, switches.Off{Thread: 100 + g, From: int64((at + 3) * msec), To: int64((at + 10) * msec), Preempted: true},
			switches.Off{Thread: 100 + other, From: int64(at * msec), To: int64((at + 3) * msec), Preempted: true})
	}
	s.Switches.Off = append(s.Switches.Off, switches.Off{Thread: 100 + other, From: 60 * msec, To: 61 * msec})
	return s
}

// nowhere has the records lack which processors threads left.
func (s *scene) nowhere() *scene {
	for i := range s.Switches.Off {
		s.Switches.Off[i].Processor = -1
	}
	return s
}

// faults adds page faults of goroutine 1 throughout a time, of 1 us each, of which every eighth is recorded.
func (s *scene) faults(from, to float64) *scene {
	s.exact()
	s.Fault, s.Faults = time.Microsecond, 8
	for at := int64(from * msec); at < int64(to*msec); at += 9000 {
		s.Switches.Faults = append(s.Switches.Faults, switches.Fault{Thread: 101, At: at})
	}
	return s
}

// exact adds records of switches without any.
func (s *scene) exact() *scene {
	if s.Switches == nil {
		s.Switches = &switches.Records{Covered: 0, To: 1000 * msec, Read: 1000 * msec}
	}
	return s
}

// covered has the records of switches begin later.
func (s *scene) covered(from float64) *scene {
	s.exact().Switches.Covered = int64(from * msec)
	return s
}

func (s *scene) span(g int64, zone int, from, to float64, depth int) *scene {
	s.Spans = append(s.Spans, Span{g, Interval{Time(from * msec), Time(to * msec)}, depth, zone})
	return s
}

func (s *scene) within(kind gotrace.RangeKind, name string, g int64, from, to float64) *scene {
	s.Trace.Ranges = append(s.Trace.Ranges, gotrace.Range{From: Time(from * msec), To: Time(to * msec), Kind: kind, Name: name, Goroutine: g, Stack: atStop})
	return s
}

// allocates adds n changes of the heap between two times.
func (s *scene) allocates(g int64, from, to float64, n int, bytes int64) *scene {
	live := int64(1)
	if k := len(s.Trace.Heap); k > 0 {
		live = s.Trace.Heap[k-1].Live
	} else {
		s.Trace.Heap = append(s.Trace.Heap, gotrace.Heap{Live: live})
	}
	for i := range n {
		live += bytes
		s.Trace.Heap = append(s.Trace.Heap, gotrace.Heap{At: Time((from + (to-from)*float64(i)/float64(n)) * msec), Live: live, Goroutine: g})
	}
	return s
}

// fake are counters.
type fake map[pressure.Counter]int64

func (f fake) Value(c pressure.Counter) (int64, bool) {
	v, ok := f[c]
	return v, ok
}

// counters adds readings at two times, between which they grew by what is given.
func (s *scene) counters(from, to float64, grown fake) *scene {
	zero := fake{}
	for c := range grown {
		zero[c] = 0
	}
	s.Readings = []Reading{{At: Time(from * msec), Counters: zero}, {At: Time(to * msec), Counters: grown}}
	return s
}

// lag has the processor time of others that run be late, and self says who reads it.
func (s *scene) lag(by time.Duration) *scene {
	s.Lag = by * ms
	return s
}

func (s *scene) self(g int64) *scene {
	s.Self = g
	return s
}

func (s *scene) window() *Window {
	if s.Trace != nil && len(s.Trace.Limits) == 0 {
		s.Trace.Limits = []gotrace.Limit{{Procs: s.procs}}
		slices.SortFunc(s.Trace.Goroutines, func(a, b gotrace.Goroutine) int { return int(a.ID - b.ID) })
	}
	w := NewWindow(s.Sources)
	for id, p := range places {
		w.places[id] = p
	}
	return w
}

func (s *scene) of(g int64, from, to float64, links ...Link) Account {
	u := Unit{Goroutine: g, Interval: Interval{Time(from * msec), Time(to * msec)}, Links: links}
	a := s.window().Of(u)
	if s.Switches == nil && s.t != nil {
		later := *s
		if got := later.covered(1000).window().Of(u); !reflect.DeepEqual(got, a) {
			s.t.Errorf("records of switches that do not reach back to a unit change its account from\n%+v to\n%+v", a, got)
		}
	}
	return a
}

// usually is five accounts of units that run for 2 ms.
func usually() []Account {
	one := Account{Took: 2 * ms, Parts: []Part{{Key: Key{Cause: Own, Zone: -1}, Took: 2 * ms}}, States: true, Exact: true}
	return []Account{one, one, one, one, one}
}

func link(g int64, from, to float64) Link {
	return Link{g, Interval{Time(from * msec), Time(to * msec)}}
}
