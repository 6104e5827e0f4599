// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

// count adds an outermost call of z that took d ticks, as Exit would.
func (l *Lane) count(z *Zone, d uint64) {
	n := l.tree.grow(l.tree.root(), z, l.pooled)
	n.calls.Set(n.calls.Get() + 1)
	n.total.Set(n.total.Get() + d)
	l.distribute(n, d)
}

func TestOpenSpansAreIncluded(t *testing.T) {
	outer, inner := NewZone("outer"), NewZone("inner")
	l := newNamedLane("open")
	begin := clock.Now()
	o := l.Enter(outer)
	i := l.Enter(inner)
	r := l.Enter(outer) // recursion: its time is part of the outer one's
	inside := clock.Now()
	time.Sleep(10 * time.Millisecond)
	least := clock.Since(inside)
	s := TakeSnapshot()
	most := clock.Since(begin)
	least, most = least-least/1000, most+most/1000 // ticks are converted to time at the snapshot's rate, which is still being refined
	lane := laneIn(t, s, l)
	if lane.Open != 3 {
		t.Errorf("%d spans open, want 3", lane.Open)
	}
	for _, z := range []profile.ZoneStats{of(lane, outer), of(lane, inner)} {
		if z.Calls != 0 || z.Total < least || z.Total > most || z.Self < 0 || z.Self > z.Total {
			t.Errorf("between %v and %v, but %+v", least, most, z)
		}
	}
	if d := of(lane, outer).Total - of(lane, outer).Self - of(lane, inner).Self; d < -3 || d > 3 {
		t.Errorf("self times miss the total by %v", d)
	}
	r.Exit()
	i.Exit()
	o.Exit()
	if lane := laneIn(t, TakeSnapshot(), l); lane.Open != 0 || of(lane, outer).Open != 0 {
		t.Errorf("%+v", lane)
	}
}

func TestDistributionAgreesWithTheDurations(t *testing.T) {
	for name, l := range map[string]*Lane{"own": newNamedLane("l"), "pooled": pooledLane("l")} {
		z := NewZone("z")
		for d := uint64(1); d <= 1_000_000; d += 27 {
			l.count(z, d)
		}
		s := TakeSnapshot().Totals()[z.id]
		rate := s.Histogram.NsPerTick
		if s.Calls != 37038 || s.Histogram.N() != s.Calls || s.Min != time.Duration(rate) || s.Max != time.Duration(1_000_000*rate) {
			t.Errorf("%s: %d calls from %v to %v", name, s.Calls, s.Min, s.Max)
		}
		for _, q := range []float64{0, 0.001, 0.1, 0.5, 0.9, 0.99, 1} {
			got, ok := s.Quantile(q)
			want := max(1, q*1e6) * rate
			if !ok || float64(got) < want*0.96-1 || float64(got) > want*1.04+1 {
				t.Errorf("%s: quantile %v is %v, want about %.0f ns", name, q, got, want)
			}
		}
	}
}

func pooledLane(name string) *Lane {
	SetDistributions(-1)
	defer SetDistributions(1 << 30)
	return newNamedLane(name)
}

func TestDistributionGrowsBothWaysAndLosesNothing(t *testing.T) {
	all := map[string]map[*Zone][]uint64{}
	for name, l := range map[string]*Lane{"own": newNamedLane("l"), "pooled": pooledLane("l")} {
		all[name] = map[*Zone][]uint64{}
		for _, order := range [][]uint64{{1000, 1, 1 << 40, 50, 1 << 62, 0}, {1 << 62, 0, 1000}, {5}, {7, 7}} {
			z := NewZone("z")
			all[name][z] = order
			for _, d := range order {
				l.count(z, d)
			}
		}
	}
	totals := TakeSnapshot().Totals()
	for name, zones := range all {
		for z, order := range zones {
			if s := totals[z.id]; s.Histogram.N() != uint64(len(order)) || s.Timed != uint64(len(order)) {
				t.Errorf("%s, %v: %d of %d durations in the distribution", name, order, s.Histogram.N(), len(order))
			}
		}
	}
}

