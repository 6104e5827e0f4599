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

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// An account adds up what a Reader returns.
type account struct {
	r     Reader
	zones map[int]profile.ZoneStats
	nodes map[int]profile.Tree // by lane
	count int
}

func newAccount(lanes int) *account {
	b := &account{r: Reader{Lanes: lanes}}
	b.r.Read()
	b.zones, b.nodes = map[int]profile.ZoneStats{}, map[int]profile.Tree{}
	return b
}

func (b *account) read(t *testing.T) {
	t.Helper()
	s := b.r.Read()
	b.count++
	for _, z := range s.Totals() {
		sum := b.zones[z.Zone]
		if z.Total < 0 || z.Self < 0 || z.Sum < 0 || z.Self > z.Total && z.Timed == z.Calls && s.Zones[z.Zone].Every == 1 {
			t.Fatalf("reading %d: %s", b.count, brief(z))
		}
		sum.Zone = z.Zone
		sum.Calls, sum.Timed, sum.Total, sum.Self, sum.Sum, sum.Open = sum.Calls+z.Calls, sum.Timed+z.Timed, sum.Total+z.Total, sum.Self+z.Self, sum.Sum+z.Sum, z.Open
		b.zones[z.Zone] = sum
	}
	for _, l := range s.Lanes {
		tree := b.nodes[l.ID]
		for len(tree) < len(l.Nodes) {
			tree = append(tree, profile.Node{})
		}
		for i, n := range l.Nodes {
			k := &tree[i]
			if k.Zone != n.Zone && k.Total+k.Self > 0 || n.Total < 0 || n.Self < 0 || n.Self > n.Total && s.Zones[max(n.Zone, 0)].Every == 1 {
				t.Fatalf("reading %d over %v: lane %d, node %d: %+v, was %+v", b.count, s.Elapsed, l.ID, i, n, *k)
			}
			k.Parent, k.Zone = n.Parent, n.Zone
			k.Calls, k.Total, k.Self = k.Calls+n.Calls, k.Total+n.Total, k.Self+n.Self
		}
		b.nodes[l.ID] = tree
	}
}

// brief leaves out the histogram.
func brief(z profile.ZoneStats) string {
	return fmt.Sprintf("zone %d: %d calls, %d timed, %d open, total %v, self %v, sum %v", z.Zone, z.Calls, z.Timed, z.Open, z.Total, z.Self, z.Sum)
}

// near reports whether times differ by no more than n roundings.
func near(a, b time.Duration, n int) bool { return max(a-b, b-a) <= time.Duration(n) }

// A reading does not look at lanes that stay in the same spans for a while. Nothing may be lost or counted twice because of that,
// whichever lanes a reader lists and however often it reads.
func TestReadingsOfParkedLanesAddUp(t *testing.T) {
	race.Sequential(t)
	if !alone(t) { // thousands of readings: those of the lanes of all tests would take minutes
		return
	}
	amplyBudgeted(t)
	for _, every := range []int{1, 3} {
		parkedLanesAddUp(t, every)
	}
}

