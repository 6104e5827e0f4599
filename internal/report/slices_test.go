// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// zoneOf is a slice of a program with one lane and one zone.
func zoneOf(calls, timed uint64, sum time.Duration) profile.Snapshot {
	return profile.Snapshot{Zones: make([]profile.ZoneInfo, 1), Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{ID: 4},
		Zones: []profile.ZoneStats{{Calls: calls, Timed: timed, Sum: sum, Total: sum}}}}}
}

var only = key{4, 0}

// Neighbouring calls are similar, and slices have a random number of calls: the interval must contain the mean about as often as
// it says, and must not be wider than necessary.
func TestIntervalHoldsTheMeanAsOftenAsItSays(t *testing.T) {
	const mean, runs = 500.0, 2000
	rng := rand.New(rand.NewPCG(1, 9))
	hit, width := 0, 0.0
	for range runs {
		var parts Slices
		all := profile.ZoneStats{}
		for range slicesPerReport {
			drift := 1 + 0.1*rng.NormFloat64()
			n, sum := uint64(20+rng.IntN(40)), 0.0
			for range n {
				sum += mean * drift * (0.5 + rng.Float64())
			}
			parts.add(zoneOf(n, n, time.Duration(sum)))
			all.Calls, all.Timed, all.Sum = all.Calls+n, all.Timed+n, all.Sum+time.Duration(sum)
		}
		iv := parts.mean(only, &all, 0)
		if iv.Level != 0.95 || iv.NEff != slicesPerReport || iv.N != all.Calls {
			t.Fatalf("%+v", iv)
		}
		width += iv.Half() / runs
		if iv.Lo <= mean && mean <= iv.Hi {
			hit++
		}
	}
	// The drift alone gives a standard error of 500 * 0.1 / 4 = 12.5, the calls 500 / sqrt(12 * 640) = 5.7; t is 2.13.
	if share := float64(hit) / runs; share < 0.93 || share > 0.97 || width < 26 || width > 34 {
		t.Errorf("%.3f of the intervals hold the mean; half-width %.1f", share, width)
	}
}

func TestUncertaintyOfTheInstrumentWidensTheInterval(t *testing.T) {
	var parts Slices
	for range 10 {
		parts.add(zoneOf(10, 10, 80)) // without any scatter
	}
	iv := parts.mean(only, &profile.ZoneStats{Calls: 100, Timed: 100, Sum: 800}, 5)
	if iv.Center != 8 || iv.Lo != 3 || iv.Hi != 13 {
		t.Errorf("%+v", iv)
	}
	if iv := parts.mean(only, &profile.ZoneStats{Calls: 100, Timed: 100, Sum: 800}, 20); iv.Lo != 0 || iv.Hi != 28 {
		t.Errorf("a duration may be negative: %+v", iv)
	}
}

func TestIntervalIsThatOfARatioEstimate(t *testing.T) {
	var parts Slices
	for _, sum := range []time.Duration{100, 110, 120} {
		parts.add(zoneOf(10, 10, sum))
		parts.add(zoneOf(5, 0, 0)) // no call was timed, so nothing is known about the slice
	}
	// The mean is 11 ns per call; the slices deviate by -10, 0 and 10 ns in total. Student's t with 2 degrees of freedom is
	// 4.302653.
	want := 4.302653 * math.Sqrt(200*3./2) / 30
	iv := parts.mean(only, &profile.ZoneStats{Calls: 30, Timed: 30, Sum: 330}, 0)
	if !(math.Abs(iv.Half()-want) <= 1e-5) || iv.Center != 11 || iv.NEff != 3 {
		t.Errorf("%+v, want ± %v", iv, want)
	}
	// Half of the calls of a sampled zone were timed; t of 7 degrees of freedom is 2.364624.
	z := &profile.ZoneStats{Calls: 16, Timed: 8, Sum: 16 * 5000, Histogram: twoKinds([]time.Duration{100, 10_000}, [2]uint64{4, 4})}
	sd, _ := z.Histogram.StdDev()
	want = 2.364624 * sd / math.Sqrt(8) * math.Sqrt(0.5)
	if iv := parts.mean(only, z, 0); !(math.Abs(iv.Hi-iv.Center-want) <= 0.01) || iv.Level != 0.95 {
		t.Errorf("%+v, want ± %v", iv, want)
	}
}

func TestTooLittleHasNoIntervalAndSaysWhy(t *testing.T) {
	for what, calledIn := range map[string][]uint64{"seven calls": {2, 2, 3}, "two slices": {50, 50}, "two slices with calls": {50, 0, 0, 0, 50, 0}, "nothing": nil} {
		var parts Slices
		calls := uint64(0)
		for _, n := range calledIn {
			parts.add(zoneOf(n, n, time.Duration(n)*10))
			calls += n
		}
		z := &profile.ZoneStats{Calls: max(calls, 1), Timed: max(calls, 1), Sum: 1000}
		if iv := parts.mean(only, z, 1); iv.Bounded() || iv.Reason == "" || iv.N != z.Calls {
			t.Errorf("%s: %+v", what, iv)
		}
		for _, z := range []profile.ZoneStats{{Open: 1}, {Calls: 64}, {Timed: 1}} {
			if iv := parts.mean(only, &z, 1); iv.Known() || iv.Bounded() || iv.Reason != "no call was timed" {
				t.Errorf("%+v has %+v", z, iv)
			}
		}
	}
	var parts Slices
	for _, n := range []uint64{3, 0, 2, 3} {
		parts.add(zoneOf(n, n, time.Duration(n)*10))
	}
	if iv := parts.mean(only, &profile.ZoneStats{Calls: 8, Timed: 8, Sum: 80}, 1); !iv.Bounded() || iv.NEff != 3 {
		t.Errorf("eight calls in three slices: %+v", iv)
	}
}

