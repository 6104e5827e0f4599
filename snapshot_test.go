// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// record enters a call of d ticks, as Exit would.
func (a *account) record(d uint64) {
	a.calls.set(a.calls.get() + 1)
	a.total.set(a.total.get() + d)
	a.self.set(a.self.get() + d)
	a.distribute(d)
}

func TestOpenSpansAreIncluded(t *testing.T) {
	outer, inner := NewZone("outer"), NewZone("inner")
	l := NewLane("open")
	begin := clock.Now()
	o := l.Enter(outer)
	i := l.Enter(inner)
	r := l.Enter(outer) // recursion: its time is in the outer one's
	inside := clock.Now()
	time.Sleep(10 * time.Millisecond)
	least := clock.Since(inside)
	s := TakeSnapshot()
	most := clock.Since(begin)
	least, most = least-least/1000, most+most/1000 // ticks are turned into time at the snapshot's rate, which is being refined
	lane := s.Lanes[l.id]
	if lane.Open != 3 {
		t.Errorf("%d spans open, want 3", lane.Open)
	}
	for _, z := range []ZoneStats{lane.of(outer), lane.of(inner)} {
		if z.Calls != 0 || z.Total < least || z.Total > most || z.Self < 0 || z.Self > z.Total {
			t.Errorf("between %v and %v, but %+v", least, most, z)
		}
	}
	if d := lane.of(outer).Total - lane.of(outer).Self - lane.of(inner).Self; d < -2 || d > 2 {
		t.Errorf("self times miss the total by %v", d)
	}
	r.Exit()
	i.Exit()
	o.Exit()
	if lane := TakeSnapshot().Lanes[l.id]; lane.Open != 0 || lane.of(outer).Open != 0 {
		t.Errorf("%+v", lane)
	}
}

func TestDistributionAgreesWithTheDurations(t *testing.T) {
	z := NewZone("z")
	l := NewLane("l")
	a := l.account(z)
	for d := uint64(1); d <= 1_000_000; d += 7 {
		a.record(d)
	}
	s := TakeSnapshot().Lanes[l.id].of(z)
	rate := s.spread.rate
	if s.Calls != 142858 || s.Min != time.Duration(rate) || s.Max != time.Duration(1_000_000*rate) {
		t.Errorf("%d calls from %v to %v", s.Calls, s.Min, s.Max)
	}
	for _, q := range []float64{0, 0.001, 0.1, 0.5, 0.9, 0.99, 1} {
		got, ok := s.Quantile(q)
		want := max(1, q*1e6) * rate
		if !ok || float64(got) < want*0.96-1 || float64(got) > want*1.04+1 {
			t.Errorf("quantile %v is %v, want about %.0f ns", q, got, want)
		}
	}
	for _, q := range []float64{-0.1, 1.1} {
		if _, ok := s.Quantile(q); ok {
			t.Errorf("quantile %v exists", q)
		}
	}
	if _, ok := (ZoneStats{}).Quantile(0.5); ok {
		t.Error("nothing has a median")
	}
}

func TestDistributionGrowsBothWaysAndLosesNothing(t *testing.T) {
	l := NewLane("l")
	for _, order := range [][]uint64{{1000, 1, 1 << 40, 50, 1 << 62, 0}, {1 << 62, 0, 1000}, {5}, {7, 7}} {
		z := NewZone("z")
		a := l.account(z)
		for _, d := range order {
			a.record(d)
		}
		s := TakeSnapshot().Lanes[l.id].of(z)
		n := uint64(0)
		for _, c := range s.spread.counts {
			n += c
		}
		if n != uint64(len(order)) || s.Timed != n {
			t.Errorf("%v: %d of %d durations in the distribution", order, n, len(order))
		}
	}
}

func TestCellsFollowOneAnotherWithoutAGap(t *testing.T) {
	next := uint64(0)
	for i := range uint64(60 * perOctave) {
		lo, hi := cellRange(i)
		if lo != next || cellOf(lo) != i || cellOf(hi) != i {
			t.Fatalf("cell %d is [%d, %d], want it to begin at %d", i, lo, hi, next)
		}
		if lo > 32 && float64(hi-lo)/2 > 0.032*float64(lo) {
			t.Fatalf("cell %d is too wide: [%d, %d]", i, lo, hi)
		}
		next = hi + 1
	}
}

