// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// on runs f on a lane of its own and returns what was measured there. Without lanes by goroutine it makes one by hand.
func on(t *testing.T, f func(l *Lane)) (*Lane, LaneStats) {
	t.Helper()
	l := NewLane(t.Name())
	f(l)
	for _, s := range TakeSnapshot().Lanes {
		if s.ID == l.id {
			return l, s
		}
	}
	t.Fatal("the lane is not in the snapshot")
	return nil, LaneStats{}
}

func (l LaneStats) of(z *Zone) ZoneStats {
	for _, s := range l.Zones {
		if s.Zone == int(z.id) {
			return s
		}
	}
	return ZoneStats{}
}

// ticksOf adds up what the lane holds, in ticks.
func (l *Lane) ticksOf(zones ...*Zone) (total, self uint64) {
	for _, z := range zones {
		if a := (*l.accounts.Load())[z.id].Load(); a != nil {
			total += a.total.get()
			self += a.self.get()
		}
	}
	return total, self
}

func spin(n int) { sink.Store(kernel(1, n)) }

func TestTotalIsSelfAndTotalsInsideToTheTick(t *testing.T) {
	outer, a, b, leaf := NewZone("outer"), NewZone("a"), NewZone("b"), NewZone("leaf")
	l, s := on(t, func(l *Lane) {
		for range 100 {
			o := l.Enter(outer)
			spin(10)
			x := l.Enter(a)
			for range 3 {
				y := l.Enter(leaf)
				spin(5)
				y.Exit()
			}
			x.Exit()
			y := l.Enter(b)
			spin(20)
			y.Exit()
			o.Exit()
		}
	})
	total, self := l.ticksOf(outer)
	inner, _ := l.ticksOf(a, b)
	if total != self+inner {
		t.Errorf("total of outer is %d ticks, self %d, totals inside %d", total, self, inner)
	}
	total, self = l.ticksOf(a)
	inner, _ = l.ticksOf(leaf)
	if total != self+inner {
		t.Errorf("total of a is %d ticks, self %d, totals inside %d", total, self, inner)
	}
	if s.of(outer).Calls != 100 || s.of(leaf).Calls != 300 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestRecursionCountsItsTotalOnce(t *testing.T) {
	z := NewZone("recursive")
	var down func(l *Lane, n int)
	down = func(l *Lane, n int) {
		defer l.Enter(z).Exit()
		spin(20)
		if n > 0 {
			down(l, n-1)
		}
	}
	for _, depth := range []int{1, 5, visible - 2, visible, 3 * visible} {
		l, s := on(t, func(l *Lane) { down(l, depth) })
		total, self := l.ticksOf(z)
		if total != self || total == 0 || s.of(z).Calls != uint64(depth+1) || s.Open != 0 {
			t.Errorf("depth %d: total %d, self %d ticks, %+v", depth, total, self, s.of(z))
		}
	}
}

func TestSelfTimesAddUpToTheRootWhateverTheNesting(t *testing.T) {
	zones := make([]*Zone, 6)
	for i := range zones {
		zones[i] = NewZone(fmt.Sprint("z", i))
	}
	root := NewZone("root")
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		calls := uint64(0)
		var grow func(l *Lane, depth int)
		grow = func(l *Lane, depth int) {
			for range rng.IntN(4) {
				calls++
				s := l.Enter(zones[rng.IntN(len(zones))])
				spin(rng.IntN(10))
				if depth < 2*visible && rng.IntN(5) > 0 {
					grow(l, depth+1+rng.IntN(3))
				}
				s.Exit()
			}
		}
		l, s := on(t, func(l *Lane) {
			r := l.Enter(root)
			grow(l, 0)
			r.Exit()
		})
		total, self := l.ticksOf(root)
		for _, z := range zones {
			if int(z.id) < len(*l.accounts.Load()) {
				_, inner := l.ticksOf(z)
				self += inner
				calls -= s.of(z).Calls
			}
		}
		if total != self || calls != 0 {
			t.Fatalf("the root took %d ticks, all self times together %d; %d calls are missing", total, self, calls)
		}
	}
}

