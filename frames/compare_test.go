// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

func find(t *testing.T, c Comparison, key string) Difference {
	t.Helper()
	for _, d := range c.Differences {
		if d.Key == key {
			return d
		}
	}
	t.Fatalf("no difference in %s", key)
	return Difference{}
}

func faster(x []float64, factor float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * factor
	}
	return out
}

func TestDifferencesAreSeenWithTheirInterval(t *testing.T) {
	base := Capture{Process: "before", Frames: autoregressive(4000, 0.5, 1)}
	same := Capture{Process: "again", Frames: autoregressive(4000, 0.5, 2)}
	better := Capture{Process: "after", Frames: faster(autoregressive(3000, 0.5, 3), 0.97)}
	cs, err := Compare(base, []Capture{same, better}, Options{Resamples: 300})
	if err != nil || len(cs) != 2 {
		t.Fatalf("%d comparisons, %v", len(cs), err)
	}
	for i, want := range []bool{false, true} {
		for _, key := range []string{"avg_fps", "mean_ms"} {
			d := find(t, cs[i], key)
			if d.Clear != want || d.Value != d.Other-d.Base || !(d.Interval.Lo <= d.Value && d.Value <= d.Interval.Hi) {
				t.Errorf("%s against %s: %+v", cs[i].Other.Process, cs[i].Base.Process, d)
			}
		}
	}
	// The interval of a difference of means is the root sum of squares of both.
	x, _ := cs[1].Base.Metric("mean_ms")
	y, _ := cs[1].Other.Metric("mean_ms")
	d := find(t, cs[1], "mean_ms")
	want := math.Hypot(x.Interval.Half(), y.Interval.Half()) * math.Erfinv(d.Interval.Level) / math.Erfinv(0.95)
	if got := d.Interval.Half(); got < 0.75*want || got > 1.25*want {
		t.Errorf("half-width %v, want about %v", got, want)
	}
	for _, c := range cs {
		if _, err := json.Marshal(c); err != nil {
			t.Error(err)
		}
		for _, d := range c.Differences {
			if (!d.Interval.Bounded()) == (d.Interval.Reason == "") || d.Clear && d.Interval.Reason != "" && !atLeast(d.Interval) && !atMost(d.Interval) {
				t.Errorf("%+v", d)
			}
		}
	}
}