func parkedLanesAddUp(t *testing.T, every int) {
	const most = 12
	random := rand.New(rand.NewPCG(5, 8))
	var zones []*Zone
	for range 6 {
		zones = append(zones, NewZone("parked"))
	}
	zones[5].SetSampling(every)
	type runner struct {
		*Lane
		open []Span
	}
	var all []*runner
	for range most {
		all = append(all, &runner{Lane: newNamedLane("parked")})
	}
	before := TakeSnapshot()
	accounts := []*account{newAccount(0), newAccount(0), newAccount(-1), newAccount(all[most/2].id)}
	turns := 1500
	if testing.Short() {
		turns = 300
	}
	asleep := 0
	for range turns {
		l := all[random.IntN(1+random.IntN(most))] // on some lanes hardly anything happens
		switch n := random.IntN(10); {
		case n < 5 && len(l.open) < 8:
			l.open = append(l.open, l.Enter(zones[random.IntN(len(zones))]))
		case n < 9 && len(l.open) > 0:
			i := len(l.open) - 1
			if n == 8 {
				i = random.IntN(len(l.open))
			}
			inside := l.open[i+1:]
			for l.open[i].lane == nil && len(inside) > 0 { // it is not timed, so it does not end inner spans
				inside[len(inside)-1].Exit()
				inside = inside[:len(inside)-1]
			}
			l.open[i].Exit()
			l.open = l.open[:i]
		default:
			l.Add(zones[random.IntN(len(zones))], time.Duration(random.IntN(1000)))
		}
		for range random.IntN(4) {
			accounts[random.IntN(1+random.IntN(len(accounts)))].read(t)
		}
		for _, l := range all {
			if len(l.open) > 0 && l.key.Load() == 0 {
				asleep++
			}
		}
	}
	if asleep < turns {
		t.Errorf("lanes with open spans were found asleep %d times in %d turns", asleep, turns)
	}
	for _, l := range all {
		for i := len(l.open) - 1; i >= 0; i-- {
			l.open[i].Exit()
		}
	}
	for _, b := range accounts {
		b.read(t)
	}
	after := TakeSnapshot().Sub(before)
	for k, b := range accounts {
		rounding := 2 * b.count * most
		for _, z := range zones {
			got, want := b.zones[int(z.id)], after.Totals()[z.id]
			exact := near(got.Total, want.Total, rounding) && (near(got.Self, want.Self, rounding) || every > 1) && near(got.Sum, want.Sum, rounding)
			if got.Calls != want.Calls || got.Timed != want.Timed || got.Open != 0 || !exact && (z != zones[5] || every == 1) { // estimates may decrease
				t.Errorf("one in %d, account %d, %d readings: %s; want %s", every, k, b.count, brief(got), brief(want))
			}
		}
		for _, l := range all {
			tree, listed := b.nodes[l.id]
			if !listed {
				continue
			}
			for i, want := range laneIn(t, after, l.Lane).Nodes {
				if got := tree[i]; got.Calls != want.Calls || !near(got.Total, want.Total, rounding) || every == 1 && !near(got.Self, want.Self, rounding) {
					t.Errorf("account %d, lane %d, node %d, %d readings: %+v, want %+v", k, l.id, i, b.count, got, want)
				}
			}
		}
	}
	if n := len(accounts[0].nodes[summed]); n > 0 || len(accounts[2].nodes) != 1 || len(accounts[3].nodes[all[0].id]) == 0 || len(accounts[3].nodes[all[most-1].id]) > 0 {
		t.Error("lanes are not listed as Reader.Lanes says")
	}
	mine := map[int]bool{}
	for _, z := range zones {
		mine[int(z.id)] = true
	}
	calls, want := uint64(0), uint64(0)
	for _, n := range accounts[2].nodes[summed] {
		if mine[n.Zone] {
			calls += n.Calls
		}
	}
	for _, l := range all {
		for _, n := range laneIn(t, after, l.Lane).Nodes {
			want += n.Calls
		}
	}
	if calls != want {
		t.Errorf("the nodes of the sum have %d calls, want %d", calls, want)
	}
}

// Goroutines that wait inside a span, as those of a server do, and are read meanwhile.
func TestReadingsOfGoroutinesThatBlockInSpansAddUp(t *testing.T) {
	needGoroutines(t)
	if !alone(t) { // it reads all lanes thousands of times
		return
	}
	amplyBudgeted(t)
	serve, wait := NewZone("serve"), NewWaitZone("wait")
	const most = 30
	accounts := []*account{newAccount(0), newAccount(-1)}
	var work [most]chan bool
	var ended sync.WaitGroup
	turns := uint64(0)
	for i := range work {
		work[i] = make(chan bool)
		ended.Add(1)
		go func() {
			defer ended.Done()
			for more := true; more; {
				outer := serve.Enter()
				inner := wait.Enter()
				more = <-work[i]
				inner.Exit()
				outer.Exit()
			}
		}()
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		work[random.IntN(1+random.IntN(most))] <- true
		turns++
		runtime.Gosched()
		for _, b := range accounts {
			b.read(t)
		}
	}
	for i := range work {
		work[i] <- false
		turns++
	}
	ended.Wait()
	want := TakeSnapshot().Totals()
	for k, b := range accounts {
		b.read(t)
		for _, z := range []*Zone{serve, wait} {
			got, want := b.zones[int(z.id)], want[z.id]
			rounding := 2 * b.count * most // besides, a goroutine that is interrupted while its span ends is seen in it for longer
			if got.Calls != turns || got.Open != 0 || !near(got.Sum, want.Sum, rounding) || got.Total < want.Total-time.Duration(rounding) {
				t.Errorf("account %d: %s; want %d calls, %s", k, brief(got), turns, brief(want))
			}
		}
	}
}

