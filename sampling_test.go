// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

func TestSamplingCountsEveryCall(t *testing.T) {
	z := NewZone("sampled")
	z.SetSampling(64)
	const n = 100_000
	_, s := on(t, func(l *Lane) {
		for range n {
			l.Enter(z).Exit()
		}
	})
	if c := of(s, z); c.Calls != n || c.Timed < n/64/2 || c.Timed > n/64*2 || c.Histogram.N() != c.Timed {
		t.Errorf("%d calls, %d timed, %d in the distribution; want %d and about %d", c.Calls, c.Timed, c.Histogram.N(), n, n/64)
	}
	z.SetSampling(1)
	_, s = on(t, func(l *Lane) { l.Enter(z).Exit() })
	if c := of(s, z); c.Calls != 1 || c.Timed != 1 {
		t.Errorf("after sampling ended: %+v", c)
	}
}

func TestNoCallOfAZoneThatIsOffIsDue(t *testing.T) {
	z := NewZone("off")
	is := func(want bool, when string) {
		t.Helper()
		if z.Due() != want {
			t.Errorf("%s: Due is %v", when, !want)
		}
	}
	is(true, "new")
	z.SetSampling(-1)
	is(false, "off")
	z.SetSampling(1)
	is(true, "on again")
	if new(Zone).Due() {
		t.Error("a call of the zero Zone is due")
	}
}

// Of calls behind Due as many are timed, and all are counted, also those of goroutines that the zone does not know yet.
func TestCallsThatAreNotDueCount(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	z := NewZone("due")
	z.SetSampling(16)
	const goroutines, calls = 100, 1000
	var timed atomic.Uint64
	var wg sync.WaitGroup
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range calls {
				if z.Due() {
					s := z.Enter()
					if s.lane != nil {
						timed.Add(1)
					}
					s.Exit()
				}
				if i%100 == 0 {
					runtime.Gosched() // so that they exist at the same time
				}
			}
		}()
	}
	wg.Wait()
	c := TakeSnapshot().Totals()[z.id]
	if c.Calls != goroutines*calls || c.Timed != timed.Load() || c.Timed < goroutines*calls/32 || c.Timed > goroutines*calls/8 {
		t.Errorf("%d calls, %d timed, %d spans; want %d and about %d", c.Calls, c.Timed, timed.Load(), goroutines*calls, goroutines*calls/16)
	}
}

func TestSampledZoneOnAGoroutineCountsEveryCall(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // later tests need not read its lanes
		return
	}
	amplyBudgeted(t)
	z := NewZone("sampled")
	z.SetSampling(16)
	const goroutines, calls = 1000, 1000 // more than the first table has places
	var wg sync.WaitGroup
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range calls {
				z.Enter().Exit()
				if i%100 == 0 {
					runtime.Gosched() // so that they exist at the same time
				}
			}
		}()
	}
	wg.Wait()
	if c := TakeSnapshot().Totals()[z.id]; c.Calls != goroutines*calls || c.Timed < goroutines*calls/32 || c.Timed > goroutines*calls/8 {
		t.Errorf("%+v", c)
	}
}

// Estimates do not change when the sampling changes, and a cumulative total never decreases.
func TestAnEstimateIsNotRewrittenWhenSamplingChanges(t *testing.T) {
	race.Sequential(t)
	z := NewZone("phases")
	l := newNamedLane("phases")
	call := func(n int, d time.Duration) {
		for range n {
			s := l.Enter(z)
			if s.lane != nil {
				for at := time.Now(); time.Since(at) < d; {
				}
			}
			s.Exit()
		}
	}
	last := time.Duration(0)
	check := func(want time.Duration) {
		t.Helper()
		x := of(laneIn(t, TakeSnapshot(), l), z)
		if x.Total < last {
			t.Errorf("the total fell from %v to %v", last, x.Total)
		}
		last = x.Total
		if x.Total < want*8/10 {
			t.Errorf("%v in all, want about %v", x.Total, want)
		}
	}
	z.SetSampling(0)
	call(20, time.Millisecond)
	check(20 * time.Millisecond)
	z.SetSampling(64)
	call(64_000, 20*time.Microsecond) // as if each took that long; about 1000 are timed
	check(20*time.Millisecond + 1280*time.Millisecond)
	z.SetSampling(0)
	call(5, time.Millisecond)
	check(25*time.Millisecond + 1280*time.Millisecond)
	if x := of(laneIn(t, TakeSnapshot(), l), z); x.Calls != 64_025 {
		t.Errorf("%d calls", x.Calls)
	}
}

