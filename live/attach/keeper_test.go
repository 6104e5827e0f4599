// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/internal/toll"
	"github.com/strobe-go/strobe/profile"
)

// inFunctions is what a span is likely to cost, in times of what it costs in a loop.
var inFunctions = toll.Cost{Likely: 1, Most: 10}.InFunctions().Likely

// reading is one of a second, in which spans are likely to cost 20 ns. calls has those of each zone on each lane.
func reading(calls ...[]uint64) profile.Snapshot {
	s := profile.Snapshot{Elapsed: time.Second, Cost: 20/inFunctions - entry()} // together 20
	for lane, list := range calls {
		l := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: lane, Name: fmt.Sprintf("g%d", lane)}}
		for zone, n := range list {
			l.Zones = append(l.Zones, profile.ZoneStats{Zone: zone, Calls: n, Timed: n})
			for len(s.Zones) <= zone {
				s.Zones = append(s.Zones, profile.ZoneInfo{Name: fmt.Sprint(zone), Every: 1})
			}
		}
		s.Lanes = append(s.Lanes, l)
	}
	return s
}

// chosen returns what a keeper chooses after a reading.
func chosen(s profile.Snapshot, used time.Duration) (all []tether.Sampled) {
	for _, l := range s.Lanes {
		all = append(all, choose(loads(l, s, s.Elapsed))...)
	}
	if used >= leastUsed {
		var w work
		w.add(s, s.Elapsed)
		all = append(all, choose(w.loads(used))...)
	}
	return all
}

// names returns what was chosen, such as "1/16 of g0".
func names(all []tether.Sampled) string {
	var text []string
	for _, c := range all {
		text = append(text, fmt.Sprintf("%d:1/%d of %s", c.Zone, c.Every, c.Of))
	}
	return strings.Join(text, ", ")
}