// A duration is added to the distribution when the next span ends; until then a reader must add it.
func TestTheFirstCallIsInTheDistribution(t *testing.T) {
	z := NewZone("z")
	begin := clock.Now()
	_, s := on(t, func(l *Lane) { l.Enter(z).Exit() })
	most := clock.Since(begin)
	most += most/1000 + time.Microsecond // the rate of the ticks is being refined
	if x := of(s, z); x.Histogram.N() != 1 || x.Max <= 0 || x.Max > most || x.Min != x.Max {
		t.Errorf("%+v within %v", x, most)
	}
	l := newNamedLane("between") // a reader comes after the call was counted, before the rest was
	n := l.tree.grow(l.tree.root(), z, false)
	n.calls.Set(1)
	if x := of(laneIn(t, TakeSnapshot(), l), z); x.Calls != 1 || x.Max != 0 || x.Min != 0 || !x.Histogram.Empty() {
		t.Errorf("%+v", x)
	}
}

func TestWithoutRoomADistributionIsMissingNotWrong(t *testing.T) {
	amplyBudgeted(t)
	z, short := NewZone("z"), NewZone("short")
	l := newNamedLane("l")
	l.durations(z, 2000, 1000)
	l.durations(short, 1000, 1000)
	SetBudget(1)
	l.durations(z, 1<<30, 1000)  // longer than the range of the histogram
	l.durations(short, 900, 900) // within its cells
	for range 2 {
		s := laneIn(t, TakeSnapshot(), l)
		if x := of(s, z); !x.Histogram.Empty() || x.Calls < 4 || x.Min != 0 || x.Max != 0 {
			t.Errorf("%+v", x)
		}
		if x := of(s, short); x.Histogram.N() != x.Calls {
			t.Errorf("%d of %d calls are in the histogram", x.Histogram.N(), x.Calls)
		}
		amplyBudgeted(t) // a larger budget later does not bring back the first calls
		l.durations(z, 1000)
	}
}

func TestDifferenceOfSnapshotsIsWhatHappenedBetween(t *testing.T) {
	z, idle := NewZone("z"), NewZone("idle")
	l := newNamedLane("l")
	l.count(idle, 3)
	for range 100 {
		l.count(z, 1000)
	}
	first := TakeSnapshot()
	for range 50 {
		l.count(z, 2_000_000)
	}
	second := TakeSnapshot()
	s := second.Sub(first)
	got := of(laneIn(t, s, l), z)
	rate := second.NsPerTick // it is being refined, hence the tolerances
	if got.Calls != 50 || got.Total < time.Duration(99_990_000*rate) || s.Elapsed <= 0 || s.Elapsed != second.At.Sub(first.At) {
		t.Errorf("%+v in %v", got, s.Elapsed)
	}
	if p, ok := got.Quantile(0.01); !ok || float64(p) < 1_900_000*rate {
		t.Errorf("the shortest of the difference is %v: the earlier calls are still in it", p)
	}
	if float64(got.Min) < 1_900_000*rate {
		t.Errorf("minimum %v", got.Min)
	}
	if m, ok := got.Mean(); !ok || m < 1_999_000*rate || m > 2_001_000*rate {
		t.Errorf("mean %v", m)
	}
	if z := of(laneIn(t, s, l), idle); z.Calls != 0 || z.Max != 0 {
		t.Errorf("nothing happened, but %+v", z)
	}
	if of(laneIn(t, first, l), z).Calls != 100 {
		t.Error("Sub changed its argument")
	}
}

func TestBeyondTheBudgetCountsStayAndANoteSaysSo(t *testing.T) {
	needGoroutines(t)
	before := TakeSnapshot()
	l := newNamedLane("l")
	zones := make([]*Zone, 40) // more paths than the lane's first nodes
	for i := range zones {
		zones[i] = NewZone("z")
	}
	SetBudget(1)
	defer SetBudget(ample)
	own := make(chan bool)
	go func() { // a goroutine that comes now shares a lane
		for _, z := range zones {
			z.Enter().Exit()
		}
		own <- !laneOf().shared
	}()
	if <-own {
		t.Log("the goroutine had a record with a lane")
	}
	for range 100 {
		for _, z := range zones {
			s := l.Enter(z)
			spin(1)
			s.Exit()
		}
	}
	s := TakeSnapshot()
	all := s.Totals()
	for _, z := range zones {
		if got := all[z.id]; got.Calls != 101 || got.Total <= 0 || got.Self <= 0 && !got.SelfUnknown {
			t.Fatalf("%+v", got)
		}
	}
	if s.Refused <= before.Refused || s.Budget != 1 || !strings.Contains(fmt.Sprint(s.Notes), "refused") {
		t.Errorf("refused %d, budget %d, notes %q", s.Refused, s.Budget, s.Notes)
	}
	if none := newNamedLane("none"); !none.shared {
		t.Error("a lane of its own was made beyond the budget")
	}
}

