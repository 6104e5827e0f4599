// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

func TestSpansEndInPanicAndGoexit(t *testing.T) {
	needGoroutines(t)
	outer, inner := NewZone("outer"), NewZone("inner")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer outer.Enter().Exit()
		func() {
			defer func() { recover() }()
			defer inner.Enter().Exit()
			panic("passing")
		}()
	}()
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
	needGoroutines(t)
	if !alone(t) { // spans that other tests left open count as abandoned when their lanes are reused
		return
	}
	amplyBudgeted(t)
	n := 200_000
	if testing.Short() || race.Enabled {
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
		wg.Add(1)
		go func() {
			defer wg.Done()
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
		}()
	}
	wg.Wait()
	s := TakeSnapshot().Sub(before)
	all := s.Totals()
	if all[outer.id].Calls != uint64(n) || all[inner.id].Calls != uint64(n) {
		t.Errorf("%d and %d calls, want %d", all[outer.id].Calls, all[inner.id].Calls, n)
	}
	var total uint64
	var self int64
	lanes.Lock()
	rows := len(lanes.all)
	for _, l := range lanes.all {
		if l.shared {
			continue
		}
		x := l.ledger()
		if x[outer] != nil {
			total += x[outer].total
			self += x[outer].self + int64(x[inner].total)
		}
	}
	lanes.Unlock()
	if int64(total) != self || total == 0 {
		t.Errorf("outer took %d ticks; its self time and inner's total are %d", total, self)
	}
	if s.EndedTwice+s.EndedElsewhere+s.EndedEarly+s.Abandoned != 0 {
		t.Errorf("misuse where there was none: %d ended twice, %d elsewhere, %d early, %d abandoned", s.EndedTwice, s.EndedElsewhere, s.EndedEarly, s.Abandoned)
	}
	t.Logf("%d goroutines, %d lanes", n, rows)
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
		Plot("switched off", 1)
		Frame("switched off")
		SetEnabled(true)
		l.Enter(late).Exit()
		l.Enter(one).Exit() // still off separately
	})
	if of(s, one).Calls != 0 || of(s, other).Calls != 1 || len(s.Zones) != 2 {
		t.Errorf("%+v", s)
	}
	for _, p := range TakeSnapshot().Plots {
		if p.Name == "switched off" {
			t.Error("a plot was noted while all was off")
		}
	}
	one.SetSampling(0)
	_, s = on(t, func(l *Lane) { l.Enter(one).Exit() })
	if of(s, one).Calls != 1 {
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
	if of(s, z).Calls != 1 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestZeroValuesMeasureNothing(t *testing.T) {
	var z Zone
	var l Lane
	real := NewZone("real")
	z.Enter().Exit()
	z.Do(func() {})
	z.Add(time.Second)
	z.SetSampling(2)
	l.Enter(real).Exit()
	l.Enter(&z).Exit()
	l.Add(real, time.Second)
	p := l.Lap(real)
	p.Next(real)
	p.End()
	p.End()
	l.Close()
	Span{}.Exit()
	on(t, func(l *Lane) { l.Enter(&z).Exit() })
	if s := TakeSnapshot().Totals()[real.id]; s.Calls != 0 {
		t.Errorf("%+v", s)
	}
}

func TestDoIsASpanAlsoWhenItPanics(t *testing.T) {
	z := NewZone("do")
	before := TakeSnapshot()
	z.Do(func() { spin(10) })
	func() {
		defer func() { recover() }()
		z.Do(func() { panic("passing") })
	}()
	if s := TakeSnapshot().Sub(before).Totals()[z.id]; s.Calls != 2 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestMisuseIsCountedAndHarmless(t *testing.T) {
	outer, inner := NewZone("outer"), NewZone("inner")
	before := TakeSnapshot()
	_, s := on(t, func(l *Lane) {
		o := l.Enter(outer)
		o.Exit()
		o.Exit()              // ended twice
		nextTick()            // spans of a path are distinguished by their starts
		o = l.Enter(outer)    // the same path, another span
		i := l.Enter(inner)   // never ended here
		o.Exit()              // ends it
		i.Exit()              // too late: counts as ended twice
		Span{}.Exit()         // nothing
		l.Enter(inner).Exit() // works again
	})
	m := TakeSnapshot().Sub(before)
	if m.EndedTwice != 2 || m.EndedEarly != 1 || m.EndedElsewhere != 0 {
		t.Errorf("twice %d, early %d, elsewhere %d", m.EndedTwice, m.EndedEarly, m.EndedElsewhere)
	}
	if of(s, outer).Calls != 2 || of(s, inner).Calls != 2 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestFoldedSpansThatAreForgottenEndWithTheirParent(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("deep")
	before := TakeSnapshot()
	_, s := on(t, func(l *Lane) {
		outer := l.Enter(z)
		var last Span
		for range maxDepth + 100 {
			nextTick() // spans of a path are distinguished by their starts
			last = l.Enter(z)
		}
		nextTick()
		last.Exit()
		last.Exit() // ended twice
		outer.Exit()
		l.Enter(z).Exit()
	})
	m := TakeSnapshot().Sub(before)
	if m.EndedTwice != 1 || m.EndedEarly != maxDepth+99 || of(s, z).Calls != maxDepth+102 || s.Open != 0 {
		t.Errorf("twice %d, early %d, %+v", m.EndedTwice, m.EndedEarly, of(s, z))
	}
}

func TestExitOnAnotherGoroutineLeavesTheSpanOpen(t *testing.T) {
	needGoroutines(t)
	z := NewZone("handed over")
	before := TakeSnapshot()
	sp := z.Enter()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		sp.Exit()
	}()
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

// A goroutine that ends with open spans leaves them on its record. They must not affect the next goroutine on that record.
func TestSpansOfAGoroutineThatHasEndedAreAbandoned(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // what other tests left open is abandoned too
		return
	}
	amplyBudgeted(t)
	leaked, z := NewZone("leaked"), NewZone("z")
	before := TakeSnapshot()
	var wg sync.WaitGroup
	const leaks = 50
	for range leaks {
		wg.Add(1)
		go func() {
			defer wg.Done()
			leaked.Enter()
		}()
		wg.Wait()
	}
	for range 200 { // some of them run on those records
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := z.Enter()
			spin(10)
			s.Exit()
		}()
	}
	wg.Wait()
	s := TakeSnapshot().Sub(before)
	if got := s.Totals()[z.id]; got.Calls != 200 || got.Open != 0 {
		t.Errorf("%+v", got)
	}
	left := s.Totals()[leaked.id]
	if left.Calls != 0 || uint64(left.Open)+s.Abandoned != leaks || s.Abandoned == 0 {
		t.Errorf("%d spans leaked: %d abandoned, %d open, %d calls", leaks, s.Abandoned, left.Open, left.Calls)
	}
	for _, l := range s.Lanes {
		for _, n := range l.Nodes {
			if n.Zone == int(z.id) && n.Calls > 0 && n.Parent >= 0 {
				t.Errorf("a goroutine's span lies in one that an earlier goroutine left open: %+v", n)
			}
		}
	}
}

// Each byte is an operation: below 128 it enters a zone, below 224 it ends one of the spans begun so far, possibly again, and
// otherwise another goroutine tries to end it.
func FuzzAnyOrderOfEnterAndExit(f *testing.F) {
	f.Add([]byte{0, 1, 2, 130, 129, 128})
	f.Add([]byte{0, 0, 0, 128, 128, 200, 1, 1, 223})
	f.Add([]byte{0, 1, 225, 129, 224, 225, 0, 128})
	zones := []*Zone{NewZone("a"), NewZone("b"), NewZone("c"), NewZone("d")}
	f.Fuzz(func(t *testing.T, ops []byte) {
		needGoroutines(t)
		l := laneOf()
		calls, self, total := l.sums(t)
		elsewhere, wrong := misuse.elsewhere.Load(), uint64(0)
		begun := []Span{}
		for _, op := range ops[:min(len(ops), 500)] {
			switch n := len(begun); {
			case op < 128:
				begun = append(begun, zones[op%4].Enter())
			case n == 0:
			case op < 224:
				begun[int(op-128)%n].Exit()
			default:
				at, over := l.at.Get(), make(chan bool)
				go func() { begun[int(op-224)%n].Exit(); close(over) }()
				<-over
				if wrong++; l.at.Get() != at {
					t.Fatal("another goroutine ended a span")
				}
			}
		}
		for i := range begun {
			begun[len(begun)-1-i].Exit()
		}
		calls2, self2, total2 := l.sums(t)
		if n := calls2 - calls; n != uint64(len(begun)) || self2-self > int64(total2-total) || self2 < self {
			t.Fatalf("%d of %d spans counted, self %d of total %d ticks", n, len(begun), self2-self, total2-total)
		}
		if n := misuse.elsewhere.Load() - elsewhere; n != wrong {
			t.Fatalf("%d of %d spans ended on another goroutine were counted", n, wrong)
		}
	})
}

// sums adds up what the lane holds; no span may be open.
func (l *Lane) sums(t *testing.T) (calls uint64, self int64, total uint64) {
	for _, e := range l.ledger() {
		calls += e.calls
		self += e.self
		total += e.total
	}
	if nodeAt(l.at.Get()) != l.tree.root() || l.folding != nil && len(l.folding.spans) > 0 {
		t.Fatal("a span is open that should have ended")
	}
	for id := range l.tree.count.Get() {
		if l.tree.node(id).start.Get() != 0 {
			t.Fatal("a node is open though no span is")
		}
	}
	return calls, self, total
}

func TestMeasuringAllocatesNothing(t *testing.T) {
	amplyBudgeted(t)
	z, few, crowd := NewZone("z"), NewZone("sampled"), NewZone("crowd")
	few.SetSampling(8)
	l := NewLane("l")
	SetDistributions(-1)
	pooled := NewLane("pooled")
	SetDistributions(1 << 30)
	p := l.Lap(z)
	defer p.End()
	loop := NewLoop("f")
	Plot("p", 1)
	deep := NewLane("deep")
	defer deep.Close()
	for range maxDepth + 2 {
		deep.Enter(z)
	}
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"Enter and Exit", func() { z.Enter().Exit() }},
		{"a deferred span", func() { defer z.Enter().Exit() }},
		{"on a lane", func() { l.Enter(z).Exit() }},
		{"with a pooled distribution", func() { pooled.Enter(crowd).Exit() }},
		{"sampled", func() { few.Enter().Exit() }},
		{"sampled, behind Due", func() {
			if few.Due() {
				few.Enter().Exit()
			}
		}},
		{"folded", func() { deep.Enter(z).Exit() }},
		{"Lap.Next", func() { p.Next(z) }},
		{"Add", func() { z.Add(time.Millisecond) }},
		{"Do", func() { z.Do(func() {}) }},
		{"Loop.Frame", loop.Frame},
		{"Frame", func() { Frame("f") }},
		{"Plot", func() { Plot("p", 1) }},
		{"Message", func() { Message("m") }},
	} {
		c.do()
		time.Sleep(2 * time.Millisecond) // the clock has been calibrated
		for range 1000 {
			c.do() // the distribution has all its cells
		}
		if n := testing.AllocsPerRun(1000, c.do); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
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
			p.End() // the lap has ended already
			o.Exit()
		}
	})
	x := l.ledger()
	if phases := int64(x[a].total + x[b].total); int64(x[outer].total) != x[outer].self+phases {
		t.Errorf("outer %d ticks, self %d, phases %d", x[outer].total, x[outer].self, phases)
	}
	if int64(x[b].total) != x[b].self+int64(x[inside].total) {
		t.Errorf("phase b %d ticks, self %d, inside %d", x[b].total, x[b].self, x[inside].total)
	}
	if of(s, a).Calls != 20 || of(s, b).Calls != 10 || s.Open != 0 {
		t.Errorf("%+v", s)
	}
}