// There are two kinds of durations, and one in 64 is timed. Each slice looks steady, but the selection of calls varies.
func TestIntervalOfASampledZoneKnowsThatCallsWereChosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	const calls, runs = 64 * 200, 500
	hit := 0
	for range runs {
		var parts Slices
		z := profile.ZoneStats{Calls: calls}
		truth, sum := 0.0, 0.0
		var counts [2]uint64
		each := []time.Duration{100, 10_000}
		for range slicesPerReport {
			part := 0.0
			n := uint64(0)
			for range calls / slicesPerReport {
				kind := rng.IntN(10) / 9
				truth += float64(each[kind]) / calls
				if rng.IntN(64) == 0 {
					part += float64(each[kind])
					counts[kind]++
					n++
				}
			}
			z.Timed += n
			sum += part
			parts.add(zoneOf(calls/slicesPerReport, n, time.Duration(part/float64(max(n, 1))*calls/slicesPerReport)))
		}
		z.Sum = time.Duration(sum / float64(z.Timed) * calls)
		z.Histogram = twoKinds(each, counts)
		iv := parts.mean(only, &z, 0)
		if iv.Level == 0 {
			t.Fatalf("%+v", iv)
		}
		if iv.Lo <= truth && truth <= iv.Hi {
			hit++
		}
	}
	if share := float64(hit) / runs; share < 0.92 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
	// Slices that agree by chance do not make the selection less random.
	var parts Slices
	for range slicesPerReport {
		parts.add(zoneOf(640, 10, 640*1000))
	}
	z := profile.ZoneStats{Calls: 10240, Timed: 160, Sum: 10240 * 1000, Histogram: twoKinds([]time.Duration{100, 10_000}, [2]uint64{145, 15})}
	if iv := parts.mean(only, &z, 0); iv.Half() < 300 || iv.Half() > 600 { // sd 2900 / sqrt(160) * 1.97 = 450
		t.Errorf("± %v", iv.Half())
	}
	z.Timed, z.Histogram = 5, twoKinds([]time.Duration{100, 10_000}, [2]uint64{4, 1})
	if iv := parts.mean(only, &z, 0); iv.Level != 0 {
		t.Errorf("five timed calls have %+v", iv)
	}
}

// twoKinds returns a histogram of two durations. It finds their cells with the histogram itself.
func twoKinds(each []time.Duration, counts [2]uint64) profile.Histogram {
	h := profile.Histogram{NsPerTick: 1, Counts: make([]uint64, 61*16)}
	cell := func(d time.Duration) int {
		for i := range h.Counts {
			probe := profile.Histogram{First: i, Counts: []uint64{1}, NsPerTick: 1}
			for c := range probe.Cells() {
				if c.Lo <= d && d < c.Hi {
					return i
				}
			}
		}
		panic("no cell")
	}
	for i, d := range each {
		h.Counts[cell(d)] = counts[i]
	}
	return h
}

func TestSlicesAddUpOverLanes(t *testing.T) {
	d := zoneOf(10, 10, 100)
	d.Lanes = append(d.Lanes, profile.LaneStats{LaneInfo: profile.LaneInfo{ID: 5}, Zones: []profile.ZoneStats{{Calls: 30, Timed: 30, Sum: 900}, {Zone: 1, Open: 1}}})
	var parts Slices
	parts.add(d)
	if got := parts[0][key{allLanes, 0}]; got != (sums{40, 1000}) || len(parts[0]) != 3 || math.IsNaN(got.ns) {
		t.Errorf("%v", parts)
	}
}

// The mean of a loop's frame times is that of the report, with an interval over its slices of time.
func TestFrameTimesHaveTheIntervalOfTheReport(t *testing.T) {
	var parts Slices
	var all []int64
	loop := func(times ...int64) []profile.FrameStats {
		var h stat.Histogram
		f := profile.FrameStats{Name: "loop", Turns: uint64(len(times))}
		for _, d := range times {
			h.Record(d)
			f.Sum += time.Duration(d)
		}
		f.Histogram = profile.NewHistogram(&h)
		return []profile.FrameStats{{Name: "another"}, f}
	}
	for i := range int64(6) {
		times := []int64{995 + 2*i, 1000, 1000} // 998.3 to 1001.7 on average, 1000 in all
		parts.add(profile.Snapshot{Frames: loop(times...)})
		all = append(all, times...)
	}
	var m maker
	m.o, _ = Options{}.withDefaults()
	frames := m.make(profile.Snapshot{Elapsed: time.Second, Frames: loop(all...)}, parts).Frames
	if f := frames[1].Frame; f.Center != 1000 || f.N != 18 || f.Level != 0.95 || !(f.Lo < 1000 && f.Lo > 990 && f.Hi > 1000 && f.Hi < 1010) {
		t.Errorf("%+v", f)
	}
	if f := frames[0].Frame; f.Known() || f.Reason == "" {
		t.Errorf("a loop that has not turned: %+v", f)
	}
}
