// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// at is the snapshot of a lane with one zone and one node, after the given number of ticks in it, at a rate.
func at(ticks uint64, rate float64, calls uint64) Snapshot {
	total := time.Duration(float64(ticks) * rate)
	return Snapshot{At: clock.Instant(total), NsPerTick: rate, Zones: []ZoneInfo{{Name: "z"}}, Lanes: []LaneStats{{
		Zones: []ZoneStats{{Calls: calls, Timed: calls, Total: total, Self: total, Sum: total}},
		Nodes: Tree{{Parent: -1, Calls: calls, Total: total, Self: total}},
	}}}
}

// Recalibrating the clock changes every total since the start, although no time has passed.
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
	for i := range uint64(100) {
		before, now := at(1e15+i, 0.3, 7), at(1e15+i, 0.3*(1+1.3e-7), 7)
		s := now.Sub(before)
		if z, n := s.Lanes[0].Zones[0], s.Lanes[0].Nodes[0]; z.Total|z.Self|z.Sum|n.Total|n.Self != 0 || z.Calls+n.Calls != 0 {
			t.Errorf("%+v %+v", z, n)
		}
	}
}

func TestTimeOfASpanThatWasOpenCountsWithoutACall(t *testing.T) {
	for _, open := range []bool{true, false} { // false means that it was abandoned meanwhile
		before, now := at(100, 1, 7), at(150, 1, 7)
		before.Lanes[0].Zones[0].Open, before.Lanes[0].Nodes[0].Open = 1, true
		if open {
			now.Lanes[0].Zones[0].Open, now.Lanes[0].Nodes[0].Open = 1, true
		}
		s := now.Sub(before)
		if z, n := s.Lanes[0].Zones[0], s.Lanes[0].Nodes[0]; z.Total != 50 || z.Self != 50 || n.Total != 50 || n.Self != 50 || z.Sum != 0 {
			t.Errorf("still open %v: %+v %+v", open, z, n)
		}
	}
}

func TestASnapshotWithoutARateIsSubtractedAsItIs(t *testing.T) {
	for _, rates := range [][2]float64{{0, 1}, {1, 0}, {0, 0}} {
		before, now := at(100, 1, 7), at(150, 1, 8)
		before.NsPerTick, now.NsPerTick = rates[0], rates[1]
		if z := now.Sub(before).Lanes[0].Zones[0]; z.Total != 50 || z.Calls != 1 {
			t.Errorf("%v: %+v", rates, z)
		}
	}
	now := at(150, 1, 8)
	if got := now.Sub(Snapshot{}); !reflect.DeepEqual(got.Lanes, now.Lanes) || got.Elapsed != 150 {
		t.Errorf("since nothing: %+v", got)
	}
}