func TestDifferenceOfSnapshotsIsWhatHappenedBetween(t *testing.T) {
	z, idle := NewZone("z"), NewZone("idle")
	l := NewLane("l")
	a := l.account(z)
	l.account(idle).record(3)
	for range 100 {
		a.record(1000)
	}
	first := TakeSnapshot()
	for range 50 {
		a.record(2_000_000)
	}
	second := TakeSnapshot()
	s := second.Sub(first)
	got := s.Lanes[l.id].of(z)
	rate := nsPerTick() // it is being refined, hence the tolerances
	if got.Calls != 50 || got.Total < time.Duration(99_990_000*rate) || s.Span <= 0 || s.Span != second.At.Sub(first.At) {
		t.Errorf("%+v in %v", got, s.Span)
	}
	if p, ok := got.Quantile(0.01); !ok || float64(p) < 1_900_000*rate {
		t.Errorf("the shortest of the difference is %v: the earlier calls are still in it", p)
	}
	if float64(got.Min) < 1_900_000*rate {
		t.Errorf("minimum %v", got.Min)
	}
	if m := got.Mean; float64(m+s.Bias) < 1_999_000*rate || float64(m+s.Bias) > 2_001_000*rate {
		t.Errorf("mean %v with bias %v", m, s.Bias)
	}
	if z := s.Lanes[l.id].of(idle); z.Calls != 0 || z.Max != 0 {
		t.Errorf("nothing happened, but %+v", z)
	}
	if first.Lanes[l.id].of(z).Calls != 100 {
		t.Error("Sub changed its argument")
	}
}

func TestTotalsMergeLanes(t *testing.T) {
	z := NewZone("z")
	for _, d := range []uint64{10, 1 << 30, 1000} {
		l := NewLane("l")
		l.account(z).record(d)
		l.account(z).record(d)
	}
	all := TakeSnapshot().Totals()[z.id]
	rate := all.spread.rate
	if all.Calls != 6 || all.Min != time.Duration(10*rate) || all.Max != time.Duration(float64(1<<30)*rate) {
		t.Errorf("%+v", all)
	}
	if m, ok := all.Quantile(0.5); !ok || float64(m) < 900*rate || float64(m) > 1100*rate {
		t.Errorf("median %v", m)
	}
}

func TestBeyondTheBudgetCountsStayAndItIsSaid(t *testing.T) {
	before := TakeSnapshot()
	SetBudget(1)
	defer SetBudget(0)
	z := NewZone("z")
	l := NewLane("l")
	for range 1000 {
		s := l.Enter(z)
		spin(1)
		s.Exit()
	}
	s := TakeSnapshot()
	got := s.Lanes[l.id].of(z)
	if got.Calls != 1000 || got.Total <= 0 || got.Max < got.Min {
		t.Errorf("%+v", got)
	}
	if _, ok := got.Quantile(0.5); ok {
		t.Error("a distribution was kept beyond the budget")
	}
	if s.Refused <= before.Refused || s.Budget != 1 || len(s.Notes) == 0 {
		t.Errorf("refused %d, budget %d, notes %q", s.Refused, s.Budget, s.Notes)
	}
}

func TestGoroutinesThatFindNoSlotShareALane(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	const gp = 0x123456780
	home := slotOf(gp)
	var taken []*slot
	for i := range uint64(probes) { // as if others had come first
		s := &slots[(home+i)%uint64(len(slots))]
		if s.g.CompareAndSwap(0, 1+2*(home+i)) {
			taken = append(taken, s)
		}
	}
	defer func() {
		for _, s := range taken {
			s.g.Store(0)
		}
	}()
	l := laneOf(gp)
	if !l.shared || laneOf(gp) != l {
		t.Fatal("no shared lane")
	}
	z := NewZone("crowded")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10_000 {
				s := Span{lane: l, account: l.account(z), start: tick(), depth: 1}
				s.Exit()
			}
		})
	}
	wg.Wait()
	s := TakeSnapshot()
	if got := s.Totals()[z.id]; got.Calls != 40_000 || got.Total <= 0 {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(strings.Join(s.Notes, " "), "share") {
		t.Errorf("nobody says that a lane is shared: %q", s.Notes)
	}
}