// Each timed call represents itself and the calls skipped after it; the first also represents those before it.
func TestEstimatesAddUpToTheTick(t *testing.T) {
	race.Sequential(t)
	for _, again := range []bool{false, true} {
		z := NewZone("z")
		z.SetSampling(8)
		had := floorTicks.Swap(0)
		defer floorTicks.Store(had)
		l := newNamedLane("estimates")
		n := l.tree.grow(l.tree.root(), z, l.pooled)
		s := l.sampled(z)
		var calls, before, last, sum, total uint64
		for i := range 5000 {
			calls++
			if !s.skip(l) {
				last = 1000 + uint64(i)%977*1000
				sum += last
				total += last
				if n.calls.Get() == 0 {
					sum += before * last
				}
				n.calls.Set(n.calls.Get() + 1)
				n.total.Set(n.total.Get() + last)
				s.end(l, standInOn(n, n.parent, false), last, again)
			} else if n.calls.Get() == 0 {
				before++
			} else {
				sum += last
			}
			if n.calls.Get() > 0 && (i%2500 == 0 || i > 4970) {
				s := TakeSnapshot()
				floorTicks.Store(0) // which every snapshot measures
				x := of(laneIn(t, s, l), z)
				inAll := sum
				if again { // of calls within another call of the zone, only the timed calls of this tree do not count
					inAll = total
				}
				near := func(d time.Duration, ticks uint64) bool {
					return math.Abs(float64(d)-float64(ticks)*s.NsPerTick) <= 2+1e-9*float64(d)
				}
				if x.Calls != calls || x.Timed != n.calls.Get() || !near(x.Sum, sum) || !near(x.Total, inAll) {
					t.Fatalf("%d calls of %d ticks, of which %d count, are estimated as %+v", calls, sum, inAll, x)
				}
			}
		}
	}
}

// Most of the duration of a short span is the cost of the readings, which calls that are not timed do not have.
func TestCallsThatAreNotTimedAreEstimatedWithoutTheFloor(t *testing.T) {
	had := floorTicks.Load()
	defer floorTicks.Store(had)
	floorTicks.Store(25)
	last := uint64(0)
	for d := range uint64(200) {
		e := estimate(d)
		switch {
		case d <= 25 && e != 0:
			t.Errorf("a call that reads %d ticks, no more than an empty one, is estimated at %d", d, e)
		case d >= 50 && e != d:
			t.Errorf("a long call that reads %d ticks is estimated at %d", d, e)
		case e < last || e > last+2 || e > d:
			t.Errorf("%d ticks are estimated at %d, one less at %d", d, e, last)
		}
		last = e
	}
	if floorTicks.Store(0); estimate(7) != 7 {
		t.Error("without a floor a call takes what it reads")
	}
}

func TestGapsHaveTheirMean(t *testing.T) {
	race.Sequential(t)
	l := &Lane{random: 1}
	for _, every := range []uint64{2, 16, 64, 1000} {
		sum := 0.0
		const n = 200_000
		for range n {
			g := l.gap(every)
			if g > 2*every-2 {
				t.Fatalf("gap %d with one in %d", g, every)
			}
			sum += float64(g)
		}
		if mean := sum / n; math.Abs(mean-float64(every-1)) > 0.01*float64(every) {
			t.Errorf("one in %d: mean gap %v", every, mean)
		}
	}
}