// Many lanes share the slices that a difference is allocated in.
func TestUnknownSelfTimesStayUnknown(t *testing.T) {
	at := func(calls uint64, total time.Duration) Snapshot {
		return Snapshot{Zones: make([]ZoneInfo, 1), Lanes: []LaneStats{{Zones: []ZoneStats{{Calls: calls, Timed: calls, Total: total, Sum: total, SelfUnknown: true}}}}}
	}
	if z := at(3, 100).Sub(at(1, 40)).Lanes[0].Zones[0]; !z.SelfUnknown || z.Self != 0 || z.Total != 60 {
		t.Errorf("%+v", z)
	}
	if z := at(3, 100).Sub(at(3, 100)).Lanes[0].Zones[0]; z.SelfUnknown {
		t.Errorf("nothing happened: %+v", z)
	}
	text, err := json.Marshal(at(3, 100).Lanes[0].Zones[0])
	if err != nil || strings.Contains(string(text), "self_ns") || !strings.Contains(string(text), `"self_unknown":true`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestDifferencesOfLargeLanesAreApart(t *testing.T) {
	large := func(calls uint64) (s Snapshot) {
		s.NsPerTick = 1
		for id, n := range []int{1, 3000, 2, 500, 5000} {
			l := LaneStats{LaneInfo: LaneInfo{ID: id}}
			for i := range n {
				h := Histogram{First: i % 900, Counts: []uint64{calls * uint64(i+id+1), calls, 1}, NsPerTick: 1}
				l.Zones = append(l.Zones, ZoneStats{Zone: i, Calls: calls * uint64(i+id+1), Max: math.MaxInt64, Histogram: h})
				l.Nodes = append(l.Nodes, Node{Parent: -1, Zone: i, Calls: calls * uint64(i+id+1)})
			}
			s.Lanes = append(s.Lanes, l)
		}
		return s
	}
	got := large(5).Sub(large(3))
	for id, l := range got.Lanes {
		for i := range l.Zones {
			want := 2 * uint64(i+id+1)
			if l.Zones[i].Calls != want || l.Nodes[i].Calls != want || !reflect.DeepEqual(l.Zones[i].Histogram.Counts, []uint64{want, 2}) {
				t.Fatalf("lane %d: zone %+v, node %+v, want %d calls", id, l.Zones[i], l.Nodes[i], want)
			}
		}
	}
}

func TestExtremesOfADifferenceAreThoseOfItsCells(t *testing.T) {
	of := func(h Histogram, lo, hi time.Duration) Snapshot {
		h.NsPerTick = 2
		return Snapshot{NsPerTick: 1, Lanes: []LaneStats{{Zones: []ZoneStats{{Calls: h.N(), Timed: h.N(), Min: lo, Max: hi, Histogram: h}}}}}
	}
	for d := range time.Duration(200) {
		z := of(histogram(0, d, 300), 0, 600).Sub(of(histogram(0, 300), 0, 600)).Lanes[0].Zones[0]
		lo, hi := octaves.Range(octaves.Index(uint64(d)))
		if z.Min != 2*time.Duration(lo) || z.Max != 2*time.Duration(hi)+1 || z.Calls != 1 {
			t.Errorf("of %d ticks alone: from %d to %d", d, z.Min, z.Max)
		}
	}
}

func TestLanesZonesAndNodesThatAppearAreWhole(t *testing.T) {
	before := Snapshot{NsPerTick: 1, Lanes: []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 1, Calls: 2, Total: 20}}, Nodes: Tree{{Parent: -1, Zone: 1, Calls: 2, Total: 20}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0, Calls: 1, Total: 1}, {Zone: 1, Calls: 1}}, Nodes: Tree{{Parent: -1, Calls: 1, Total: 1}}}}}
	now := Snapshot{NsPerTick: 1, Lanes: []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 0, Calls: 4, Total: 4}, {Zone: 1, Calls: 5, Total: 50}},
			Nodes: Tree{{Parent: -1, Zone: 1, Calls: 5, Total: 50}, {Parent: 0, Zone: 0, Calls: 4, Total: 4}}},
		{LaneInfo: LaneInfo{ID: 1}, Zones: []ZoneStats{{Zone: 0, Calls: 9, Total: 9}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0, Calls: 1, Total: 1}, {Zone: 2, Calls: 2}, {Zone: 3, Calls: 3}},
			Nodes: Tree{{Parent: -1, Calls: 3, Total: 7}}}}}
	got := now.Sub(before).Lanes
	want := []LaneStats{
		{LaneInfo: LaneInfo{ID: 0}, Zones: []ZoneStats{{Zone: 0, Calls: 4, Total: 4}, {Zone: 1, Calls: 3, Total: 30}},
			Nodes: Tree{{Parent: -1, Zone: 1, Calls: 3, Total: 30}, {Parent: 0, Zone: 0, Calls: 4, Total: 4}}},
		{LaneInfo: LaneInfo{ID: 1}, Zones: []ZoneStats{{Zone: 0, Calls: 9, Total: 9}}},
		{LaneInfo: LaneInfo{ID: 2}, Zones: []ZoneStats{{Zone: 0}, {Zone: 2, Calls: 2}, {Zone: 3, Calls: 3}}, Nodes: Tree{{Parent: -1, Calls: 2, Total: 6}}}}
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

// The difference has the frames since the earlier snapshot, not those of the whole run.
func TestSubOfFrames(t *testing.T) {
	loop := func(name string, turns uint64, times ...int64) FrameStats {
		var h stat.Histogram
		var m stat.BatchMeans
		f := FrameStats{Name: name, Turns: turns, Rate: 60, P50: 1, P99: 1}
		for _, d := range times {
			h.Record(d)
			m.Add(d)
			f.Sum += time.Duration(d)
		}
		f.Frame, f.Histogram = m.Interval(0.95), NewHistogram(&h)
		f.Min, f.Max = time.Duration(h.Min()), time.Duration(h.Max())
		return f
	}
	earlier := Snapshot{Frames: []FrameStats{loop("main", 4, 1e6, 50e6, 2e6), loop("idle", 3, 7, 7), loop("begun", 1)}}
	later := Snapshot{Frames: []FrameStats{loop("main", 6, 1e6, 50e6, 2e6, 4e6, 8e6), loop("idle", 3, 7, 7), loop("begun", 2, 5e6), loop("new", 2, 3e6)}}
	d := later.Sub(earlier).Frames
	near := func(a, b time.Duration) bool { return a >= b-b/16 && a <= b+b/16 }
	if f := d[0]; f.Turns != 2 || f.Sum != 12e6 || f.Histogram.N() != 2 || !near(f.Min, 4e6) || !near(f.Max, 8e6) || !near(f.P50, 4e6) || !near(f.P99, 8e6) ||
		f.Rate != 60 || f.Frame.Center != 6e6 || f.Frame.N != 2 || f.Frame.Bounded() || f.Frame.Reason == "" {
		t.Errorf("two turns: %+v", f)
	}
	if f := d[1]; f.Turns != 0 || f.Sum != 0 || f.Max != 0 || f.P99 != 0 || !f.Histogram.Empty() || f.Frame.Known() || f.Frame.Reason == "" {
		t.Errorf("no turn: %+v", f)
	}
	if f := d[2]; f.Turns != 1 || f.Sum != 5e6 || f.Max != 5e6 || f.Frame.N != 1 {
		t.Errorf("the first frame time: %+v", f)
	}
	if !reflect.DeepEqual(d[3], later.Frames[3]) {
		t.Errorf("a loop that is new: %+v", d[3])
	}
	if f := later.Frames[0]; f.Turns != 6 || f.Histogram.N() != 5 {
		t.Errorf("Sub has changed the later snapshot: %+v", f)
	}
	if d := later.Sub(Snapshot{}).Frames; !reflect.DeepEqual(d, later.Frames) {
		t.Errorf("since the beginning: %+v", d)
	}
}