func TestLanesSayWhoTheyAre(t *testing.T) {
	if !hasG {
		t.Skip("no lanes by goroutine on this platform")
	}
	z := NewZone("z")
	var id int
	var wg sync.WaitGroup
	wg.Go(func() {
		runtime.LockOSThread()
		z.Enter().Exit()
		NameLane("audio")
		id = laneOf(getg()).id
	})
	wg.Wait()
	l := TakeSnapshot().Lanes[id]
	if l.Name != "audio" || l.Goroutine == 0 || (threadID() != 0 && l.Thread == 0) {
		t.Errorf("%+v", l)
	}
}

func TestFrameCountsTurns(t *testing.T) {
	start := clock.Now()
	name := fmt.Sprint(t.Name(), start) // -count runs it again in the same process
	for i := range 101 {
		loops.mark(name, start.Add(time.Duration(i)*10*time.Millisecond))
	}
	for _, f := range loops.read(start.Add(time.Second)) {
		if f.Name != name {
			continue
		}
		if f.Turns != 101 || f.Rate < 99.99 || f.Rate > 100.01 || f.Frame.Center != 1e7 || f.Min != f.Max {
			t.Errorf("%+v", f)
		}
		return
	}
	t.Error("the loop is missing")
}

func TestPlotKeepsTheLatest(t *testing.T) {
	name := fmt.Sprint(t.Name(), clock.Now())
	for _, v := range []float64{3, -1, 2} {
		Plot(name, v)
	}
	for _, p := range TakeSnapshot().Plots {
		if p.Name == name {
			if p.Last != 2 || p.Min != -1 || p.Max != 3 || p.N != 3 {
				t.Errorf("%+v", p)
			}
			return
		}
	}
	t.Error("the plot is missing")
}

func TestReportHasALineForEachLaneAndZone(t *testing.T) {
	var out safeBuffer
	z, wait, quiet := NewZone("work"), NewWaitZone("lock"), NewZone("quiet")
	busy, silent := NewLane("busy"), NewLane("silent")
	r := StartReporter(&out, time.Hour)
	for range 20 {
		s := busy.Enter(z)
		w := busy.Enter(wait)
		spin(1000)
		w.Exit()
		s.Exit()
	}
	silent.Enter(quiet).Exit()
	r.report() // as the goroutine would, which sleeps for an hour
	open := busy.Enter(z)
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	open.Exit()
	text := out.String()
	for _, want := range []string{"busy             work ", "busy             lock (wait) ", "silent           quiet", "silent           has fallen silent",
		" open\n", "a span costs", "time      lane"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "work ") && len(line) < 100 {
			t.Errorf("short line %q", line)
		}
	}
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, fmt.Errorf("no room") }

func TestReporterReturnsTheWritersError(t *testing.T) {
	if err := StartReporter(brokenWriter{}, time.Hour).Stop(); err == nil || err.Error() != "no room" {
		t.Errorf("got %v", err)
	}
}

func TestReporterRunsByItself(t *testing.T) {
	var out safeBuffer
	r := StartReporter(&out, 10*time.Millisecond)
	for !strings.Contains(out.String(), "a span costs") {
		time.Sleep(time.Millisecond)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	n := len(out.String())
	time.Sleep(30 * time.Millisecond)
	if len(out.String()) != n {
		t.Error("it reports after Stop")
	}
}

func BenchmarkSnapshot(b *testing.B) { // 1000 zones, 1000 lanes, 50 000 pairs
	zones := make([]*Zone, 1000)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	for i := range 1000 {
		l := NewLane("l")
		for j := range 50 {
			a := l.account(zones[(i*50+j)%1000])
			for _, d := range []uint64{1000, 1100, 900, 5000} {
				a.record(d)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		TakeSnapshot()
	}
}