func TestAZoneIsSampledThatTakesTooMuchOfItsGoroutine(t *testing.T) {
	const percent = 500_000 // calls a second take 1 %
	for _, x := range []struct {
		name string
		in   profile.Snapshot
		used time.Duration
		want string
	}{
		{"little", reading([]uint64{19 * percent / 10}), time.Second, ""},
		{"more", reading([]uint64{21 * percent / 10}), 0, "0:1/128 of g0"},
		{"much", reading([]uint64{40 * percent}), 0, "0:1/2048 of g0"},
		{"one of two", reading([]uint64{21 * percent / 10, percent}), 0, "0:1/128 of g0"},
		{"all together", reading([]uint64{15 * percent / 10, 18 * percent / 10, percent}), 0, "1:1/128 of g0"},
		{"another goroutine", reading([]uint64{percent}, []uint64{1, 3 * percent}), 0, "1:1/256 of g1"},
		{"a process that uses little", reading([]uint64{percent}), time.Second / 4, "0:1/256 of the process"},
		{"many goroutines", reading([]uint64{percent}, []uint64{percent}, []uint64{percent}, []uint64{percent}), time.Second, "0:1/256 of the process"},
		{"few calls", reading([]uint64{999}), leastUsed, ""},
	} {
		if got := names(chosen(x.in, x.used)); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// A function whose wait is sampled seems to run meanwhile.
func TestOfManyZonesThoseAreSampledWhoseTimeIsLeast(t *testing.T) {
	const percent = 500_000 // calls a second take 1 %
	calls := []uint64{percent * 9 / 10, percent * 9 / 10, percent * 9 / 10, percent * 9 / 10, percent * 9 / 10}
	told := []time.Duration{5 * time.Second, 100 * time.Millisecond, 900 * time.Millisecond, 40 * time.Millisecond, 5 * time.Second}
	for _, x := range []struct {
		name  string
		times uint64 // of calls
		waits []int
		want  string
	}{
		{"functions", 1, nil, "3:1/64 of g0"},
		{"a long wait", 1, []int{0}, "3:1/64 of g0"},
		{"one that takes too much alone", 3, []int{0, 4}, "0:1/256 of g0, 1:1/256 of g0, 2:1/256 of g0, 3:1/256 of g0, 4:1/256 of g0"},
	} {
		s := reading(calls)
		for i := range s.Lanes[0].Zones {
			z := &s.Lanes[0].Zones[i]
			z.Calls, z.Timed, z.Total = x.times*z.Calls, x.times*z.Timed, told[i]
			s.Zones[i].Wait = slices.Contains(x.waits, i)
		}
		if got := names(choose(loads(s.Lanes[0], s, time.Second))); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	s := reading([]uint64{percent * 3 / 10, percent * 3 / 10}, []uint64{percent * 3 / 10, percent * 3 / 10}, []uint64{0, 0, percent * 3 / 10})
	for i := range s.Lanes {
		for j := range s.Lanes[i].Zones {
			s.Lanes[i].Zones[j].Total = []time.Duration{time.Second, 20 * time.Millisecond, 10 * time.Millisecond}[j]
		}
	}
	s.Zones[0].Wait = true
	var w work
	w.add(s, time.Second)
	if all := w.loads(time.Second / 3); len(all) != 3 || !all[0].wait || all[1].wait || !all[0].long() || math.Abs(all[0].told-9) > 0.01 || math.Abs(all[1].told-0.18) > 0.01 {
		t.Errorf("of the process: %+v", all)
	}
	all := []load{{zone: 0, told: 2, wait: true}, {zone: 1, told: 1, wait: true}, {zone: 2, told: 2}, {zone: 3, told: 0.1}, {zone: 4, told: 3, wait: true}, {zone: 5, told: 5, wait: true}}
	for i := range all {
		all[i].share.all.Likely, all[i].share.full = 0.019, 0.019
	}
	var order []int
	for _, l := range tooMuch(all) {
		order = append(order, l.zone)
	}
	if want := []int{3, 1, 2}; !slices.Equal(order, want) { // the others are long waits, and stay, though they take more than 4 % together
		t.Errorf("%v are sampled, want %v", order, want)
	}
}

// A zone whose spans may cost much, because they are far apart, takes little of the time all the same.
func TestSeldomCallsAreTimedAndHaveTheirCost(t *testing.T) {
	for calls := uint64(leastCalls); calls < 450_000; calls += calls / 3 {
		s := reading([]uint64{calls})
		s.CostCold = 300
		if got := chosen(s, s.Elapsed); len(got) > 0 {
			t.Errorf("%d calls a second: %s", calls, names(got))
		}
		far, c := calls <= 200_000, costIn(s, &s.Lanes[0].Zones[0], s.Elapsed).all
		if each := c.Most / float64(calls); far != (each >= 300) || c.Likely > c.Most || c.Likely < c.Least {
			t.Errorf("%d calls a second: %+v", calls, c)
		}
	}
}

// A timed call of a sampled zone takes the slow path, and the others are counted.
func TestTheCostOfASampledZoneIsThatOfAllItsCalls(t *testing.T) {
	s := reading([]uint64{1000})
	s.Zones[0].Every, s.Lanes[0].Zones[0].Timed, s.CostSkipped = 10, 100, 3
	c, skipped := costIn(s, &s.Lanes[0].Zones[0], time.Microsecond), 900*max(3, entry())*inFunctions
	if want := 100*(sampledCost*s.Cost+entry())*inFunctions + skipped; math.Abs(c.all.Likely-want) > 1e-6 || math.Abs(c.skipped-skipped) > 1e-6 || math.Abs(c.full-1000*20) > 1e-6 {
		t.Errorf("%+v, want %v ns, of which %v for calls that are not timed", c, want, skipped)
	}
}

func TestCountingAloneMayTakeTooMuch(t *testing.T) {
	s := reading([]uint64{30_000_000})
	s.Zones[0].Every, s.Lanes[0].Zones[0].Timed, s.CostSkipped = 64, 30_000_000/64, 3
	if got := chosen(s, 0); len(got) != 1 || !got[0].Least || got[0].Every != 4096 {
		t.Errorf("%+v", got)
	}
}

// On a busy machine a goroutine runs only a part of the time.
func TestSharesAreThoseOfTheTimeThatAGoroutineCanHaveRun(t *testing.T) {
	for _, x := range []struct{ elapsed, used, want time.Duration }{
		{time.Second, 100 * time.Millisecond, 100 * time.Millisecond}, {time.Second, 2 * time.Second, time.Second},
		{time.Second, 0, time.Second}, {20 * time.Millisecond, time.Millisecond, 20 * time.Millisecond},
	} {
		if got := running(x.elapsed, x.used); got != x.want {
			t.Errorf("%v of processor time in %v: %v", x.used, x.elapsed, got)
		}
	}
}

// In the reading in which a zone became sampled, most of the timed calls are older.
func TestAChoiceDoesNotRestOnHowManyCallsWereTimed(t *testing.T) {
	for _, timed := range []uint64{3_000_000, 1_500_000, 3_000_000 / 8} {
		s := reading([]uint64{3_000_000})
		s.Zones[0].Every, s.Lanes[0].Zones[0].Timed = 8, timed
		for _, c := range chosen(s, 0) {
			if c.Every != 512 {
				t.Errorf("%d timed: 1 in %d", timed, c.Every)
			}
		}
	}
}

// A program that spends all of its time in small functions is slow until they are sampled.
func TestTheNextLookIsSoonAfterOneThatLoweredACost(t *testing.T) {
	for _, x := range []struct {
		took, since time.Duration
		lowered     bool
		share       float64
		want        time.Duration
	}{
		{0, firstLook / 2, false, 0, firstLook},
		{0, 3 * firstLook, false, 0.9, 3 * firstLook}, // the shorter the program has run, the more a pause matters
		{0, settled / 2, false, 0.9, laterLook},
		{0, settled, false, 0.9, laterLook},
		{0, settled / 2, true, 0.9, firstLook},
		{0, settled, true, 0.9, firstLook},
		{firstLook, settled / 2, false, 0.9, firstRest * firstLook},
		{firstLook, settled / 2, true, 1, worthIt * firstLook},
		{firstLook, settled / 2, true, 0.25, 4 * worthIt * firstLook},
		{firstLook, settled / 2, true, 0.01, firstRest * firstLook},
		{firstLook, settled / 2, true, 0, firstRest * firstLook},
		{firstLook, settled, false, 0.9, rest * firstLook},
		{firstLook, settled, true, 0.1, 10 * worthIt * firstLook},
		{firstLook, settled, true, 0, rest * firstLook},
	} {
		f := &feed{keeper: &keeper{lowered: x.lowered, share: x.share}}
		if got := f.pause(x.took, x.since); got != x.want {
			t.Errorf("%+v: %v", x, got)
		}
	}
}

// Only then is there a reason to look again soon: sampling does not lower what counting costs.
func TestOnlyAReadingAfterWhichMoreIsSampledLoweredACost(t *testing.T) {
	zone := strobe.NewZone("much")
	k := newKeeper()
	k.read()
	k.process = nil // of other tests
	looked := func() bool {
		for range 50 {
			for begin := time.Now(); time.Since(begin) < time.Millisecond; {
				zone.Enter().Exit()
			}
		}
		k.read()
		return k.lowered
	}
	if !looked() || k.share <= 0 || k.share > 1 {
		t.Errorf("a zone that takes nearly all of the time: lowered %v, share %v", k.lowered, k.share)
	}
	full := k.share
	if looked() || k.share > full/20 { // counting takes more than that
		t.Errorf("when it is sampled: lowered %v, share %v after %v", k.lowered, k.share, full)
	}
	at := slices.Index(strobe.Zones(), zone)
	s := profile.Snapshot{Zones: make([]profile.ZoneInfo, at+1)}
	s.Zones[at].Every = k.sampled[0].Every
	k.sample(s, []tether.Sampled{{Zone: at, Every: 2 * s.Zones[at].Every}})
	if k.lowered || k.sampled[0].Every != 2*s.Zones[at].Every {
		t.Errorf("when it is sampled less: lowered %v, 1 in %d", k.lowered, k.sampled[0].Every)
	}
}

// A receiver keeps the latest reading.
type receiver struct{ tether.Reading }

func (r *receiver) put(x tether.Reading) error { r.Reading = x; return nil }
func (r *receiver) close()                     {}

func TestAReadingHasTheCostsOfZones(t *testing.T) {
	strobe.NewZone("costing").Enter().Exit()
	var to receiver
	f := &feed{to: &to, keeper: newKeeper()}
	f.look()
	f.pass(false, false)
	if n := len(to.Snapshot.Zones); n == 0 || len(to.Costs) == 0 || len(to.Steady) != len(to.Costs) || to.Spans <= 0 {
		t.Errorf("%d zones, of which %v and %v ns are told, in all %v", n, to.Costs, to.Steady, to.Spans)
	}
}

// What a zone cost before it was sampled says little about a run in which it is sampled soon.
func TestWhatZonesCostOnceTheyAreSampled(t *testing.T) {
	const used, timing = 100 * time.Second, mostOfOne * sampledShare * float64(100*time.Second)
	k := &keeper{latest: used, costs: []float64{10 * timing, 10 * timing, timing / 2}, counted: []float64{timing, timing, timing / 4},
		sampled: []tether.Sampled{{Zone: 1}, {Zone: 2}, {Zone: 3}}} // of the last, nothing was read yet
	if got, want := k.steady(), []float64{10 * timing, 2 * timing, timing / 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if k.costs[1] != 10*timing {
		t.Error("what it cost is changed")
	}
}

// What zones cost adds up to what all of them cost.
func TestTheCostOfEachZoneIsKnown(t *testing.T) {
	zone, rare := strobe.NewZone("often"), strobe.NewZone("rare")
	k := newKeeper()
	for i := range 5000 {
		zone.Enter().Exit()
		if i%100 == 0 {
			rare.Enter().Exit()
		}
	}
	k.read()
	sum := 0.0
	for _, c := range k.costs {
		sum += c
	}
	at := func(z *strobe.Zone) float64 { return k.costs[slices.Index(strobe.Zones(), z)] }
	for i, c := range k.counted {
		if c > k.costs[i] || c <= 0 && k.costs[i] > 0 {
			t.Errorf("counting cost %v ns of %v", c, k.costs[i])
		}
	}
	if often, seldom := at(zone), at(rare); seldom <= 0 || often < 50*seldom || math.Abs(sum-k.spans.Likely) > 1e-9*sum {
		t.Errorf("often %v ns, rare %v ns, together %v and %v ns", often, seldom, sum, k.spans.Likely)
	}
}

func TestOnlyKnownFormatsAreExported(t *testing.T) {
	for name, ok := range map[string]bool{"a.json": true, "a.pb.gz": true, "a.html": false, "a": false, filepath.Join("missing", "a.json"): false} {
		if _, err := newExport(name); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), exportVariable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := newExport("a.html"); !strings.Contains(err.Error(), "strobe open") {
		t.Errorf("%v does not say how a page is made", err)
	}
}

func TestAnOfferIsForTheChildOfWhoMadeIt(t *testing.T) {
	for text, want := range map[string]bool{
		fmt.Sprintf(`{"parent":%d,"address":"x"}`, os.Getppid()): true, fmt.Sprintf(`{"parent":%d}`, os.Getpid()): false, "{}": false, "": false, "x": false} {
		if _, ok := parse(text); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
}
