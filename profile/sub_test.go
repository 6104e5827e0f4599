// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// at is the snapshot of a lane with one zone and one node, after so many ticks in it, at a rate.
func at(ticks uint64, rate float64, calls uint64) Snapshot {
	total := time.Duration(float64(ticks) * rate)
	return Snapshot{At: clock.Instant(total), NsPerTick: rate, Zones: []ZoneInfo{{Name: "z"}}, Lanes: []LaneStats{{
		Zones: []ZoneStats{{Calls: calls, Timed: calls, Total: total, Self: total, Sum: total}},
		Nodes: Tree{{Parent: -1, Calls: calls, Total: total, Self: total}},
	}}}
}

// A clock that is calibrated anew moves every total since the start. None of it is time that passed.
func TestSubAfterThirtyDaysIsRightWhenTheRateSteps(t *testing.T) {
	const hz, rate = 3e9, 1 / 3.0
	for _, step := range []float64{0, 1.3e-7, -1.3e-7, 1e-5} {
		begin := uint64(30 * 24 * 3600 * hz)
		before, now := at(begin, rate, 1e9), at(begin+hz, rate*(1+step), 1e9+1000)
		s := now.Sub(before)
		z, n := s.Lanes[0].Zones[0], s.Lanes[0].Nodes[0]
		for what, d := range map[string]time.Duration{"total": z.Total, "self": z.Self, "sum": z.Sum, "node": n.Total, "node's self": n.Self} {
			if math.Abs(d.Seconds()-1*(1+step)) > 1e-8 {
				t.Errorf("step %v: %s of a second is %v", step, what, d)
			}
		}
		if z.Calls != 1000 || z.Timed != 1000 || n.Calls != 1000 {
			t.Errorf("step %v: %+v", step, z)
		}
	}
}

func TestWhereNothingHappenedARateStepLeavesNothing(t *testing.T) {
	before, now := at(1e15+1, 0.3, 7), at(1e15+1, 0.3*(1+1.3e-7), 7)
	s := now.Sub(before)
	if z, n := s.Lanes[0].Zones[0], s.Lanes[0].Nodes[0]; z.Total|z.Self|z.Sum|n.Total|n.Self != 0 || z.Calls+n.Calls != 0 {
		t.Errorf("%+v %+v", z, n)
	}
}

func TestLanesZonesAndNodesThatAppearAreWhole(t *testing.T) {
	before := Snapshot{NsPerTick: 1, Lanes: []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 1, Calls: 2, Total: 20}}, Nodes: Tree{{Parent: -1, Zone: 1, Calls: 2, Total: 20}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0, Calls: 1, Total: 1}}}}}
	now := Snapshot{NsPerTick: 1, Lanes: []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 0, Calls: 4, Total: 4}, {Zone: 1, Calls: 5, Total: 50}},
			Nodes: Tree{{Parent: -1, Zone: 1, Calls: 5, Total: 50}, {Parent: 0, Zone: 0, Calls: 4, Total: 4}}},
		{LaneInfo: LaneInfo{ID: 1}, Zones: []ZoneStats{{Zone: 0, Calls: 9, Total: 9}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0, Calls: 1, Total: 1}}}}}
	got := now.Sub(before).Lanes
	want := []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 0, Calls: 4, Total: 4}, {Zone: 1, Calls: 3, Total: 30}},
			Nodes: Tree{{Parent: -1, Zone: 1, Calls: 3, Total: 30}, {Parent: 0, Zone: 0, Calls: 4, Total: 4}}},
		{LaneInfo: LaneInfo{ID: 1}, Zones: []ZoneStats{{Zone: 0, Calls: 9, Total: 9}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0}}, Nodes: Tree{}}}
	for i := range want {
		if !reflect.DeepEqual(got[i].Zones, want[i].Zones) || len(got[i].Nodes) != len(want[i].Nodes) {
			t.Errorf("lane %d: %+v, want %+v", i, got[i], want[i])
		}
		for j, n := range want[i].Nodes {
			if got[i].Nodes[j] != n {
				t.Errorf("lane %d node %d: %+v, want %+v", i, j, got[i].Nodes[j], n)
			}
		}
	}
	if now.Lanes[0].Zones[1].Calls != 5 || now.Lanes[0].Nodes[0].Calls != 5 {
		t.Error("Sub changed its receiver")
	}
}

func TestMisuseAndPooledDistributionsAreSubtracted(t *testing.T) {
	before := Snapshot{NsPerTick: 1, EndedTwice: 1, EndedElsewhere: 2, EndedEarly: 3, Abandoned: 4,
		Pooled: []ZoneStats{{Calls: 2, Timed: 2, Min: 10, Max: 20, Histogram: histogram(10, 20)}}}
	now := Snapshot{At: 50, NsPerTick: 1, EndedTwice: 11, EndedElsewhere: 22, EndedEarly: 33, Abandoned: 44, Zones: make([]ZoneInfo, 1),
		Pooled: []ZoneStats{{Calls: 4, Timed: 4, Min: 10, Max: 4000, Histogram: histogram(10, 20, 3000, 4000)}}}
	s := now.Sub(before)
	if s.Elapsed != 50 || s.EndedTwice != 10 || s.EndedElsewhere != 20 || s.EndedEarly != 30 || s.Abandoned != 40 {
		t.Errorf("%+v", s)
	}
	z := s.Totals()[0]
	if z.Histogram.N() != 2 || z.Min < 2900 || z.Min > 3000 || z.Max != 4000 {
		t.Errorf("%+v", z)
	}
	if z := now.Sub(now).Totals()[0]; z.Min != 0 || z.Max != 0 || !z.Histogram.Empty() {
		t.Errorf("the difference to itself is %+v", z)
	}
}
