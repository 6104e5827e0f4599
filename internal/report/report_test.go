// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// program is a second of a program with the given number of lanes, each of which ran two zones of three: update around draw.
func program(lanes int) profile.Snapshot {
	s := profile.Snapshot{Elapsed: time.Second, Cost: 20, Floor: 9, Uncertainty: 3, NsPerTick: 1,
		Zones: []profile.ZoneInfo{{Name: "update", Every: 1}, {Name: "never", Every: 1}, {Name: "draw", Wait: true, Every: 1}}}
	for i := range lanes {
		s.Lanes = append(s.Lanes, profile.LaneStats{LaneInfo: profile.LaneInfo{ID: i, Name: fmt.Sprint("worker ", i)},
			Zones: []profile.ZoneStats{
				{Zone: 0, Calls: 10, Timed: 10, Total: 500 * time.Millisecond, Self: 300 * time.Millisecond, Sum: 500 * time.Millisecond},
				{Zone: 1},
				{Zone: 2, Calls: 20, Timed: 20, Open: 1, Total: 200 * time.Millisecond, Self: 200 * time.Millisecond, Sum: 200 * time.Millisecond}},
			Nodes: profile.Tree{
				{Parent: -1, Zone: 0, Calls: 10, Total: 500 * time.Millisecond, Self: 300 * time.Millisecond},
				{Parent: 0, Zone: 2, Calls: 20, Total: 200 * time.Millisecond, Self: 200 * time.Millisecond, Open: true},
				{Parent: -1, Zone: 1}}})
	}
	return s
}

func makes(o Options, s profile.Snapshot) *Report {
	m := &maker{}
	m.o, m.warning = o.withDefaults()
	var parts Slices
	for range 4 {
		parts.add(s)
	}
	return m.make(s, parts)
}

func names(r *Report) (out []string) {
	for _, row := range r.Rows {
		out = append(out, row.Lane.Name+"/"+row.Zone.Name)
	}
	return out
}

func TestFewLanesHaveRowsOfTheirOwn(t *testing.T) {
	r := makes(Options{}, program(2))
	if want := []string{"worker 0/update", "worker 0/draw", "worker 1/update", "worker 1/draw"}; !slices.Equal(names(r), want) || r.Lanes != 0 {
		t.Fatalf("%q over %d lanes", names(r), r.Lanes)
	}
	row := r.Rows[1]
	if row.Share != 0.2 || row.Probe != 20*20e-9 || row.Mean.Center != 1e7 || row.Mean.Half() != 3 || !row.Zone.Wait || row.Stats.Open != 1 {
		t.Errorf("%+v", row)
	}
}

func TestManyLanesAreSummedUp(t *testing.T) {
	r := makes(Options{}, program(200))
	if want := []string{"/update", "/draw"}; !slices.Equal(names(r), want) || r.Lanes != 200 || r.Left != 0 {
		t.Fatalf("%q over %d lanes, %d left", names(r), r.Lanes, r.Left)
	}
	s := program(200)
	s.Lanes = append(s.Lanes, profile.LaneStats{LaneInfo: profile.LaneInfo{ID: 200}, Zones: []profile.ZoneStats{{Zone: 1}}})
	if r := makes(Options{}, s); r.Lanes != 200 {
		t.Errorf("a lane on which nothing happened is one of %d", r.Lanes)
	}
	if row := r.Rows[0]; row.Stats.Calls != 2000 || row.Share != 100 || row.Mean.Center != 5e7 || row.Mean.Level == 0 {
		t.Errorf("%+v", row)
	}
	if r := makes(Options{Rows: -1}, program(200)); len(r.Rows) != 400 || r.Lanes != 0 {
		t.Errorf("without a limit there are %d rows over %d lanes", len(r.Rows), r.Lanes)
	}
}

