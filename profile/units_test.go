// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// served is a snapshot of a program that served requests on two lanes, with the given durations in turn.
func served(took ...time.Duration) Snapshot {
	s := Snapshot{At: 10e9, Elapsed: 10 * time.Second, NsPerTick: 1, Zones: []ZoneInfo{{Name: "plain", Every: 1}, {Name: "request", Root: true, Every: 1}}}
	for lane := range 2 {
		var h stat.Histogram
		z := ZoneStats{Zone: 1}
		for i := lane; i < len(took); i += 2 {
			d := took[i]
			h.Record(int64(d))
			if z.Calls == 0 {
				z.Min, z.Max = d, d
			}
			z.Calls, z.Timed, z.Sum, z.Min, z.Max = z.Calls+1, z.Timed+1, z.Sum+d, min(z.Min, d), max(z.Max, d)
		}
		z.Total, z.Self, z.Histogram = z.Sum, z.Sum, NewHistogram(&h)
		s.Lanes = append(s.Lanes, LaneStats{LaneInfo: LaneInfo{ID: lane}, Zones: []ZoneStats{{Zone: 0, Calls: 5, Timed: 5}, z},
			Nodes: Tree{{Parent: -1, Zone: 1, Calls: z.Calls, Total: z.Total, Self: z.Self}}})
	}
	s.Units = s.UnitTotals()
	return s
}

// latencies returns n durations around a millisecond.
func latencies(n int, seed uint64) []time.Duration {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Duration(1e6 * math.Exp(r.NormFloat64()/2))
	}
	return out
}

func TestUnitsHaveTheQuantilesOfAllLanesWithTheIntervalOfOrderStatistics(t *testing.T) {
	took := latencies(5000, 1)
	s := served(took...)
	if len(s.Units) != 1 {
		t.Fatalf("%+v", s.Units)
	}
	u := s.Units[0]
	if u.Zone != 1 || u.Calls != 5000 || u.Rate != 500 || u.Max != slices.Max(took) || u.Open != 0 {
		t.Errorf("%+v", u)
	}
	values := make([]float64, len(took))
	for i, d := range took {
		values[i] = float64(d)
	}
	for q, iv := range map[float64]stat.Interval{0.5: u.P50, 0.99: u.P99, 0.999: u.P999} {
		exact := sample.QuantileInterval(values, q, 0.95)
		const cell = 1. / 16 // the widest that a cell is, relative to its values
		if !iv.Bounded() || iv.Level != 0.95 || iv.N != 5000 || iv.Method != exact.Method || len(iv.Warnings) != 1 ||
			iv.Lo > exact.Lo || iv.Lo < exact.Lo*(1-cell) || iv.Hi < exact.Hi || iv.Hi > exact.Hi*(1+cell) || math.Abs(iv.Center/exact.Center-1) > cell {
			t.Errorf("quantile %v: %+v, want about %v", q, iv, exact)
		}
	}
}

// The shares of quantiles that the intervals cover are at least the level, since they reach to the bounds of cells.
func TestIntervalsOfUnitsCoverTheTrueQuantile(t *testing.T) {
	const runs = 1000
	median, p99 := 1e6, 1e6*math.Exp(2.3263478740408408/2)
	var coveredMedian, coveredP99 int
	for run := range uint64(runs) {
		u := served(latencies(400, run)...).Units[0]
		if u.P50.Lo <= median && median <= u.P50.Hi {
			coveredMedian++
		}
		if u.P99.Lo <= p99 && p99 <= u.P99.Hi {
			coveredP99++
		}
	}
	if coveredMedian < 0.94*runs || coveredP99 < 0.94*runs {
		t.Errorf("of %d intervals %d cover the median, %d the 99th percentile", runs, coveredMedian, coveredP99)
	}
}