func TestEachPhaseIsInTheDistribution(t *testing.T) {
	for name, l := range map[string]*Lane{"own": newNamedLane("l"), "pooled": pooledLane("l")} {
		a, b := NewZone("a"), NewZone("b")
		var d [2]time.Duration
		for n := range 100 {
			p := l.Lap(a)
			p.Next(b)
			if n == 50 { // a sleep ends by the system's time, which may have steps of milliseconds
				for began := clock.Now(); clock.Since(began) < time.Millisecond+10*time.Microsecond; {
				}
			}
			p.Next(a)
			p.Next(b)
			p.End()
		}
		all := TakeSnapshot().Totals()
		for i, z := range []*Zone{a, b} {
			x := all[z.id]
			if x.Calls != 200 || x.Histogram.N() != 200 {
				t.Errorf("%s: %d of %d phases are in the distribution", name, x.Histogram.N(), x.Calls)
			}
			d[i] = x.Max
		}
		if d[1] < time.Millisecond || all[a.id].Total+all[b.id].Total < d[1] {
			t.Errorf("%s: the longest phases are %v and %v", name, d[0], d[1])
		}
	}
}

func TestLapsPassOverZonesThatAreOff(t *testing.T) {
	off, few, on := NewZone("off"), NewZone("sampled"), NewZone("on")
	count := func(start func(*Zone) Lap) {
		off.SetSampling(1)
		few.SetSampling(1)
		p := start(off) // their paths have nodes before the zone is switched
		p.Next(few)
		p.End()
		off.SetSampling(-1)
		few.SetSampling(4)
		before := TakeSnapshot()
		for range 400 {
			p := start(off)
			p.Next(on)
			p.Next(few)
			p.Next(on)
			p.Next(off)
			p.Next(on)
			p.End()
		}
		all := TakeSnapshot().Sub(before).Totals()
		if all[off.id].Calls != 0 || all[few.id].Calls != 400 || all[on.id].Calls != 1200 || all[on.id].Open != 0 {
			t.Errorf("off %d, sampled %d, on %d calls", all[off.id].Calls, all[few.id].Calls, all[on.id].Calls)
		}
		if n := all[few.id].Timed; n > 300 && stamp.HasGoroutine { // a shared lane times all calls
			t.Errorf("%d of 400 sampled phases were timed", n)
		}
	}
	count(StartLap)
	l := NewLane("lap")
	count(l.Lap)
}

func TestALapOnAnotherGoroutineLeavesThePhaseAlone(t *testing.T) {
	needGoroutines(t)
	a, b := NewZone("a"), NewZone("b")
	before := TakeSnapshot()
	p := StartLap(a)
	there := make(chan profile.LaneInfo)
	go func() {
		q := p
		q.Next(b)
		q.End()
		there <- laneOf().info()
	}()
	theirs := <-there
	p.End()
	s := TakeSnapshot().Sub(before)
	if s.EndedElsewhere != 1 || s.Totals()[a.id].Calls != 1 || s.Totals()[b.id].Calls != 1 {
		t.Errorf("elsewhere %d, %d and %d calls", s.EndedElsewhere, s.Totals()[a.id].Calls, s.Totals()[b.id].Calls)
	}
	for _, l := range s.Lanes {
		if of(l, b).Calls > 0 && l.ID != theirs.ID {
			t.Error("Next wrote to the lane of another goroutine")
		}
	}
}