// Two captures of one process are rarely called different: 5 % nominally.
func TestEqualProcessesAreRarelyCalledDifferent(t *testing.T) {
	if testing.Short() {
		t.Skip("compares 60 pairs of captures")
	}
	clear := 0
	const pairs = 60
	for i := range uint64(pairs) {
		cs, err := Compare(Capture{Frames: autoregressive(800, 0.6, 2*i)}, []Capture{Capture{Frames: autoregressive(800, 0.6, 2*i+1)}}, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		if find(t, cs[0], "avg_fps").Clear {
			clear++
		}
	}
	t.Logf("%d of %d pairs called different", clear, pairs)
	if clear > pairs/5 {
		t.Errorf("%d of %d pairs of the same process are called different", clear, pairs)
	}
}

func TestFewFramesAreNotToldApart(t *testing.T) {
	base, other := Capture{Frames: autoregressive(900, 0, 1)}, Capture{Frames: faster(autoregressive(900, 0, 2), 0.5)}
	cs, err := Compare(base, []Capture{other}, Options{Resamples: 100})
	if err != nil {
		t.Fatal(err)
	}
	d := find(t, cs[0], "low01_integral_fps")
	if d.Clear || atLeast(d.Interval) || atMost(d.Interval) || !strings.Contains(d.Interval.Reason, "rests on fewer than 10 independent frames") {
		t.Errorf("%+v", d)
	}
	if d := find(t, cs[0], "avg_fps"); !d.Clear {
		t.Errorf("twice as fast: %+v", d)
	}
}

// Half of the frames may be too few for a lower bound; whether the other capture is faster can still be decided.
func TestABoundAndAnIntervalTellDifferences(t *testing.T) {
	arithmetic(t)
	short, long := Capture{Frames: hitches(300, false)}, Capture{Frames: faster(hitches(30_000, false), 0.4)}
	cs, err := Compare(short, []Capture{long}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := find(t, cs[0], "low1_average_fps")
	if !d.Clear || !(d.Interval.Lo > 0 && d.Interval.Lo < d.Value) || d.Interval.Level < 0.95 || atMost(d.Interval) {
		t.Errorf("%+v", d)
	}
	if cs, err = Compare(long, []Capture{short}, Options{}); err != nil {
		t.Fatal(err)
	}
	d = find(t, cs[0], "low1_average_fps")
	if !d.Clear || !(d.Interval.Hi < 0 && d.Interval.Hi > d.Value) || atLeast(d.Interval) {
		t.Errorf("the other way round: %+v", d)
	}
	slower := Capture{Frames: hitches(30_000, false)}
	if cs, err = Compare(short, []Capture{slower}, Options{}); err != nil {
		t.Fatal(err)
	}
	if d := find(t, cs[0], "low1_average_fps"); d.Clear || d.Interval.Lo > 0 {
		t.Errorf("the same process: %+v", d)
	}
}

func TestTheFamilyOfFiguresIsHeld(t *testing.T) {
	others := []string{"jitter_ms", "cv", "stddev_ms", "lag1"}
	tiers := []string{"avg_fps", "p1_fps", "low1_average_fps", "cv"}
	for _, c := range []struct {
		keys []string
		p    []float64
		want []bool
	}{
		{others, nil, []bool{}},
		{others, []float64{0.04}, []bool{true}},
		{others, []float64{0.06}, []bool{false}},
		{others, []float64{0.04, 1, 1}, []bool{true, false, false}}, // figures that cannot differ get no share
		{others, []float64{0.03, 0.04}, []bool{false, false}},
		{others, []float64{0.04, 0.02}, []bool{true, true}},
		{others, []float64{0.04, 0.01, 0.025, 0.3}, []bool{false, true, false, false}},
		{others, []float64{0, 1}, []bool{true, false}},
		{others, []float64{0, 0}, []bool{true, true}},
		{tiers, []float64{0.019, 0.5, 0.5, 0.5}, []bool{true, false, false, false}}, // 0.4 of 0.05
		{tiers, []float64{0.021, 0.5, 0.5, 0.5}, []bool{false, false, false, false}},
		{tiers, []float64{0.021, 0.009, 0.5, 0.5}, []bool{true, true, false, false}}, // 0.2, and then 0.4 of 0.8
		{tiers, []float64{0.5, 0.5, 0.5, 0.011}, []bool{false, false, false, false}}, // 0.2
		{tiers, []float64{0.019, 0.5, 0.5, 0.011}, []bool{true, false, false, true}}, // 0.2 of the 0.6 left
		{tiers, []float64{0.03, 1, 1, 0.5}, []bool{true, false, false, false}},       // 0.4 of 0.6
	} {
		var got []bool
		for _, d := range judge(c.keys[:len(c.p)], c.p, 0.05) {
			got = append(got, d.clear)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.p, got, c.want)
		}
	}
}

func TestEqualCapturesHaveNoClearFigureAtAll(t *testing.T) {
	arithmetic(t)
	any := 0
	const pairs = 60
	for i := range uint64(pairs) {
		cs, err := Compare(Capture{Frames: autoregressive(3600, 0.3, 2*i)}, []Capture{Capture{Frames: autoregressive(3600, 0.3, 2*i+1)}}, Options{Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(cs[0].Differences, func(d Difference) bool { return d.Clear }) {
			any++
		}
	}
	t.Logf("%d of %d pairs have a clear figure", any, pairs)
	if any > pairs/10 {
		t.Errorf("%d of %d pairs of the same process have a clear figure", any, pairs)
	}
}

func TestComparisonSaysWhatMakesItDoubtful(t *testing.T) {
	metro := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	shown := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{Column: "MsBetweenDisplayChange"})
	cs, err := Compare(metro, []Capture{shown}, Options{Resamples: 50})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(cs[0].Warnings, "\n")
	if !strings.Contains(all, "not stationary") || !strings.Contains(all, "MsBetweenPresents and MsBetweenDisplayChange") {
		t.Errorf("warnings %q", all)
	}
	dwm := captures(t, "presentmon_test_case_0.csv.gz", ReadOptions{PoolByName: true})
	cs, err = Compare(dwm[0], []Capture{dwm[1]}, Options{Resamples: 50})
	if err != nil {
		t.Fatal(err)
	}
	if d := find(t, cs[0], "animation_error_ms"); !d.Interval.Bounded() || !(d.Interval.Lo <= d.Value && d.Value <= d.Interval.Hi) {
		t.Errorf("%+v", d)
	}
	if _, err = Compare(metro, []Capture{Capture{}}, Options{}); err == nil {
		t.Error("an empty capture is compared")
	}
	if _, err = Compare(metro, []Capture{metro}, Options{Preset: 99}); err == nil {
		t.Error("an unknown preset is accepted")
	}
}