func TestAsManyRowsAsAreAllowedAreShown(t *testing.T) {
	for rows, lanes := range map[int]int{4: 0, 3: 2} {
		if r := makes(Options{Rows: rows}, program(2)); r.Lanes != lanes || r.Left != 0 {
			t.Errorf("at most %d rows: %q over %d lanes", rows, names(r), r.Lanes)
		}
	}
}

// A lane may be read after the list of zones.
func TestZonesThatAreNotListedYetHaveNoRow(t *testing.T) {
	s := program(1)
	s.Lanes[0].Zones[1] = profile.ZoneStats{Zone: 3, Calls: 1, Timed: 1}
	s.Lanes[0].Nodes[2] = profile.Node{Parent: -1, Zone: 3, Calls: 1}
	if r := makes(Options{}, s); len(r.Rows) != 2 {
		t.Errorf("%q", names(r))
	}
	if r := makes(Options{Tree: true, Lanes: true}, s); r.Rows[2].Zone.Name != "(paths beyond the limits)" {
		t.Errorf("%q", names(r))
	}
}

func TestRowsOfSampledZonesHaveTheErrorOfTheTime(t *testing.T) {
	s := program(1)
	for i, c := range []struct {
		calls uint64
		sum   time.Duration
	}{{10, 500 * time.Millisecond}, {640, 500 * time.Millisecond}, {640, 0}} {
		z := &s.Lanes[0].Zones[0]
		z.Calls, z.Sum, z.Histogram = c.calls, c.sum, profile.Histogram{First: 100, Counts: []uint64{5, 0, 5}, NsPerTick: 1}
		row := makes(Options{}, s).Rows[0]
		want := 0.0
		if i == 1 {
			want = row.Mean.Half() / row.Mean.Center
		}
		if !(math.Abs(row.Error-want) <= 1e-12) || i > 0 && row.Mean.Half() == 0 {
			t.Errorf("%d calls in %v: error %v, want %v", c.calls, c.sum, row.Error, want)
		}
	}
}

func TestRowsAreLimitedToThoseWithTheMostTime(t *testing.T) {
	s := program(20)
	s.Lanes[7].Zones[0].Self, s.Lanes[3].Zones[2].Self = time.Second, 2*time.Second
	r := makes(Options{Lanes: true, Rows: 2}, s)
	if want := []string{"worker 3/draw", "worker 7/update"}; !slices.Equal(names(r), want) || r.Left != 38 || r.LeftSelf != 19*500*time.Millisecond {
		t.Errorf("%q, %d left of %v", names(r), r.Left, r.LeftSelf)
	}
	// There may be too many zones alone.
	s = profile.Snapshot{Elapsed: time.Second, Zones: make([]profile.ZoneInfo, 100), Lanes: make([]profile.LaneStats, 1)}
	for i := range 100 {
		s.Zones[i].Name = fmt.Sprint("z", i)
		s.Lanes[0].Zones = append(s.Lanes[0].Zones, profile.ZoneStats{Zone: i, Calls: 1, Self: time.Duration(i)})
	}
	r = makes(Options{}, s)
	if len(r.Rows) != defaultRows || r.Left != 76 || r.Rows[0].Zone.Name != "z76" || r.LeftSelf != 75*76/2 {
		t.Errorf("%q, %d left of %v", names(r), r.Left, r.LeftSelf)
	}
}

func TestTreeHasARowForEachPathInItsPlace(t *testing.T) {
	r := makes(Options{Tree: true}, program(30))
	if len(r.Rows) != 2 || r.Lanes != 30 || r.Rows[0].Stats.Calls != 300 || r.Rows[1].Stats.Self != 6*time.Second || r.Rows[1].Stats.Open != 1 ||
		!slices.Equal(r.Rows[1].Path, []string{"update", "draw"}) || r.Rows[1].Share != 6 || math.Abs(r.Rows[1].Probe-600*20e-9) > 1e-15 {
		t.Errorf("%+v", r.Rows)
	}
	s := program(2)
	s.Lanes[1].Nodes = nil
	if r := makes(Options{Tree: true}, s); r.Lanes != 1 {
		t.Errorf("a lane without a tree is one of %d", r.Lanes)
	}
	if r := makes(Options{Tree: true, Lanes: true}, program(2)); len(r.Rows) != 4 || r.Lanes != 0 || r.Rows[3].Lane.Name != "worker 1" || len(r.Rows[3].Path) != 2 {
		t.Errorf("%+v", r.Rows)
	}
}