func TestTheFirstZoneIsLikeAnyOther(t *testing.T) {
	zones.Lock()
	first := zones.all[0]
	zones.Unlock()
	_, s := on(t, func(l *Lane) { l.Enter(first).Exit() })
	if x := of(s, first); x.Calls != 1 || len(s.Nodes) != 1 || s.Nodes[0].Zone != 0 {
		t.Errorf("%+v", s)
	}
}

func TestLanesOfLockedGoroutinesHaveTheirThread(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // records that were used before may have lanes
		return
	}
	var l profile.LaneInfo
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		NewZone("z").Enter().Exit()
		l = laneOf().info()
	}()
	<-done
	if want := fmt.Sprintf("g%d thread %d", l.Goroutine, l.Thread); runtime.GOOS == "linux" && (l.Name != want || l.Thread == 0) {
		t.Errorf("%+v, want %s", l, want)
	}
}

func TestLanesSayWhoTheyAre(t *testing.T) {
	needGoroutines(t)
	amplyBudgeted(t)
	z := NewZone("z")
	var id int
	var wg sync.WaitGroup
	var locked profile.LaneInfo
	wg.Add(1)
	go func() {
		defer wg.Done()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		z.Enter().Exit()
		NameLane("audio")
		id = laneOf().id
		locked = TakeSnapshot().Lanes[id].LaneInfo
	}()
	wg.Wait()
	if locked.Name != "audio" || locked.Goroutine == 0 || (runtime.GOOS == "linux" && locked.Thread == 0) {
		t.Errorf("%+v", locked)
	}
	for range 100 { // until a goroutine gets that record: the name must not be that of the lane
		var l profile.LaneInfo
		wg.Add(1)
		go func() {
			defer wg.Done()
			z.Enter().Exit()
			l = laneOf().info()
		}()
		wg.Wait()
		if l.ID == id {
			if l.Earlier != locked.Earlier+1 || l.Name != fmt.Sprintf("g%d +%d", l.Goroutine, l.Earlier) || l.Goroutine == locked.Goroutine || l.Thread != 0 {
				t.Errorf("after %+v came %+v", locked, l)
			}
			return
		}
	}
	t.Log("no other goroutine got the record")
}

// A reader may come at any moment of a span. What it sees must be consistent.
func TestSnapshotsOfARunningProgramAreSane(t *testing.T) {
	needThreads(t)
	if !alone(t) { // the lanes of other tests would make each snapshot take long
		return
	}
	zones := []*Zone{NewZone("a"), NewZone("b"), NewZone("c")}
	few := NewZone("few")
	few.SetSampling(8)
	l := newNamedLane("busy")
	var stop atomic.Bool
	var calls atomic.Uint64
	done := make(chan struct{})
	var dig func(depth int)
	dig = func(depth int) {
		s := l.Enter(zones[depth%3])
		calls.Add(1)
		l.Enter(few).Exit()
		spin(20)
		if depth < 8 {
			dig(depth + 1)
		}
		s.Exit()
	}
	begin := time.Now()
	go func() {
		defer close(done)
		for !stop.Load() {
			dig(0)
		}
	}()
	var before profile.LaneStats
	for n := 0; n < 20 || time.Since(begin) < 300*time.Millisecond; n++ {
		least := calls.Load()
		s := TakeSnapshot()
		most := calls.Load() + 1
		lane := laneIn(t, s, l)
		var sum uint64
		for _, z := range zones {
			x := of(lane, z)
			sum += x.Calls + uint64(x.Open)
			if x.Self > x.Total || x.Total > time.Since(begin)+time.Second || x.Open > 3 || x.Total < 0 || x.Max > time.Since(begin)+time.Second {
				t.Fatalf("%+v after %v", x, time.Since(begin))
			}
			// The total may decrease: an open span may have ended before the time of the snapshot, on a goroutine that lost its
			// processor between reading the clock and storing the end.
			y := of(before, z)
			slack := y.Sum/1000 + time.Microsecond // the rate of the ticks is being refined
			if x.Calls < y.Calls || x.Sum < y.Sum-slack {
				t.Fatalf("%+v, before that %+v", x, y)
			}
		}
		if sum+10 < least || sum > most+10 {
			t.Fatalf("%d calls, between %d and %d were made", sum, least, most)
		}
		before = lane
	}
	stop.Store(true)
	<-done
}

