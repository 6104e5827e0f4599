// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// The sum of what a Reader returns is all that happened, whichever lanes sleep and wake meanwhile.
func TestWhatAReaderReturnsAddsUp(t *testing.T) {
	needThreads(t)
	needGoroutines(t)
	amplyBudgeted(t)
	outer, inner, few := NewZone("outer"), NewZone("inner"), NewZone("few")
	few.SetSampling(4)
	first, second := NewReader(), NewReader()
	var stop atomic.Bool
	var calls atomic.Uint64
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := 0; !stop.Load(); n++ {
				o := outer.Enter()
				inner.Enter().Exit()
				few.Enter().Exit()
				o.Exit()
				calls.Add(1)
				for range i * 20 { // some lanes sleep between two calls
					runtime.Gosched()
				}
			}
		}()
	}
	var got [3]uint64
	read := func(r *Reader) {
		s := r.Read()
		all := s.Totals()
		for i, z := range []*Zone{outer, inner, few} {
			got[i] += all[z.id].Calls
		}
	}
	readings := 300
	if race.Enabled {
		readings = 100
	}
	for range readings {
		read(first)
		runtime.Gosched()
	}
	stop.Store(true)
	wg.Wait()
	read(first)
	if n := calls.Load(); got != [3]uint64{n, n, n} {
		t.Errorf("%v calls, want %d of each", got, n)
	}
	got = [3]uint64{}
	read(second)
	if n := calls.Load(); got != [3]uint64{n, n, n} {
		t.Errorf("a second reader: %v calls, want %d of each", got, n)
	}
}

func TestLanesOnWhichNothingHappensSleep(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	z := NewZone("z")
	l := newNamedLane("idle")
	r := NewReader()
	l.Enter(z).Exit()
	awake := func() bool {
		lanes.Lock()
		defer lanes.Unlock()
		return l.awake
	}
	for n := 0; awake(); n++ {
		if n == 10 {
			t.Fatal("a lane on which nothing happens is still read after ten passes")
		}
		for _, x := range r.Read().Lanes {
			if x.ID == l.id && n > 0 {
				t.Errorf("nothing happened on the lane in pass %d, but it is there", n)
			}
		}
	}
	l.Enter(z).Exit()
	if !awake() {
		t.Error("the lane sleeps on")
	}
	s := r.Read()
	if x := of(laneIn(t, s, l), z); x.Calls != 1 {
		t.Errorf("%+v", x)
	}
	open := l.Enter(z)
	for range 5 {
		if x := of(laneIn(t, r.Read(), l), z); x.Open != 1 || x.Total <= 0 {
			t.Errorf("an open span is not there: %+v", x)
		}
	}
	open.Exit()
}

func TestCallsThatWereOnlySkippedAreSeen(t *testing.T) {
	z := NewZone("sampled")
	z.SetSampling(1 << 30)
	l := newNamedLane("skipping")
	r := NewReader()
	for n := range uint64(5) {
		for range n {
			l.Enter(z).Exit()
		}
		s := r.Read()
		if got := s.Totals()[z.id].Calls; got != n {
			t.Errorf("%d calls, want %d", got, n)
		}
	}
}

// A reading may fall between the two stores that end a span.
func TestASpanThatEndsDuringAReadingIsInTheNext(t *testing.T) {
	z := NewZone("z")
	l := newNamedLane("ending")
	r := NewReader()
	n := l.Enter(z).node
	n.calls.Set(1)
	if x := of(laneIn(t, r.Read(), l), z); x.Calls != 1 || x.Open != 1 {
		t.Errorf("%+v", x)
	}
	n.total.Set((n.total.Get() + ticks() + 1<<30) ^ isOpen)
	n.start.Set(0)
	l.at.Set(addr(n.parent))
	if x := of(laneIn(t, r.Read(), l), z); x.Calls != 0 || x.Open != 0 || x.Total <= 0 {
		t.Errorf("%+v", x)
	}
}

// The goroutine of a span may be interrupted after it has read the clock and before it stores the end. A reading in between sees
// the span open for longer than it lasted. The sum of what Readers return is correct nevertheless.
func TestASpanThatEndedBeforeAReadingThatSawItOpenIsNotCountedTwice(t *testing.T) {
	z := NewZone("z")
	l := newNamedLane("interrupted")
	r := NewReader()
	busy := func() {
		for begin := ticks(); ticks()-begin < 1<<20; {
		}
	}
	s := l.Enter(z)
	busy()
	end := ticks()
	busy()
	sum := of(laneIn(t, r.Read(), l), z) // s is open
	s.node.end(end)
	s.node.start.Set(0)
	l.at.Set(addr(s.node.parent))
	for seen := sum.Total; of(laneIn(t, TakeSnapshot(), l), z).Total < 2*seen; {
		x := of(laneIn(t, r.Read(), l), z)
		sum.Total, sum.Self, sum.Calls = sum.Total+x.Total, sum.Self+x.Self, sum.Calls+x.Calls
		s := l.Enter(z)
		busy()
		s.Exit()
	}
	x := of(laneIn(t, r.Read(), l), z)
	sum.Total, sum.Self, sum.Calls = sum.Total+x.Total, sum.Self+x.Self, sum.Calls+x.Calls
	if want := of(laneIn(t, TakeSnapshot(), l), z); sum.Calls != want.Calls || math.Abs(float64(sum.Total-want.Total)) > 1e-4*float64(want.Total) || sum.Self != sum.Total {
		t.Errorf("%d calls, %v, %v by oneself; want %d, %v", sum.Calls, sum.Total, sum.Self, want.Calls, want.Total)
	}
}

