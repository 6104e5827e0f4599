// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// A torture is a random program: goroutines come and go, use and misuse the package, while everything is read all the time. It
// knows what must be counted. The race detector tests different code from what is shipped, so the test runs with and without it.
type torture struct {
	leaks bool // spans are left open
	quiet bool // use nothing that takes a lock, which would hide races between successive goroutines
	zones [5]*Zone
	few   *Zone // sampled
	deeds
}

// deeds are the operations to be counted.
type deeds struct {
	calls  [6]uint64 // by zone; the last one is sampled
	spans  uint64    // that ended, of zones that are not sampled
	marks  uint64
	forgot uint64 // spans that are never ended
	twice  uint64
	early  uint64
}

func (d *deeds) add(o *deeds) {
	for i, n := range o.calls {
		d.calls[i] += n
	}
	d.spans, d.marks, d.forgot, d.twice, d.early = d.spans+o.spans, d.marks+o.marks, d.forgot+o.forgot, d.twice+o.twice, d.early+o.early
}

// A victim is a goroutine of the program, or a lane made by it.
type victim struct {
	*torture
	*deeds // its own, so that the race detector sees no order between goroutines
	r      *rand.Rand
	lane   *Lane // nil: the goroutine's
}

func (v *victim) enter(z *Zone) Span {
	if v.lane != nil {
		return v.lane.Enter(z)
	}
	return z.Enter()
}

// span makes a span with random operations inside. Spans that are left open inside end with it.
func (v *victim) span(depth int) {
	i := v.r.IntN(len(v.zones))
	open := []int{i}
	s := v.enter(v.zones[i])
	for range v.r.IntN(4) {
		if k := v.inside(depth + 1); k >= 0 {
			open = append(open, k)
		}
	}
	s.Exit()
	for _, k := range open {
		v.deeds.calls[k]++
	}
	v.deeds.early += uint64(len(open) - 1)
	v.deeds.spans += uint64(len(open))
	if v.r.IntN(20) == 0 {
		nextTick()
		s.Exit()
		v.deeds.twice++
	}
}

// inside does one thing and returns the zone of the span that it leaves open; -1 if there is none.
func (v *victim) inside(depth int) int {
	switch v.r.IntN(12) {
	case 0:
		if depth > 0 || v.leaks {
			i := v.r.IntN(len(v.zones))
			v.enter(v.zones[i])
			return i
		}
	case 1:
		i := v.r.IntN(len(v.zones))
		d := time.Duration(v.r.Uint64N(1 << v.r.IntN(40)))
		if v.lane != nil {
			v.lane.Add(v.zones[i], d)
		} else {
			v.zones[i].Add(d)
		}
		v.deeds.calls[i]++
	case 2, 3:
		v.lap()
	case 4, 5:
		for range v.r.IntN(30) {
			v.enter(v.few).Exit()
			v.deeds.calls[5]++
		}
	case 6:
		runtime.Gosched()
	case 7:
		if v.quiet {
			break
		}
		Message("here")
		Plot("torture", 1)
		v.deeds.marks += 2
	case 8:
		if v.r.IntN(10) == 0 {
			v.deep(maxDepth + 20)
		}
	default:
		if depth < 7 {
			v.span(depth)
		}
	}
	return -1
}

// deep exceeds the limits of a tree.
func (v *victim) deep(n int) {
	defer v.enter(v.zones[2]).Exit()
	v.deeds.calls[2]++
	v.deeds.spans++
	if n > 0 {
		v.deep(n - 1)
	}
}

func (v *victim) lap() {
	i := v.r.IntN(len(v.zones))
	var p Lap
	if v.lane != nil {
		p = v.lane.Lap(v.zones[i])
	} else {
		p = StartLap(v.zones[i])
	}
	v.deeds.calls[i]++
	v.deeds.spans++
	for range v.r.IntN(4) {
		i = v.r.IntN(len(v.zones))
		p.Next(v.zones[i])
		v.deeds.calls[i]++
		v.deeds.spans++
	}
	p.End()
}