// A call that is skipped does not wake its lane: readings count it all the same.
func TestReadingsOfSampledZonesAddUpWhileLanesSleep(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	by := map[string]func(z *Zone){"goroutine": func(z *Zone) { z.Enter().Exit() }}
	l := newNamedLane("skipping")
	by["lane"] = func(z *Zone) { l.Enter(z).Exit() }
	for name, call := range by {
		z, twin := NewZone("few"), NewZone("few too")
		z.SetSampling(1 << 30)
		twin.SetSampling(1 << 30)
		r := NewReader()
		calls, sum := [2]uint64{}, [2]uint64{}
		read := func() {
			s := r.Read().Totals()
			sum[0] += s[z.id].Calls
			sum[1] += s[twin.id].Calls
			if sum != calls {
				t.Fatalf("%s: readings add up to %d calls, want %d", name, sum, calls)
			}
		}
		for turn := range 20 {
			for range turn * 100 {
				call(z)
				calls[0]++
				if turn%3 == 0 {
					call(twin)
					calls[1]++
				}
			}
			for range turn % 6 { // the lane falls asleep in between
				read()
			}
		}
		read()
	}
}

// A goroutine may be interrupted in its first call of a sampled zone while readers put its lane to sleep, since they do not know
// that calls are skipped there.
func TestALaneThatSkipsItsFirstSampledCallIsAwake(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("first")
	z.SetSampling(1 << 30)
	l := newNamedLane("interrupted")
	r := NewReader()
	lanes.Lock()
	l.key.Store(0)
	l.awake = false
	lanes.awake = slices.DeleteFunc(lanes.awake, func(x *Lane) bool { return x == l })
	lanes.Unlock()
	l.enter(z, sampled, 0)
	for range 3 {
		l.Enter(z).Exit()
	}
	if got := r.Read().Totals()[z.id].Calls; got != 4 {
		t.Errorf("%d calls, want 4", got)
	}
}

// A reading may fall between any two stores of a call that ends a gap.
func TestSkippedCallsAreCountedOnceWhileAGapEnds(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("gaps")
	z.SetSampling(1 << 20)
	l := newNamedLane("gaps")
	r := NewReader()
	l.Enter(z).Exit()
	s := l.sampled(z)
	sum, calls := uint64(0), uint64(1)
	read := func() {
		l.wake(l.hand)
		if sum += r.Read().Totals()[z.id].Calls; sum > calls {
			t.Fatalf("readings add up to %d calls, and there were %d", sum, calls)
		}
	}
	for i := range uint64(10) {
		s.left.Load().left.Set(0)
		s.gap.Set(100 * i)
		calls = s.calls.Get() + 100*i
		read()
		n := s.gap.Get()
		for _, store := range []func(){func() { s.gap.Set(0) }, func() { s.calls.Set(s.calls.Get() + n) }, func() { s.left.Load().left.Set(50) },
			func() { s.gap.Set(50) }} {
			store()
			read()
		}
		if sum != calls {
			t.Fatalf("readings add up to %d calls, want %d", sum, calls)
		}
	}
}

// Workers make bursts of calls, most of which are skipped, and sleep. The sum of readings at any time is what happened.
func TestReadingsOfBurstsAddUp(t *testing.T) {
	needThreads(t)
	needGoroutines(t)
	amplyBudgeted(t)
	z := NewZone("bursts")
	z.SetSampling(1024)
	readers := []*Reader{NewReader(), NewReader()}
	sums := make([]profile.ZoneStats, len(readers))
	add := func(i int) {
		x := readers[i].Read().Totals()[z.id]
		sums[i].Calls += x.Calls
		sums[i].Timed += x.Timed
		sums[i].Total += x.Total
		sums[i].Sum += x.Sum
		sums[i].Open += int(x.Histogram.N()) // the number of durations
	}
	var work, reads sync.WaitGroup
	var stop atomic.Bool
	for i := range readers {
		reads.Add(1)
		go func() {
			defer reads.Done()
			for !stop.Load() {
				add(i)
				runtime.Gosched()
			}
		}()
	}
	const workers, bursts, calls = 8, 30, 300
	for range workers {
		work.Add(1)
		go func() {
			defer work.Done()
			for range bursts {
				for range calls {
					s := z.Enter()
					if s.lane != nil {
						runtime.Gosched()
					}
					s.Exit()
				}
				for begin := passes(); passes()-begin < 5; { // its lane falls asleep
					runtime.Gosched()
				}
			}
		}()
	}
	work.Wait()
	stop.Store(true)
	reads.Wait()
	want := TakeSnapshot().Totals()[z.id]
	near := func(a, b time.Duration) bool { return math.Abs(float64(a-b)) <= 1e-3*float64(b)+1000 }
	for i, got := range sums {
		add(i)
		got = sums[i]
		if got.Calls != workers*bursts*calls || want.Calls != got.Calls || got.Timed != want.Timed || got.Open != int(got.Timed) {
			t.Errorf("reader %d: %d calls, %d timed, %d durations; a snapshot has %d and %d", i, got.Calls, got.Timed, got.Open, want.Calls, want.Timed)
		}
		if !near(got.Sum, want.Sum) || !near(got.Total, want.Total) {
			t.Errorf("reader %d: %v, %v in all; a snapshot has %v, %v", i, got.Sum, got.Total, want.Sum, want.Total)
		}
	}
}

