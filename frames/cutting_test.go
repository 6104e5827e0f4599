// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// stretches makes frame times of several levels, in ms, each for the given number of frames.
func stretches(r *rand.Rand, n int, phi float64, levels ...float64) (x []float64) {
	for _, level := range levels {
		x = append(x, faster(autoregressive(n, phi, r.Uint64()), level/10)...)
	}
	return x
}

func TestCapturesOfOneSceneAreNotCut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct {
		n, most int // of 100
		phi     float64
	}{{200, 0, 0.98}, {600, 3, 0}, {600, 3, 0.9}, {600, 6, 0.98}, {1500, 3, 0.5}, {1500, 3, 0.98}, {6000, 3, 0.98}} {
		cut := 0
		for range 100 {
			if len(sceneStarts(autoregressive(c.n, c.phi, r.Uint64()))) > 1 {
				cut++
			}
		}
		t.Logf("%d frames, %v: %d of 100 are cut", c.n, c.phi, cut)
		if cut > c.most {
			t.Errorf("%d frames with a correlation of %v: %d of 100 captures of one scene are cut, at most %d may", c.n, c.phi, cut, c.most)
		}
	}
	constant, drift, little := slices.Repeat([]float64{16.7}, 2000), autoregressive(6000, 0.5, 1), autoregressive(200_000, 0, 1)
	for i := range drift {
		drift[i] *= 1 + 0.3*float64(i)/6000
	}
	for i := range little[:100_000] {
		little[i] += 0.05
	}
	for name, x := range map[string][]float64{"constant": constant, "drift": drift, "half a percent": little, "one frame": {16}} {
		if starts := sceneStarts(x); !slices.Equal(starts, []int{0}) {
			t.Errorf("%s: scenes begin at %v", name, starts)
		}
	}
}

func TestScenesAreFoundWhereTheyBegin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for _, levels := range [][]float64{{10, 20}, {10, 14}, {10, 6, 14}, {10, 5, 10, 5, 10, 5}, {8, 12, 16, 20, 24, 28, 32, 36}} {
		for _, n := range []int{500, 5000} {
			x := stretches(r, n, 0.5, levels...)
			starts := sceneStarts(x)
			if len(starts) != len(levels) {
				t.Errorf("%v, %d frames each: scenes begin at %v", levels, n, starts)
				continue
			}
			for i, at := range starts {
				if at < i*n-40 || at > i*n+40 {
					t.Errorf("%v, %d frames each: scene %d begins at %d", levels, n, i+1, at)
				}
			}
		}
	}
	if starts := sceneStarts(slices.Concat(slices.Repeat([]float64{8}, 3333), slices.Repeat([]float64{16}, 3333))); !slices.Equal(starts, []int{0, 3333}) {
		t.Errorf("without any scatter: %v", starts)
	}
}

// The figures of the whole weigh the scenes by their lengths. The intervals cover the figures of other frames of the same scenes.
func TestIntervalsOfScenesCover(t *testing.T) {
	if testing.Short() {
		t.Skip("analyzes 150 captures")
	}
	keys := []string{"avg_fps", "mean_ms", "p1_fps", "p01_fps", "stddev_ms", "jitter_ms", "low1_average_fps", "low1_integral_fps", "low01_average_fps",
		"below_30_fps_frames_share", "below_60_fps_frames_share"}
	levels := []float64{20, 50, 15} // so slow that no frame time is negative
	long, err := Analyze(Capture{Frames: stretches(rand.New(rand.NewPCG(5, 3)), 400_000, 0.6, levels...)}, Options{Level: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 4))
	covered, bounded := map[string]int{}, map[string]int{}
	const times = 150
	for range times {
		x, err := Analyze(Capture{Frames: stretches(r, 1000, 0.6, levels...)}, Options{Resamples: 200})
		if err != nil || len(x.Scenes) != 3 {
			t.Fatalf("%v: %+v", err, x.Scenes)
		}
		for _, key := range keys {
			m, _ := x.Metric(key)
			want := value(t, long, key)
			switch {
			case m.Interval.Bounded():
				if bounded[key]++; m.Interval.Lo <= want && want <= m.Interval.Hi {
					covered[key]++
				}
			case atMost(m.Interval):
				if bounded[key]++; want <= m.Interval.Hi {
					covered[key]++
				}
			}
			if half := m.Interval.Half(); key == "avg_fps" && !(half > 0 && half < 0.02*m.Value) {
				t.Fatalf("the average has the interval %+v", m.Interval)
			}
		}
	}
	for _, key := range keys {
		t.Logf("%s: %d of %d bounds cover", key, covered[key], bounded[key])
		least := 90 // percent, of intervals that cover in 93 of 100 cases
		switch key {
		case "avg_fps", "mean_ms":
			least = 93
		case "stddev_ms", "jitter_ms":
			least = 80 // as the package comment says
		}
		if bounded[key] < times || covered[key] < times*least/100 {
			t.Errorf("%s: %d of %d bounds cover", key, covered[key], bounded[key])
		}
	}
}