// This is why the intervals have a warning.
func TestIntervalsOfUnitsAreTooNarrowWhereUnitsDependOnEachOther(t *testing.T) {
	const runs, calls, correlation = 300, 400, 0.9
	covered := 0
	for run := range uint64(runs) {
		r := rand.New(rand.NewPCG(run, 2))
		took, x := make([]time.Duration, calls), r.NormFloat64()
		for i := range took {
			x = correlation*x + math.Sqrt(1-correlation*correlation)*r.NormFloat64()
			took[i] = time.Duration(1e6 * math.Exp(x/2))
		}
		if u := served(took...).Units[0]; u.P50.Lo <= 1e6 && 1e6 <= u.P50.Hi {
			covered++
		} else if len(u.P50.Warnings) == 0 {
			t.Fatal("no warning")
		}
	}
	if t.Logf("%d of %d intervals cover the median", covered, runs); covered > 0.8*runs {
		t.Errorf("%d of %d intervals cover the median: the warning is not needed", covered, runs)
	}
}

func TestAQuantileOfTooFewUnitsIsNotKnown(t *testing.T) {
	for _, c := range []struct {
		calls  int
		known  int // of the three
		reason string
	}{
		{0, 0, "no call has ended"},
		{5, 0, "needs 6 calls, has 5"},
		{6, 1, "needs 368 calls, has 6"},
		{367, 1, "needs 368 calls, has 367"},
		{368, 2, "needs 3688 calls, has 368"},
		{3687, 2, "needs 3688 calls, has 3687"},
		{3688, 3, ""},
	} {
		u := served(latencies(c.calls, 1)...).Units[0]
		for i, iv := range []stat.Interval{u.P50, u.P99, u.P999} {
			if iv.Bounded() != (i < c.known) || iv.Known() != iv.Bounded() || i == c.known && iv.Reason != c.reason {
				t.Errorf("quantile %d of %d calls: %+v", i, c.calls, iv)
			}
		}
		if u.Calls != uint64(c.calls) || (u.Max > 0) != (c.calls > 0) {
			t.Errorf("%d calls: %+v", c.calls, u)
		}
	}
}

func TestUnitsOfADifferenceAreThoseSinceTheEarlierSnapshot(t *testing.T) {
	early, late := latencies(1000, 1), latencies(4000, 2)
	before, after := served(early...), served(append(slices.Clone(early), late...)...)
	after.At += 20e9
	u := after.Sub(before).Units[0]
	want := served(late...).Units[0]
	if u.Calls != 4000 || u.Rate != 200 || u.P50.N != 4000 || u.P50.Center != want.P50.Center || u.P99.Lo != want.P99.Lo {
		t.Errorf("%+v, want about %+v", u, want)
	}
	if u := after.Sub(after).Units; len(u) != 1 || u[0].Calls != 0 || u[0].Rate != 0 || u[0].P50.Reason != "no call has ended" {
		t.Errorf("nothing happened: %+v", u)
	}
}

func TestCallsInsideCallsOfTheSameRootZoneAreNoUnits(t *testing.T) {
	s := served(latencies(4000, 1)...)
	s.Lanes[0].Nodes = Tree{{Parent: -1, Zone: 1, Calls: 1500}, {Parent: 0, Zone: 0, Calls: 500}, {Parent: 1, Zone: 1, Calls: 500}}
	u := s.UnitTotals()[0]
	if u.Calls != 3500 || u.Rate != 350 || u.Max != 0 || u.P50.Known() || !strings.Contains(u.P50.Reason, "500 calls inside") {
		t.Errorf("%+v", u)
	}
}

func TestUnitsWithoutADistributionHaveNoQuantiles(t *testing.T) {
	s := served(latencies(4000, 1)...)
	for i := range s.Lanes {
		z := &s.Lanes[i].Zones[1]
		z.Histogram, z.Min, z.Max = Histogram{}, 0, 0
	}
	if u := s.UnitTotals()[0]; u.Calls != 4000 || u.P50.Reason != "there is no distribution" || u.Max != 0 {
		t.Errorf("%+v", u)
	}
}

func TestWithoutRootZonesThereAreNoUnits(t *testing.T) {
	s := served(latencies(10, 1)...)
	s.Zones[1].Root = false
	if u := s.UnitTotals(); u != nil {
		t.Errorf("%+v", u)
	}
}

// Snapshots have the units of all lanes.
func BenchmarkUnitsOfTenThousandLanes(b *testing.B) {
	s := served(latencies(2000, 1)...)
	for len(s.Lanes) < 10_000 {
		s.Lanes = append(s.Lanes, s.Lanes[:2]...)
	}
	for b.Loop() {
		s.UnitTotals()
	}
}