func BenchmarkSnapshot(b *testing.B) { // 1000 zones, 1000 lanes, 50 000 pairs
	amplyBudgeted(b)
	zones := make([]*Zone, 1000)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	for i := range 1000 {
		l := NewLane("l")
		for j := range 50 {
			for _, d := range []uint64{1000, 1100, 900, 5000} {
				l.count(zones[(i*50+j)%1000], d)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		TakeSnapshot()
	}
}

// The uncertainty of a duration is the part of the cost of a span that the processor may overlap with other work.
func TestTheUncertaintyOfASpanIsThatOfThisProgram(t *testing.T) {
	if !alone(t) {
		return
	}
	awaitCounter(t)
	if c := calibrate(); float64(c.uncertainty) < c.cost {
		t.Errorf("a span costs %v ns, and the processor may hide all of it, but a duration is said to be wrong by at most %v", c.cost, c.uncertainty)
	}
	for try := 0; ; try++ {
		c := calibrate()
		around := bench.bare(40) * nsPerTick()
		if float64(c.uncertainty) <= c.cost+around+1 { // it is rounded up
			break
		} else if try == 20 {
			t.Errorf("around %v ns of work a duration is said to be wrong by %v; a span costs %v ns", around, c.uncertainty, c.cost)
			break
		}
	}
}

func awaitCounter(t *testing.T) {
	for begin := time.Now(); !clock.Counting(); clock.Ticks() {
		if time.Since(begin) > 20*time.Second || clock.Describe().Reason != "" {
			t.Skip("the processor's counter is not in use: ", clock.Describe().Reason)
		}
	}
}

// crew lets goroutines take turns and returns the cost of a span, seen from outside: the median over turns of ten spans, which
// interruptions do not affect. read is called between turns.
func crew(members int, zones []*Zone, read func()) (ns float64) {
	const rounds = 16
	took := make([][]float64, members)
	turns := make([]chan bool, members)
	var ended, round sync.WaitGroup
	for i := range members {
		turns[i] = make(chan bool)
		ended.Add(1)
		go func() {
			defer ended.Done()
			for range turns[i] {
				for range 3 {
					begin := clock.TicksOrdered()
					for _, z := range zones {
						z.Enter().Exit()
					}
					spans := clock.TicksOrdered() - begin
					took[i] = append(took[i], float64(spans)/float64(len(zones)))
					runtime.Gosched()
				}
				round.Done()
			}
		}()
	}
	for range rounds {
		round.Add(members)
		for _, turn := range turns {
			turn <- true
		}
		round.Wait()
		read()
	}
	for _, turn := range turns {
		close(turn)
	}
	ended.Wait()
	return median(slices.Concat(took...)) * nsPerTick()
}

// The cost that is shown is the time that a span costs its goroutine, however many there are. The bounds allow for a busy
// machine.
func TestTheCostOfASpanIsThatOfThisProgram(t *testing.T) {
	race.Sequential(t) // its goroutines take turns
	needGoroutines(t)
	if !alone(t) {
		return
	}
	SetDistributions(0)
	awaitCounter(t)
	var zones []*Zone
	for range spansATurn {
		zones = append(zones, NewZone("z"))
	}
	for _, members := range []int{1, 200, 2000} {
		var said []float64
		r := NewReader()
		seen := crew(members, zones, func() { said = append(said, r.Read().Cost) })
		ratio := median(said) / seen
		t.Logf("%d goroutines: a span is said to cost %.1f ns, seen are %.1f: %.2f", members, median(said), seen, ratio)
		if ratio < 0.2 || ratio > 5 {
			t.Errorf("%d goroutines: a span is said to cost %.1f ns, seen are %.1f", members, median(said), seen)
		}
	}
}

// A later version of Go may store the number of a goroutine elsewhere.
func TestNotesSayThatGoroutinesCannotBeDistinguishedFromEarlierOnes(t *testing.T) {
	needGoroutines(t)
	about := func(notes []string) int {
		return len(slices.DeleteFunc(slices.Clone(notes), func(n string) bool { return n != hidden }))
	}
	Record(1 << 16)
	defer Record(0)
	for _, want := range []int{0, 1} {
		var b strings.Builder
		r := StartReporter(&b, 0)
		r.Stop()
		s := TakeSnapshot()
		said := strings.Count(b.String(), "hides the numbers of goroutines")
		if got := [...]int{about(s.Notes), about(new(Reader).Read().Notes), about(TakeTimeline().Notes), strings.Count(s.String(), hidden), said}; got != [...]int{want, want, want, want, want} {
			t.Errorf("it is said %d times, want %d\n%s", got, want, b.String())
		}
		numbered = func() bool { return false }
		defer func() { numbered = stamp.Numbered }()
	}
}