// If the correlation of frames is 0.9, the slow end of a scene consists of few events.
func TestLowsOfScenesOfCorrelatedFramesCover(t *testing.T) {
	if testing.Short() {
		t.Skip("analyzes 150 captures")
	}
	keys := []string{"p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps"}
	levels := []float64{20, 50, 15}
	long, err := Analyze(Capture{Frames: stretches(rand.New(rand.NewPCG(5, 6)), 400_000, 0.9, levels...)}, Options{Level: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 7))
	covered := map[string]int{}
	const times = 150
	for range times {
		x, err := Analyze(Capture{Frames: stretches(r, 2000, 0.9, levels...)}, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			m, _ := x.Metric(key)
			want := value(t, long, key)
			if holds(m, want) {
				covered[key]++
			}
		}
	}
	for _, key := range keys {
		t.Logf("%s: %d of %d intervals and bounds cover", key, covered[key], times)
		if covered[key] < times*90/100 {
			t.Errorf("%s: %d of %d intervals and bounds cover", key, covered[key], times)
		}
	}
}

// A share has bounds even if none or all of the frames of a scene count towards it, so that resamples do not differ.
func TestSharesOfScenesThatBelongAsAWholeAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	x := report(t, Capture{Frames: stretches(r, 1000, 0.5, 10, 60)}, Options{Resamples: 50})
	m, _ := x.Metric("below_30_fps_frames_share")
	if iv := m.Interval; m.Value != 0.5 || iv.Lo > 0.499 || iv.Lo < 0.49 || iv.Hi < 0.501 || iv.Hi > 0.51 {
		t.Errorf("one scene of two: %+v", iv)
	}
	all, _ := x.Metric("below_60_fps_time_share")
	if iv := all.Interval; !(iv.Lo < all.Value && all.Value < iv.Hi) {
		t.Errorf("the time of that scene: %+v", all)
	}
	x = report(t, Capture{Frames: []float64{16.7, 16.8, 16.9}}, Options{Resamples: 50})
	if all, _ = x.Metric("below_60_fps_time_share"); all.Value != 1 || all.Interval.Bounded() || all.Interval.Reason == "" {
		t.Errorf("all frames: %+v", all)
	}
}

// Captures with different shares of the same scenes do not show a difference of the configurations, unless the shares do not
// explain it.
func TestDifferentSharesOfScenesAreNotADifference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	base := Capture{Frames: slices.Concat(stretches(r, 3000, 0.5, 10), stretches(r, 1000, 0.5, 20))}
	shares := Capture{Frames: slices.Concat(stretches(r, 1000, 0.5, 10), stretches(r, 3000, 0.5, 20))}
	faster := Capture{Frames: slices.Concat(stretches(r, 3000, 0.5, 4), stretches(r, 1000, 0.5, 8))}
	cs, err := Compare(base, []Capture{shares, faster}, Options{Resamples: 200})
	if err != nil {
		t.Fatal(err)
	}
	if d := find(t, cs[0], "avg_fps"); d.Clear || !(d.Interval.Lo < 0 && 0 < d.Interval.Hi) {
		t.Errorf("other shares: %+v", d)
	}
	if d := find(t, cs[1], "avg_fps"); !d.Clear || d.Interval.Lo < 5 {
		t.Errorf("twice as fast: %+v", d)
	}
	// The spread of all frames is that of the levels, and lies outside those of both scenes.
	halves := Capture{Frames: slices.Concat(stretches(r, 2000, 0.5, 10), stretches(r, 2000, 0.5, 20))}
	if cs, err = Compare(base, []Capture{halves}, Options{Resamples: 200}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"stddev_ms", "cv", "lag1"} {
		if d := find(t, cs[0], key); d.Clear || d.Interval.Bounded() || !strings.Contains(d.Interval.Reason, "how the scenes of a capture are mixed") {
			t.Errorf("halves: %+v", d)
		}
	}
}

// switching draws frames of two levels, and switches between them with the same probability at each frame.
func switching(r *rand.Rand, n int, leave, low, high float64) []float64 {
	x := make([]float64, n)
	here, there := low, high
	if r.IntN(2) == 0 {
		here, there = high, low
	}
	v := r.NormFloat64()
	for i := range x {
		x[i] = here * (1 + 0.05*v)
		v = 0.5*v + math.Sqrt(0.75)*r.NormFloat64()
		if r.Float64() < leave {
			here, there = there, here
		}
	}
	return x
}

// Captures whose scenes switch at random, so that their shares differ, are seldom called different in any figure.
func TestCapturesOfSwitchingScenesAreSeldomToldApart(t *testing.T) {
	if testing.Short() || race.Enabled {
		t.Skip("compares 100 pairs of captures")
	}
	clear := 0
	const pairs = 100
	for i := range uint64(pairs) {
		r := rand.New(rand.NewPCG(i, 1))
		cs, err := Compare(Capture{Frames: switching(r, 3000, 1.0/400, 10, 20)}, []Capture{Capture{Frames: switching(r, 3000, 1.0/400, 10, 20)}}, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		if anyClear(cs[0].Differences) {
			clear++
		}
	}
	t.Logf("%d of %d pairs have a clear figure", clear, pairs)
	if clear > 9 { // if 5 of 100 are, one of a hundred such tests would find more
		t.Errorf("%d of %d pairs have a clear figure", clear, pairs)
	}
}