func TestSpansEndInPanicAndGoexit(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	outer, inner := NewZone("outer"), NewZone("inner")
	var wg sync.WaitGroup
	wg.Go(func() {
		defer outer.Enter().Exit()
		func() {
			defer func() { recover() }()
			defer inner.Enter().Exit()
			panic("passing")
		}()
	})
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer outer.Enter().Exit()
		defer inner.Enter().Exit()
		runtime.Goexit()
	}()
	wg.Wait()
	all := TakeSnapshot().Totals()
	for _, z := range []*Zone{outer, inner} {
		if s := all[z.id]; s.Calls != 2 || s.Open != 0 {
			t.Errorf("%s: %+v", z.name, s)
		}
	}
}

func TestSumsAreExactOverManyGoroutines(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	outer, inner := NewZone("outer"), NewZone("inner")
	before := TakeSnapshot()
	var deep func(n int) int // grows the stack inside the span
	deep = func(n int) int {
		var pad [128]byte
		if n == 0 {
			return int(pad[0])
		}
		return deep(n-1) + int(pad[n%128])
	}
	limit := make(chan struct{}, 64)
	var wg sync.WaitGroup
	for i := range n {
		limit <- struct{}{}
		wg.Go(func() {
			o := outer.Enter()
			runtime.Gosched()
			x := inner.Enter()
			deep(i % 64)
			if i%10_000 == 0 {
				runtime.GC()
			}
			runtime.Gosched()
			x.Exit()
			o.Exit()
			<-limit
		})
	}
	wg.Wait()
	s := TakeSnapshot().Sub(before)
	all := s.Totals()
	if all[outer.id].Calls != uint64(n) || all[inner.id].Calls != uint64(n) {
		t.Errorf("%d and %d calls, want %d", all[outer.id].Calls, all[inner.id].Calls, n)
	}
	var total, self uint64
	lanes.Lock()
	rows := len(lanes.all)
	for _, l := range lanes.all {
		if int(inner.id) < len(*l.accounts.Load()) && !l.shared {
			o, os := l.ticksOf(outer)
			i, _ := l.ticksOf(inner)
			total += o
			self += os + i
		}
	}
	lanes.Unlock()
	if total != self || total == 0 {
		t.Errorf("outer took %d ticks; its self time and inner's total are %d", total, self)
	}
	if s.EndedTwice+s.EndedElsewhere+s.EndedEarly != 0 {
		t.Errorf("misuse where there was none: %+v", s)
	}
	t.Logf("%d goroutines, %d lanes", n, rows)
}

func TestSamplingCountsEveryCall(t *testing.T) {
	z := NewZone("sampled")
	z.SetSampling(64)
	const n = 100_000
	_, s := on(t, func(l *Lane) {
		for range n {
			l.Enter(z).Exit()
		}
	})
	if c := s.of(z); c.Calls != n || c.Timed < n/64/2 || c.Timed > n/64*2 {
		t.Errorf("%d calls, %d timed; want %d and about %d", c.Calls, c.Timed, n, n/64)
	}
	z.SetSampling(1)
	_, s = on(t, func(l *Lane) { l.Enter(z).Exit() })
	if c := s.of(z); c.Calls != 1 || c.Timed != 1 {
		t.Errorf("after sampling ended: %+v", c)
	}
}

func TestSampledZoneOnAGoroutineCountsEveryCall(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	z := NewZone("sampled")
	z.SetSampling(16)
	const goroutines, calls = 300, 1000 // more than are near
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for i := range calls {
				z.Enter().Exit()
				if i == calls/2 {
					runtime.Gosched() // they live at the same time
				}
			}
		})
	}
	wg.Wait()
	if c := TakeSnapshot().Totals()[z.id]; c.Calls != goroutines*calls || c.Timed < goroutines*calls/32 || c.Timed > goroutines*calls/8 {
		t.Errorf("%+v", c)
	}
}