// goroutine is the body of a goroutine.
func (v *victim) goroutine() {
	for range v.r.IntN(6) {
		switch v.r.IntN(12) {
		case 0:
			NameLane(fmt.Sprint("named ", v.r.IntN(5)))
		case 1:
			if v.quiet {
				break
			}
			own := victim{torture: v.torture, deeds: v.deeds, r: v.r, lane: NewLane("made")}
			for range v.r.IntN(4) {
				own.top()
			}
			if v.leaks && v.r.IntN(4) == 0 {
				own.lane.Enter(v.zones[0])
				v.deeds.forgot++
			}
			own.lane.Close()
		case 2: // a span that a panic skips
			func() {
				defer func() { recover() }()
				i := v.r.IntN(len(v.zones))
				defer v.zones[i].Enter().Exit()
				v.deeds.calls[i]++
				v.deeds.calls[0]++
				v.deeds.early++
				v.deeds.spans += 2
				v.zones[0].Enter()
				panic("torture")
			}()
		case 3: // a sampled zone, which nothing else is known about the goroutine
			v.few.Enter().Exit()
			v.deeds.calls[5]++
		default:
			v.top()
		}
	}
	switch v.r.IntN(4) { // how it ends
	case 0:
		for range v.r.IntN(4) {
			if !v.leaks {
				break
			}
			v.zones[v.r.IntN(len(v.zones))].Enter()
			v.deeds.forgot++
		}
	case 1:
		v.zones[1].Add(time.Millisecond)
		v.deeds.calls[1]++
	case 2:
		i := v.r.IntN(len(v.zones))
		defer v.zones[i].Enter().Exit()
		v.deeds.calls[i]++
		v.deeds.spans++
		runtime.Goexit()
	}
}

// top does one thing outside of any span.
func (v *victim) top() {
	if v.r.IntN(4) > 0 {
		v.span(0)
	} else if i := v.inside(0); i >= 0 { // it was left open, and there is no outer span to end it
		v.deeds.forgot++
	}
}

// run runs the program. Few goroutines exist at a time, so that they reuse the runtime's records.
func (p *torture) run(seed uint64, goroutines int) {
	all := make([]deeds, goroutines)
	var wg sync.WaitGroup
	others := runtime.NumGoroutine()
	for g := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v := &victim{torture: p, deeds: &all[g], r: rand.New(rand.NewPCG(seed, uint64(g)))}
			v.goroutine()
		}()
		for runtime.NumGoroutine() > others+8 { // not by waiting for one, which would establish an order
			runtime.Gosched()
		}
	}
	wg.Wait()
	for g := range all {
		p.deeds.add(&all[g])
	}
}

// A witness adds up what a Reader returns.
type witness struct {
	Reader
	zones []*Zone
	sums  [6]profile.ZoneStats
	n     [6]uint64 // durations
}

func (w *witness) read() {
	all := w.Read().Totals()
	for i, z := range w.zones {
		x, sum := &all[z.id], &w.sums[i]
		sum.Calls += x.Calls
		sum.Timed += x.Timed
		sum.Total += x.Total
		sum.Sum += x.Sum
		sum.Self += x.Self
		w.n[i] += x.Histogram.N()
	}
}

func TestWhatATorturedProgramDoesIsCounted(t *testing.T) {
	needThreads(t)
	needGoroutines(t)
	if !alone(t) {
		return
	}
	SetBudget(ample)
	programs, goroutines := uint64(12), 500
	if testing.Short() || race.Enabled {
		programs, goroutines = 4, 250
	}
	for seed := range programs {
		SetDistributions(1 << 30)
		p := &torture{few: NewZone("few"), leaks: seed%2 > 0, quiet: seed%4 > 1}
		for i := range p.zones {
			p.zones[i] = NewZone(fmt.Sprint("zone ", i))
		}
		p.few.SetSampling(8)
		all := append(p.zones[:len(p.zones):len(p.zones)], p.few)
		before := TakeSnapshot()
		opened := open(before)
		witnesses := []*witness{{zones: all}, {zones: all}, {zones: all}}
		witnesses[2].Lanes = -1
		for _, w := range witnesses {
			w.Read()
		}
		if seed%3 != 2 {
			Record(1 << (16 + 4*(seed%3)))
		}
		var line TimelineReader
		ended, lost := uint64(0), uint64(0)
		follow := func() {
			x := line.Read()
			lost += x.Lost
			for _, e := range x.Events {
				if !e.Open {
					ended++
				}
			}
		}
		follow()
		var stop atomic.Bool
		var others sync.WaitGroup
		for _, do := range []func(i int){
			func(int) { witnesses[0].read() },
			func(int) { witnesses[1].read() },
			func(int) { witnesses[2].read() },
			func(int) { TakeSnapshot() },
			func(int) { follow() },
			func(int) { TakeTimeline() },
			func(i int) { p.few.SetSampling([]int{1, 2, 50, 1000}[i%4]) },
			func(i int) {
				if i%50 == 49 {
					SetDistributions([]int{-1, 1 << 30, 0}[i/50%3])
				}
			},
			func(i int) {
				if seed%4 != 3 {
					return
				}
				switch i % 100 {
				case 50:
					_ = trace.Start(io.Discard) // spans become regions; an error means that the test itself is traced
				case 99:
					trace.Stop()
				}
			},
			func(i int) {
				if seed%3 == 2 {
					Record(int64(i%3) << 16)
				}
			},
		} {
			others.Add(1)
			go func() {
				defer others.Done()
				for i := 0; !stop.Load(); i++ {
					do(i)
					runtime.Gosched()
				}
			}()
		}
		p.run(seed, goroutines)
		stop.Store(true)
		others.Wait()
		trace.Stop()
		follow()
		p.check(t, seed, before, witnesses)
		s := TakeSnapshot()
		if got := open(s) + s.Abandoned - before.Abandoned; got != p.forgot+opened {
			t.Errorf("seed %d: %d spans are open and %d were abandoned, want %d together", seed, open(s), s.Abandoned-before.Abandoned, p.forgot+open(before))
		}
		few := s.Totals()[p.few.id].Timed
		if want := p.spans + p.marks + few; seed%3 != 2 && ended+lost != want {
			t.Errorf("seed %d: the timeline has %d spans and marks and lost %d, want %d", seed, ended, lost, want)
		}
		Record(0)
	}
}

