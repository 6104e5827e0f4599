// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// The level of Metro keeps changing, so that the interval of its mean would extend beyond its shortest frame.
func TestAMeanOfFewIndependentFramesIsBoundedOnOneSide(t *testing.T) {
	r := report(t, captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{}), Options{Resamples: 50})
	average, _ := r.Metric("avg_fps")
	mean, _ := r.Metric("mean_ms")
	if average.Interval.Bounded() || atMost(average.Interval) || !near(average.Interval.Level, 0.975, 9) || average.Interval.Lo < 80 || average.Interval.Lo > average.Value {
		t.Errorf("%+v", average)
	}
	if mean.Interval.Bounded() || atLeast(mean.Interval) || !near(mean.Interval.Level, 0.975, 9) || !near(1000/mean.Interval.Hi, average.Interval.Lo, 6) {
		t.Errorf("%+v", mean)
	}
	if !strings.Contains(average.Interval.Reason, "the level keeps changing over the whole capture") {
		t.Error(average.Interval.Reason)
	}
}

func TestDifferencesAreBoundedWhereTheFiguresAre(t *testing.T) {
	interval := func(v, lo, hi float64) Metric {
		return Metric{Value: v, Interval: stat.Interval{Center: v, Lo: lo, Hi: hi, Level: 0.95, N: 5}}
	}
	most := func(v, bound float64) Metric {
		return Metric{Value: v, Interval: stat.Interval{Center: v, Lo: math.Inf(-1), Hi: bound, Level: 0.95, Reason: "most"}}
	}
	least := func(v, bound float64) Metric {
		return Metric{Value: v, Interval: stat.Interval{Center: v, Lo: bound, Hi: math.Inf(1), Level: 0.95, Reason: "least"}}
	}
	scenes := interval(50, 49, 51)
	scenes.Scenes = []float64{40, 55}
	inf := math.Inf(1)
	one := 1.6448536269514722 // standard errors of a bound on one side at 0.95
	two := 1.959963984540054  // and of an interval
	for name, c := range map[string]struct {
		x, y         Metric
		below, above float64 // from the difference
	}{
		"intervals":        {interval(50, 47, 54), interval(60, 57, 64), 5, 5},
		"at most, base":    {most(50, 53), interval(60, 56, 70), one * math.Hypot(3/one, 4/two), inf},
		"at most, other":   {interval(50, 46, 60), most(60, 63), inf, one * math.Hypot(3/one, 4/two)},
		"at least, base":   {least(50, 47), interval(60, 50, 64), inf, one * math.Hypot(3/one, 4/two)},
		"at least, other":  {interval(50, 40, 54), least(60, 57), one * math.Hypot(3/one, 4/two), inf},
		"facing bounds":    {most(50, 53), least(60, 56), 5, inf},
		"turned away":      {least(50, 47), most(60, 64), inf, 5},
		"both at most":     {most(50, 53), most(60, 64), inf, inf},
		"scenes of base":   {scenes, interval(60, 57, 64), math.Hypot(5, 3), math.Hypot(10, 4)},
		"nothing is known": {Metric{Value: 50, Interval: stat.Point(50, 5, "", "none")}, interval(60, 57, 64), inf, inf},
	} {
		contrast := contrastOf(c.x, c.y, 0.95)
		d, chance := contrast.difference(0.95), contrast.chance()
		var below, above float64 = inf, inf
		switch {
		case d.Interval.Bounded():
			below, above = d.Value-d.Interval.Lo, d.Interval.Hi-d.Value
		case atLeast(d.Interval):
			below = d.Value - d.Interval.Lo
		case atMost(d.Interval):
			above = d.Interval.Hi - d.Value
		}
		same := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-6 }
		if !same(below, c.below) || !same(above, c.above) || (d.Interval.Reason == "") != d.Interval.Bounded() {
			t.Errorf("%s: %v below and %v above, want %v and %v; %+v", name, below, above, c.below, c.above, d)
		}
		// The difference is +10, so only the bound below it is evidence.
		want := 1.0
		switch {
		case !math.IsInf(below, 1) && !math.IsInf(above, 1):
			want = math.Erfc(10 / (below / two) / math.Sqrt2)
		case !math.IsInf(below, 1):
			want = math.Erfc(10/(below/one)/math.Sqrt2) / 2
		}
		if math.IsInf(below, 1) && chance < 0.5 || !math.IsInf(below, 1) && math.Abs(chance-want) > 1e-9 {
			t.Errorf("%s: chance %v, want %v", name, chance, want)
		}
	}
}

// disagreeing returns the differences whose verdict contradicts their interval or bound.
func disagreeing(differences []Difference) (out []Difference) {
	for _, d := range differences {
		clear := d.Interval.Bounded() && (d.Interval.Lo > 0 || d.Interval.Hi < 0) || atLeast(d.Interval) && d.Interval.Lo > 0 || atMost(d.Interval) && d.Interval.Hi < 0
		if clear != d.Clear {
			out = append(out, d)
		}
	}
	return out
}

func TestIntervalsAgreeWithVerdicts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	keys := []string{"avg_fps", "p1_fps", "p01_fps", "low1_average_fps", "mean_ms", "stddev_ms", "jitter_ms", "median_ms"}
	clear, other := 0, 0
	for range 300 {
		metrics := func() (r Report) {
			r.Options.Level = 0.95
			for _, key := range keys {
				v := 50 + random.Float64()
				m := Metric{Key: key, Value: v, Interval: stat.Interval{Center: v, Lo: v - random.Float64(), Hi: v + random.Float64(), Level: 0.95, N: 5}}
				if random.IntN(5) == 0 {
					m.Interval = stat.Interval{Center: v, Lo: v - random.Float64(), Hi: math.Inf(1), Level: 0.975, Reason: "one side"}
				}
				r.Metrics = append(r.Metrics, m)
			}
			return r
		}
		c := CompareReports(metrics(), metrics())
		agree(t, c.Differences, &clear, &other)
	}
	if clear < 100 || other < 100 {
		t.Errorf("%d clear, %d not: the test shows nothing", clear, other)
	}
}

// agree checks that the intervals agree with the verdicts, of which it counts both.
func agree(t *testing.T, all []Difference, clear, other *int) {
	t.Helper()
	for _, d := range disagreeing(all) {
		t.Errorf("%+v", d)
	}
	for _, d := range all {
		if d.Clear {
			*clear++
		} else {
			*other++
		}
	}
}

func TestIntervalsOfGroupsAgreeWithVerdicts(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	clear, other := 0, 0
	for range 100 {
		group := func() (r GroupReport) {
			r.Runs = []Report{{Options: Options{Level: 0.95}}, {}, {}, {}}
			for _, key := range []string{"avg_fps", "p1_fps", "mean_ms", "stddev_ms"} {
				f := GroupFigure{Key: key}
				shift := random.Float64()
				for range r.Runs {
					f.Runs = append(f.Runs, 50+shift+random.Float64())
				}
				r.Figures = append(r.Figures, f)
			}
			return r
		}
		c := group().Compare(group())
		agree(t, c.Differences, &clear, &other)
	}
	if clear < 5 || other < 50 {
		t.Errorf("%d clear, %d not: the test shows nothing", clear, other)
	}
}