func TestSwitchedOffNothingIsCounted(t *testing.T) {
	one, other := NewZone("one"), NewZone("other")
	one.SetSampling(-1)
	_, s := on(t, func(l *Lane) {
		l.Enter(one).Exit()
		l.Enter(other).Exit()
		SetEnabled(false)
		l.Enter(other).Exit()
		late := NewZone("late")
		l.Enter(late).Exit()
		SetEnabled(true)
		l.Enter(late).Exit()
		l.Enter(one).Exit() // still off by itself
	})
	if s.of(one).Calls != 0 || s.of(other).Calls != 1 || len(s.Zones) != 2 {
		t.Errorf("%+v", s)
	}
	one.SetSampling(0)
	_, s = on(t, func(l *Lane) { l.Enter(one).Exit() })
	if s.of(one).Calls != 1 {
		t.Error("the zone stayed off")
	}
}

func TestSpanOpenWhenSwitchedOffEnds(t *testing.T) {
	z := NewZone("z")
	_, s := on(t, func(l *Lane) {
		sp := l.Enter(z)
		z.SetSampling(-1)
		sp.Exit()
	})
	if s.of(z).Calls != 1 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLapPhasesFillTheirSpan(t *testing.T) {
	outer, a, b, inside := NewZone("outer"), NewZone("a"), NewZone("b"), NewZone("inside")
	l, s := on(t, func(l *Lane) {
		for range 10 {
			o := l.Enter(outer)
			p := l.Lap(a)
			spin(10)
			p.Next(b)
			x := l.Enter(inside)
			spin(10)
			x.Exit()
			p.Next(a)
			spin(5)
			p.End()
			p.End() // of a lap that has ended
			o.Exit()
		}
	})
	total, self := l.ticksOf(outer)
	phases, _ := l.ticksOf(a, b)
	if total != self+phases {
		t.Errorf("outer %d ticks, self %d, phases %d", total, self, phases)
	}
	bTotal, bSelf := l.ticksOf(b)
	in, _ := l.ticksOf(inside)
	if bTotal != bSelf+in {
		t.Errorf("phase b %d ticks, self %d, inside %d", bTotal, bSelf, in)
	}
	if s.of(a).Calls != 20 || s.of(b).Calls != 10 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestMisuseIsCountedAndHarmless(t *testing.T) {
	outer, inner := NewZone("outer"), NewZone("inner")
	before := TakeSnapshot()
	_, s := on(t, func(l *Lane) {
		o := l.Enter(outer)
		o.Exit()
		o.Exit()              // twice
		o = l.Enter(outer)    // same depth, another span
		i := l.Enter(inner)   // never ended
		o.Exit()              // ends it
		i.Exit()              // too late: counts as ended twice
		Span{}.Exit()         // nothing
		l.Enter(inner).Exit() // and all is well again
	})
	m := TakeSnapshot().Sub(before)
	if m.EndedTwice != 2 || m.EndedEarly != 1 || m.EndedElsewhere != 0 {
		t.Errorf("twice %d, early %d, elsewhere %d", m.EndedTwice, m.EndedEarly, m.EndedElsewhere)
	}
	if s.of(outer).Calls != 2 || s.of(inner).Calls != 2 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestExitOnAnotherGoroutineLeavesTheSpanOpen(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	z := NewZone("handed over")
	before := TakeSnapshot()
	sp := z.Enter()
	var wg sync.WaitGroup
	wg.Go(func() { sp.Exit() })
	wg.Wait()
	s := TakeSnapshot().Sub(before)
	if s.EndedElsewhere != 1 || s.Totals()[z.id].Open != 1 || s.Totals()[z.id].Calls != 0 {
		t.Errorf("elsewhere %d, %+v", s.EndedElsewhere, s.Totals()[z.id])
	}
	sp.Exit()
	if c := TakeSnapshot().Totals()[z.id]; c.Calls != 1 || c.Open != 0 {
		t.Errorf("%+v", c)
	}
}

// Each byte is an operation: below 128 a zone is entered, below 224 one of the spans begun so far is ended, perhaps not for
// the first time, and from there on another goroutine tries to.
func FuzzAnyOrderOfEnterAndExit(f *testing.F) {
	f.Add([]byte{0, 1, 2, 130, 129, 128})
	f.Add([]byte{0, 0, 0, 128, 128, 200, 1, 1, 223})
	f.Add([]byte{0, 1, 225, 129, 224, 225, 0, 128})
	zones := []*Zone{NewZone("a"), NewZone("b"), NewZone("c"), NewZone("d")}
	f.Fuzz(func(t *testing.T, ops []byte) {
		var l *Lane
		enter := func(z *Zone) Span { return l.Enter(z) }
		if l = NewLane("fuzz"); hasG {
			l = laneOf(getg())
			enter = (*Zone).Enter
		}
		calls, self, total := l.sums(t)
		elsewhere, wrong := misuse.elsewhere.Load(), uint64(0)
		begun := []Span{}
		for _, op := range ops[:min(len(ops), 500)] {
			switch n := len(begun); {
			case op < 128:
				begun = append(begun, enter(zones[op%4]))
			case n == 0:
			case op < 224:
				begun[int(op-128)%n].Exit()
			case hasG:
				depth, over := l.depth.get(), make(chan bool)
				go func() { begun[int(op-224)%n].Exit(); close(over) }()
				<-over
				if wrong++; l.depth.get() != depth {
					t.Fatalf("ended by another goroutine: depth %d, was %d", l.depth.get(), depth)
				}
			}
			if l.depth.get() < 1 || l.depth.get() > uint64(len(begun))+1 {
				t.Fatalf("depth %d with %d spans begun", l.depth.get(), len(begun))
			}
		}
		for i := range begun {
			begun[len(begun)-1-i].Exit()
		}
		calls2, self2, total2 := l.sums(t)
		if n := calls2 - calls; l.depth.get() != 1 || n != uint64(len(begun)) || self2-self > total2-total {
			t.Fatalf("depth %d, %d of %d spans counted, self %d of total %d ticks", l.depth.get(), n, len(begun), self2-self, total2-total)
		}
		if n := misuse.elsewhere.Load() - elsewhere; n != wrong {
			t.Fatalf("%d of %d spans ended on another goroutine were counted", n, wrong)
		}
	})
}

// sums adds up the lane's accounts, none of which may be open.
func (l *Lane) sums(t *testing.T) (calls, self, total uint64) {
	table := *l.accounts.Load()
	for i := range table {
		if a := table[i].Load(); a != nil {
			calls += a.calls.get()
			self += a.self.get()
			total += a.total.get()
			if a.outer.get() != 0 {
				t.Fatal("a zone is open though no span is")
			}
		}
	}
	return calls, self, total
}

func TestMeasuringAllocatesNothing(t *testing.T) {
	z, sampled := NewZone("z"), NewZone("sampled")
	sampled.SetSampling(8)
	l := NewLane("l")
	p := l.Lap(z)
	defer p.End()
	Frame("f")
	Plot("p", 1)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Enter and Exit", func() { z.Enter().Exit() }},
		{"a deferred span", func() { defer z.Enter().Exit() }},
		{"on a lane", func() { l.Enter(z).Exit() }},
		{"sampled", func() { sampled.Enter().Exit() }},
		{"Lap.Next", func() { p.Next(z) }},
		{"Plot", func() { Plot("p", 1) }},
		{"Message", func() { Message("m") }},
	} {
		c.do()
		time.Sleep(2 * time.Millisecond) // the clock has started up
		for range 1000 {
			c.do() // the distribution has grown
		}
		if n := testing.AllocsPerRun(1000, c.do); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
	}
}