// A reading that adds up lanes parked in spans neither reads them nor allocates for each of them.
func TestAReadingDoesNotLookAtParkedLanes(t *testing.T) {
	if !alone(t) { // later readings would see its lanes
		return
	}
	amplyBudgeted(t)
	outer, inner := NewZone("parked outside"), NewZone("parked inside")
	r := Reader{Lanes: -1}
	looked := func() (uint64, profile.ZoneStats) {
		before := watched.seen
		s := r.Read()
		return watched.seen - before, s.Totals()[inner.id]
	}
	const most = 2000
	var open []Span
	for range most {
		l := newNamedLane("parked")
		open = append(open, l.Enter(outer), l.Enter(inner))
	}
	if n, _ := looked(); n < most {
		t.Fatalf("the first reading looks at %d lanes of %d", n, most)
	}
	for range 4 {
		looked()
	}
	n, z := looked()
	if n > 20 { // lanes of other tests may be busy
		t.Errorf("a reading looks at %d lanes, of which none has moved", n)
	}
	if z.Open != most || z.Total <= 0 || z.Total != z.Self {
		t.Errorf("%s, want %d open", brief(z), most)
	}
	allocs := testing.AllocsPerRun(10, func() { r.Read() })
	for range 10 { // something else in the process may allocate
		allocs = min(allocs, testing.AllocsPerRun(10, func() { r.Read() }))
	}
	if allocs > most/2 {
		t.Errorf("a reading of %d parked lanes allocates %v times", most, allocs)
	}
	open[1].Exit()
	if n, z := looked(); n == 0 || n > 20 || z.Calls != 1 || z.Open != most-1 {
		t.Errorf("one lane moved: %d were read; %s", n, brief(z))
	}
	for _, s := range open {
		s.Exit()
	}
}

// What a reader remembers counts as memory as long as the reader exists.
func TestMemoryOfReadersIsCounted(t *testing.T) {
	race.Sequential(t)
	if !alone(t) {
		return
	}
	SetBudget(1 << 30)
	SetDistributions(-1)
	var zones []*Zone
	for range 20 {
		zones = append(zones, NewZone("z"))
	}
	const most = 5000
	for range most {
		l := NewLane("l")
		for _, z := range zones {
			l.Enter(z).Exit()
		}
		l.Enter(zones[0])
	}
	TakeSnapshot()
	before, said := heap(), memory.Used()
	var readers []*Reader
	for range 3 {
		for _, l := range allLanes() { // each reader remembers a different state
			l.Enter(zones[1]).Exit()
		}
		readers = append(readers, NewReader(), &Reader{Lanes: -1})
		readers[len(readers)-1].Read()
	}
	grown, claimed := heap()-before, memory.Used()-said
	t.Logf("the heap grew by %d kB, Memory by %d kB: %d bytes a lane and reader", grown>>10, claimed>>10, claimed/most/6)
	if grown > claimed+claimed/5+100<<10 || claimed > grown+grown/5+100<<10 {
		t.Errorf("the heap grew by %d bytes, Memory by %d", grown, claimed)
	}
	runtime.KeepAlive(readers)
	readers = nil
	for end := time.Now().Add(2 * time.Minute); memory.Used() > said+2*claimed/3; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(end) {
			t.Fatalf("%d bytes are counted for readers that are gone, of %d", memory.Used()-said, claimed)
		}
	}
}