// passes returns how many readings there have been.
func passes() uint64 {
	watched.Lock()
	defer watched.Unlock()
	return watched.pass
}

// Paths come one by one. Copying what is known of the others each time took several times what the calls did.
func TestAZoneThatIsSampledFromTheBeginningMakesRoomSeldom(t *testing.T) {
	amplyBudgeted(t)
	var zones [100]*Zone // with more paths than a tree has
	for i := range zones {
		zones[i] = NewZone("path")
		zones[i].SetSampling(2)
	}
	l := newNamedLane("paths")
	tables := map[*[]beyond]bool{}
	for range 8 { // until each path was timed, most likely
		for _, outer := range zones {
			s := l.Enter(outer)
			for _, inner := range zones {
				l.Enter(inner).Exit()
				tables[l.beyond.Load()] = true
			}
			s.Exit()
		}
	}
	if paths := l.tree.count.Get(); paths <= maxNodes || len(tables) > 20 {
		t.Errorf("%d tables for %d paths, want at most 20 for more than %d", len(tables), paths, maxNodes)
	}
}

// What a call that is not timed costs is subtracted, and zones are left out by it, so that it must be neither none nor that of a span.
func TestACallThatIsNotTimedCostsLessThanASpan(t *testing.T) {
	const tries = 9
	between := 0
	for range tries {
		c := calibrate()
		if c.cost == 0 {
			t.Fatalf("%+v", c)
		}
		if stamp.Record() == 0 { // it cannot be measured, and that of a span is taken
			if c.skipped < c.cost-1 || c.skipped > c.cost+1 {
				t.Errorf("%+v", c)
			}
			between++
		} else if c.skipped > 0 && c.skipped < c.cost {
			between++
		} else {
			t.Logf("%+v", c)
		}
	}
	if between <= tries/2 {
		t.Errorf("in %d of %d", between, tries)
	}
}

// Sampling begins and ends while a goroutine calls the zone: no call is lost.
func TestCallsAreCountedWhileSamplingBeginsAndEnds(t *testing.T) {
	const calls = 2_000_000
	z := NewZone("toggled")
	z.SetSampling(50)
	var stop atomic.Bool
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for i := 0; !stop.Load(); i++ {
			z.SetSampling([]int{1, 50}[i%2])
		}
	}()
	for range calls {
		z.Enter().Exit()
	}
	stop.Store(true)
	<-ended
	if x := TakeSnapshot().Totals()[z.id]; x.Calls != calls {
		t.Errorf("%d calls, want %d", x.Calls, calls)
	}
}

// A tick may be no whole number of nanoseconds, and times of nodes are rounded one by one.
func TestASumIsRoundedAsTheTotal(t *testing.T) {
	r := converter{scratch: new(scratch), rate: 0.4}
	z := zoneSum{total: 4, sum: 4, guess: guess{total: 4, sum: 4}, rounded: true, time: 1}
	if x := r.convert(&z); x.Total != 2 || x.Sum != x.Total {
		t.Errorf("sum %d ns, total %d ns", x.Sum, x.Total)
	}
	z.sum = 10 // it is recursive
	if x := r.convert(&z); x.Sum != 5 {
		t.Errorf("sum %d ns", x.Sum)
	}
}