// A span that ends after its lane was put to sleep wakes the lane, so nothing is missed.
func TestASpanThatEndsOnALaneThatSleepsIsSeen(t *testing.T) {
	z := NewZone("z")
	l := newNamedLane("asleep")
	r := NewReader()
	s := l.Enter(z)
	l.key.Store(0) // as if Enter had read the key just before
	lanes.Lock()
	l.awake = false
	for i := range lanes.awake {
		if lanes.awake[i] == l {
			lanes.awake = append(lanes.awake[:i], lanes.awake[i+1:]...)
			break
		}
	}
	lanes.Unlock()
	s.Exit()
	if x := of(laneIn(t, r.Read(), l), z); x.Calls != 1 {
		t.Errorf("%+v", x)
	}
}

func TestTheFirstReadingOfTheZeroReaderCoversEverything(t *testing.T) {
	needGoroutines(t)
	z := NewZone("before the reader")
	for range 5 {
		z.Enter().Exit()
	}
	new(Reader).Read() // another reader has seen it already
	var r Reader
	for _, want := range []uint64{5, 0, 0} {
		s := r.Read()
		if got := s.Totals()[z.id].Calls; got != want {
			t.Errorf("%d calls, want %d", got, want)
		}
	}
}

// The zero Reader begins with the process, and a constructor with its call.
func TestReadersBeginNowOrAtTheBeginning(t *testing.T) {
	amplyBudgeted(t)
	Record(1 << 20)
	defer Record(0)
	z, l := NewZone(t.Name()), newNamedLane(t.Name())
	l.Enter(z).Exit()
	whole, later := new(Reader), NewReader()
	all, rest := new(TimelineReader), NewTimelineReader()
	l.Enter(z).Exit()
	l.Enter(z).Exit()
	spans := func(line Timeline) (n uint64) {
		for _, e := range line.Events {
			if e.Kind == profile.SpanEvent && e.Zone == int(z.id) {
				n++
			}
		}
		return n
	}
	for want, r := range map[uint64]*Reader{3: whole, 2: later} {
		if n := of(laneIn(t, r.Read(), l), z).Calls; n != want {
			t.Errorf("a Reader has %d calls, want %d", n, want)
		}
	}
	for want, r := range map[uint64]*TimelineReader{3: all, 2: rest} {
		if n := spans(r.Read()); n != want {
			t.Errorf("a TimelineReader has %d spans, want %d", n, want)
		}
	}
}

func TestAReadingHasTheFramesSinceThePreviousOne(t *testing.T) {
	amplyBudgeted(t)
	name := fmt.Sprint(t.Name(), clock.Now())
	loop := NewLoop(name)
	turn := func(n int) {
		for range n {
			loop.Frame()
		}
	}
	read := func(r *Reader) profile.FrameStats {
		for _, f := range r.Read().Frames {
			if f.Name == name {
				return f
			}
		}
		return profile.FrameStats{}
	}
	turn(3)
	whole, later := new(Reader), NewReader()
	turn(5)
	for want, r := range map[uint64]*Reader{8: whole, 5: later} {
		if f := read(r); f.Turns != want || f.Histogram.N() != min(want, 7) {
			t.Errorf("%d turns with %d frame times, want %d turns", f.Turns, f.Histogram.N(), want)
		}
	}
	turn(1)
	for _, r := range []*Reader{whole, later} {
		if f := read(r); f.Turns != 1 || f.Histogram.N() != 1 || f.Sum != time.Duration(f.Frame.Center) {
			t.Errorf("after another turn: %+v", f)
		}
		if f := read(r); f.Turns != 0 || !f.Histogram.Empty() {
			t.Errorf("without a turn: %+v", f)
		}
	}
}

// BenchmarkReader reads a lane on which calls of many paths, each zone with distributed durations, have ended since the last reading.
func BenchmarkReader(b *testing.B) {
	const outer, inner = 15, 250
	amplyBudgeted(b)
	zones := make([]*Zone, inner)
	for i := range zones {
		zones[i] = NewZone("inner")
	}
	above := make([]*Zone, outer)
	for i := range above {
		above[i] = NewZone("outer")
	}
	l := NewLane("l")
	turn := func() {
		for _, z := range above {
			s := l.Enter(z)
			for _, z := range zones {
				l.Enter(z).Exit()
			}
			s.Exit()
		}
	}
	for range 20 {
		turn()
	}
	for _, every := range []int{1, 64} {
		for _, z := range zones {
			z.SetSampling(every)
		}
		b.Run(fmt.Sprint("every=", every), func(b *testing.B) {
			r := NewReader()
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				turn()
				b.StartTimer()
				r.Read()
			}
		})
	}
}