func TestALimitedTreeKeepsParentsAndItsOrder(t *testing.T) {
	s := profile.Snapshot{Elapsed: time.Second, Zones: []profile.ZoneInfo{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Lanes: []profile.LaneStats{{Nodes: profile.Tree{
		{Parent: -1, Zone: 0, Calls: 1, Total: 100, Self: 0}, {Parent: 0, Zone: 1, Calls: 1, Total: 30, Self: 30}, {Parent: 0, Zone: 2, Calls: 1, Total: 70, Self: 0},
		{Parent: 2, Zone: 0, Calls: 1, Total: 70, Self: 70}, {Parent: -1, Zone: profile.Other, Calls: 1, Total: 20, Self: 20}}}}}
	r := makes(Options{Tree: true, Rows: 3}, s)
	var paths []string
	for _, row := range r.Rows {
		paths = append(paths, strings.Join(row.Path, ">"))
	}
	if want := []string{"a", "a>c", "a>c>a"}; !slices.Equal(paths, want) || r.Left != 2 || r.LeftSelf != 50 {
		t.Errorf("%q, %d left of %v", paths, r.Left, r.LeftSelf)
	}
	if r := makes(Options{Tree: true}, s); r.Rows[4].Zone.Name != "(paths beyond the limits)" {
		t.Errorf("%+v", r.Rows[4])
	}
}

// Measuring ten zones of a lane, each for a tenth of its time, takes all of it; skipped calls have a cost too.
// Of spans that are far apart, each costs up to the mean of the two costs that were measured.
func TestSeldomCallsCostMore(t *testing.T) {
	s := program(1)
	took := func() float64 { return makes(Options{}, s).Probe * float64(s.Elapsed) }
	hot := took()
	s.CostCold = 300
	if cold := took(); math.Abs(hot-30*20) > 1 || math.Abs(cold-30*160) > 10 {
		t.Errorf("30 calls cost %v ns in a loop, and %v ns far apart", hot, cold)
	}
}

func TestWhatMeasuringTakesIsSummedOverALane(t *testing.T) {
	s := profile.Snapshot{Elapsed: 10_000, Cost: 10, Zones: make([]profile.ZoneInfo, 11), Lanes: []profile.LaneStats{
		{LaneInfo: profile.LaneInfo{Name: "idle"}}, {LaneInfo: profile.LaneInfo{ID: 1, Name: "busy"}},
		{LaneInfo: profile.LaneInfo{ID: 2, Name: "shared", Shared: true}, Zones: []profile.ZoneStats{{Calls: 1e6, Timed: 1e6}}}}}
	for i := range 10 {
		s.Lanes[1].Zones = append(s.Lanes[1].Zones, profile.ZoneStats{Zone: i, Calls: 80, Timed: 80})
	}
	s.Lanes[1].Zones = append(s.Lanes[1].Zones, profile.ZoneStats{Zone: 10, Calls: 1010, Timed: 10})
	r := makes(Options{}, s)
	if want := (10*80*10 + 10*10 + 1000*1) / 10_000.0; r.Probe != want || r.ProbeLane != "busy" {
		t.Errorf("%v of %s, want %v", r.Probe, r.ProbeLane, want)
	}
	s.Lanes = append(s.Lanes, s.Lanes[1])
	s.Lanes[3].Name = "as busy"
	if r := makes(Options{}, s); r.ProbeLane != "busy" {
		t.Errorf("of two lanes that are equally busy, %q is named", r.ProbeLane)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "busy") || !strings.Contains(r.Warnings[0], "SetSampling") {
		t.Errorf("%q", r.Warnings)
	}
}

func TestMisuseIsSaidWithItsRemedyWhenItGrows(t *testing.T) {
	s := program(1)
	if r := makes(Options{}, s); len(r.Warnings) != 0 {
		t.Errorf("%q", r.Warnings)
	}
	s.EndedTwice, s.EndedElsewhere, s.EndedEarly, s.Abandoned = 1, 2, 3, 4
	r := makes(Options{}, s)
	for i, want := range []string{"a span was ended twice: ", "2 times Exit was called on another goroutine", "3 spans ended only because", "4 spans were open when their goroutine ended: "} {
		if len(r.Warnings) != 4 || !strings.Contains(r.Warnings[i], want) {
			t.Errorf("no %q in %q", want, r.Warnings)
		}
	}
}

func TestLanesThatFallSilentAreNamedOnce(t *testing.T) {
	m := &maker{}
	m.o, _ = Options{}.withDefaults()
	m.make(program(6), nil)
	s := program(1)
	if r := m.make(s, nil); !slices.Equal(r.Silent, []string{"worker 1", "worker 2", "worker 3", "worker 4", "worker 5"}) {
		t.Errorf("%q", r.Silent)
	}
	if r := m.make(s, nil); len(r.Silent) != 0 {
		t.Errorf("%q", r.Silent)
	}
}

func TestItIsSaidWhenReadingTakesTooLongForIntervals(t *testing.T) {
	enough := make(Slices, leastSlices)
	for _, c := range []struct {
		what    string
		o       Options
		elapsed time.Duration
		lanes   int
		parts   Slices
		said    bool
	}{
		{what: "two slices", elapsed: time.Second, lanes: 1, parts: enough[1:], said: true},
		{what: "three slices", elapsed: time.Second, lanes: 1, parts: enough},
		{what: "no rows", elapsed: time.Second},
		{what: "a tree, which has no intervals", o: Options{Tree: true}, elapsed: time.Second, lanes: 1},
		{what: "half of the time, at the end of the program", elapsed: time.Second / 2, lanes: 1, said: true},
		{what: "less", elapsed: time.Second/2 - 1, lanes: 1},
	} {
		m := &maker{}
		m.o, _ = c.o.withDefaults()
		s := program(c.lanes)
		s.Elapsed = c.elapsed
		r := m.make(s, c.parts)
		if said := len(r.Warnings) == 1 && strings.Contains(r.Warnings[0], "report less often"); said != c.said {
			t.Errorf("%s: %q", c.what, r.Warnings)
		}
	}
}

func TestAnIntervalBelowTheShortestIsSaid(t *testing.T) {
	for every, want := range map[time.Duration]string{soonest: "", soonest - 1: "reports every 9.999999ms were requested; the shortest interval is 10ms"} {
		if o, warning := (Options{Every: every}).withDefaults(); o.Every != soonest || warning != want {
			t.Errorf("%v: %v, %q", every, o.Every, warning)
		}
	}
	r := makes(Options{Every: time.Millisecond}, program(1))
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "1ms") || !strings.Contains(r.Warnings[0], "10ms") {
		t.Errorf("%q", r.Warnings)
	}
	for _, every := range []time.Duration{-1, 0} {
		if o, warning := (Options{Every: every}).withDefaults(); o.Every != time.Second || warning != "" {
			t.Errorf("%v: %+v, %q", every, o, warning)
		}
	}
}

func TestStopMayBeCalledByAnyoneAnyNumberOfTimes(t *testing.T) {
	n := 0
	nothing := func() profile.Snapshot { return profile.Snapshot{} }
	r := Start(Options{Every: time.Hour}, Readers{nothing, nothing}, func(*Report) { n++ })
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			r.Stop()
		}()
	}
	all.Wait()
	r.Stop()
	if n != 1 {
		t.Errorf("%d last reports", n)
	}
}
