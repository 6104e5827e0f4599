// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"strings"
	"testing"
	"time"
)

func TestTotalsAddUpLanesAndPools(t *testing.T) {
	s := Snapshot{Zones: make([]ZoneInfo, 3), Lanes: []LaneStats{
		{Zones: []ZoneStats{{Zone: 0, Calls: 2, Timed: 1, Open: 1, Total: 30, Self: 20, Sum: 25, Min: 5, Max: 20, Histogram: histogram(5, 20)}}},
		{Zones: []ZoneStats{{Zone: 0, Calls: 3, Timed: 3, Total: 3, Self: 2, Sum: 3, Min: 1, Max: 1, Histogram: histogram(1, 1, 1)}, {Zone: 2, Calls: 1}}}},
		Pooled: []ZoneStats{{Zone: 0, Calls: 4, Timed: 4, Min: 100, Max: 100, Histogram: histogram(100, 100, 100, 100)}}}
	first := s.Lanes[0].Zones[0].Histogram.N()
	all := s.Totals()
	z := all[0]
	if len(all) != 3 || all[1].Zone != 1 || all[1].Calls != 0 || all[2].Calls != 1 {
		t.Fatalf("%+v", all)
	}
	if z.Calls != 5 || z.Timed != 4 || z.Open != 1 || z.Total != 33 || z.Self != 22 || z.Sum != 28 || z.Min != 1 || z.Max != 100 || z.Histogram.N() != 9 {
		t.Errorf("%+v", z)
	}
	s.Lanes[1].Zones[0].SelfUnknown, s.Lanes[1].Zones[0].Self = true, 0
	if z := s.Totals()[0]; !z.SelfUnknown || z.Self != 0 || z.Total != 33 {
		t.Errorf("with an unknown self time: %+v", z)
	}
	strange := []ZoneStats{{Zone: 3, Calls: 1, Histogram: histogram(1)}, {Zone: -1, Calls: 1, Histogram: histogram(1)}}
	s.Lanes, s.Pooled = append(s.Lanes, LaneStats{Zones: strange}), append(s.Pooled, strange...)
	if all := s.Totals(); len(all) != 3 || all[0].Calls != 5 || all[0].Histogram.N() != 9 || all[1].Calls != 0 || all[2].Calls != 1 {
		t.Errorf("with zones that do not exist: %+v", all)
	}
	if s.Lanes[0].Zones[0].Histogram.N() != first {
		t.Error("Totals changed what it reads")
	}
}

func TestMeanIsThatOfAllCallsAndUnknownWithoutAny(t *testing.T) {
	if d, ok := (ZoneStats{Calls: 4, Timed: 4, Total: 8, Sum: 10}).Mean(); !ok || d != 2.5 {
		t.Errorf("%v %v", d, ok)
	}
	for _, z := range []ZoneStats{{}, {Open: 1, Total: 5}, {Calls: 3, Sum: 3}} {
		if d, ok := z.Mean(); ok || d != 0 {
			t.Errorf("%+v: %v", z, d)
		}
	}
}

func TestQuantilesLieWithinTheExtremes(t *testing.T) {
	z := ZoneStats{Calls: 2, Timed: 2, Min: 1001, Max: 1003, Histogram: histogram(1001, 1003)}
	for _, q := range []float64{0, 0.5, 1} {
		if d, ok := z.Quantile(q); !ok || d < 1001 || d > 1003 {
			t.Errorf("%v: %v %v", q, d, ok)
		}
	}
	if _, ok := (ZoneStats{Calls: 3}).Quantile(0.5); ok {
		t.Error("a zone without a distribution has a median")
	}
}

func TestZoneFindsTheFirstOfAName(t *testing.T) {
	s := Snapshot{Zones: []ZoneInfo{{Name: "a"}, {Name: "b"}, {Name: "b"}}}
	if i, ok := s.Zone("b"); !ok || i != 1 {
		t.Errorf("%d %v", i, ok)
	}
	if _, ok := s.Zone("c"); ok {
		t.Error("a zone that is not there was found")
	}
}

func TestStringIsATableBySelfTime(t *testing.T) {
	long := "a name that is longer than twenty digits"
	s := Snapshot{Zones: []ZoneInfo{{Name: "update"}, {Name: long}, {Name: "never"}, {Name: "stuck"}, {Name: "shared"}}, Notes: []string{"a note"},
		Lanes: []LaneStats{{Zones: []ZoneStats{
			{Zone: 0, Calls: 2, Timed: 2, Total: 3 * time.Millisecond, Self: time.Millisecond, Sum: 3 * time.Millisecond, Min: 1e6, Max: 2e6, Histogram: histogram(1e6, 2e6)},
			{Zone: 1, Calls: 1, Timed: 1, Total: 2 * time.Millisecond, Self: 2 * time.Millisecond, Sum: 2 * time.Millisecond},
			{Zone: 3, Open: 1, Total: 5, Self: 5}, {Zone: 4, Calls: 1, Timed: 1, Total: 1500 * time.Microsecond, Sum: 1500 * time.Microsecond, SelfUnknown: true}}}}}
	lines := strings.Split(s.String(), "\n")
	want := []string{"zone calls total self mean p99", long + " 1 2 ms 2 ms 2 ms -", "shared 1 1.5 ms - 1.5 ms -", "update 2 3 ms 1 ms 1.5 ms 1.999 ms", "stuck 0 5 ns 5 ns - -", "a note", ""}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i := range want {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want[i] {
			t.Errorf("line %d is %q, want %q", i, got, want[i])
		}
	}
	if got := (Snapshot{}).String(); strings.Count(got, "\n") != 1 {
		t.Errorf("nothing is %q", got)
	}
}

func TestASnapshotSaysWhetherMeasuringIsOn(t *testing.T) {
	for _, c := range []struct {
		every []int
		want  bool
	}{{nil, true}, {[]int{1}, true}, {[]int{-1, 64}, true}, {[]int{-1}, false}, {[]int{-1, -1}, false}} {
		var s Snapshot
		for _, n := range c.every {
			s.Zones = append(s.Zones, ZoneInfo{Every: n})
		}
		if s.Enabled() != c.want {
			t.Errorf("with zones of %v: %v", c.every, s.Enabled())
		}
	}
}