// open returns the number of open spans. Snapshots have all but those beyond the limits of a tree.
func open(s Snapshot) (n uint64) {
	for i, l := range allLanes() {
		n += uint64(s.Lanes[i].Open)
		if l.folding != nil {
			n += uint64(len(l.folding.spans))
		}
	}
	return n
}

// check checks the results when nothing runs.
func (p *torture) check(t *testing.T, seed uint64, before Snapshot, witnesses []*witness) {
	s := TakeSnapshot()
	all := s.Totals()
	for _, w := range witnesses {
		w.read()
	}
	near := func(a, b time.Duration) bool { return max(a-b, b-a) < 100*time.Microsecond+b/1000 }
	for i, z := range witnesses[0].zones {
		x := all[z.id]
		if x.Calls != p.calls[i] || z != p.few && x.Timed != x.Calls || x.Histogram.N() != x.Timed {
			t.Errorf("seed %d: zone %d has %d calls, %d timed, %d in the distribution, want %d", seed, i, x.Calls, x.Timed, x.Histogram.N(), p.calls[i])
		}
		for k, w := range witnesses {
			if got := w.sums[i]; got.Calls != x.Calls || got.Timed != x.Timed || w.n[i] != x.Timed {
				t.Errorf("seed %d: zone %d: reader %d has %d calls, %d timed, %d in the distribution, want %d, %d", seed, i, k, got.Calls, got.Timed, w.n[i], x.Calls, x.Timed)
			} else if !near(got.Sum, x.Sum) || !p.leaks && got.Total < x.Total && !near(got.Total, x.Total) {
				// Totals may be too long if a goroutine was interrupted while it ended a span: a reader saw the span open.
				t.Errorf("seed %d: zone %d: reader %d has %v, %v in all; want %v, %v", seed, i, k, got.Total, got.Sum, x.Total, x.Sum)
			}
		}
	}
	if s.EndedTwice-before.EndedTwice != p.twice || s.EndedElsewhere != before.EndedElsewhere || s.EndedEarly-before.EndedEarly != p.early {
		t.Errorf("seed %d: misuse %d, %d, %d; want %d, 0, %d", seed, s.EndedTwice-before.EndedTwice, s.EndedElsewhere-before.EndedElsewhere,
			s.EndedEarly-before.EndedEarly, p.twice, p.early)
	}
	if p.leaks {
		return // readings include the time of spans that are abandoned later, and parents that count only through their children
	}
	for _, l := range s.Sub(before).Lanes { // self times add up to the total time
		total, self, exact := time.Duration(0), time.Duration(0), true
		for _, n := range l.Nodes {
			self += n.Self
			if n.Parent < 0 && n.Zone != profile.Other { // the time of Other is also in that of the outer spans
				total += n.Total
			}
			exact = exact && n.Zone != int(p.few.id) // or else self times are estimates, which were others before
		}
		if d := total - self; exact && max(d, -d) > time.Duration(len(l.Nodes)) {
			t.Errorf("seed %d: lane %s: %v in all, self times add up to %v", seed, l.Name, total, self)
		}
	}
}
