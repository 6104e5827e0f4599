// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
)

func value(t testing.TB, r Report, key string) float64 {
	t.Helper()
	m, ok := r.Metric(key)
	if !ok {
		t.Fatalf("no %s in the report", key)
	}
	return m.Value
}

// autoregressive returns n frame times around 10 ms whose neighbours have the correlation phi.
func autoregressive(n int, phi float64, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := make([]float64, n)
	state := rng.NormFloat64()
	for i := range x {
		x[i] = 10 + state
		state = phi*state + math.Sqrt(1-phi*phi)*rng.NormFloat64()
	}
	return x
}

// These are known values of the real captures, as the tools printed them.
func TestSpreadOfRealCaptures(t *testing.T) {
	presenter := captureOf(t, "presentmon_test_case_0.csv.gz", "Presenter.exe", ReadOptions{PoolByName: true})
	for _, row := range []struct {
		name                              string
		c                                 Capture
		mean, least, most, sd, cv, change float64
		rho                               float64
		stutters                          int
		stutterTime                       float64
	}{
		{"Resident Evil 2", captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{}), 3.4925, 2.714, 8.211, .1983, .057, .3098, -.578, 0, 0},
		{"Metro", captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{}), 10.1465, 6.840, 17.945, .9960, .098, .8306, .262, 0, 0},
		{"Metro display", captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{Column: "MsBetweenDisplayChange"}),
			10.1467, 7.996, 18.668, .7350, .072, .2011, .888, 0, 0},
		{"Presenter", presenter, 16.1233, .250, 80.515, 7.5158, .466, 2.7966, .002, 2, 5.907},
	} {
		r := report(t, row.c, Options{Level: -1, StutterWindow: -1})
		for _, v := range []struct {
			key      string
			want     float64
			decimals int
		}{
			{"mean_ms", row.mean, 4}, {"min_ms", row.least, 3}, {"max_ms", row.most, 3}, {"stddev_ms", row.sd, 4}, {"cv", row.cv, 3},
			{"jitter_ms", row.change, 4}, {"lag1", row.rho, 3}, {"stutter_time_share", row.stutterTime / 100, 5},
			{"stutter_frames_share", float64(row.stutters) / float64(len(row.c.Frames)), 9},
		} {
			if got := value(t, r, v.key); !near(got, v.want, v.decimals) {
				t.Errorf("%s: %s is %.5f, want %v", row.name, v.key, got, v.want)
			}
		}
	}
}

// The figures are computed again by plain loops over the frames.
func TestFiguresAgreeWithPlainLoops(t *testing.T) {
	for _, file := range realFiles(t) {
		for _, c := range captures(t, file, ReadOptions{PoolByName: true}) {
			x, n := c.Frames, float64(len(c.Frames))
			if n < 3 {
				continue
			}
			r := report(t, c, Options{Level: -1, Below: []float64{59.5}})
			var sum, square, change, up, below, belowTime float64
			for _, v := range x {
				sum += v
				if 1000/v < 59.5 {
					below++
					belowTime += v
				}
			}
			mean := sum / n
			for i, v := range x {
				square += (v - mean) * (v - mean)
				if i > 0 {
					change += math.Abs(v - x[i-1])
					up += (v - mean) * (x[i-1] - mean)
				}
			}
			stutter, stutterTime := capframexStutters(x)
			for key, want := range map[string]float64{
				"mean_ms": mean, "stddev_ms": math.Sqrt(square / (n - 1)), "cv": math.Sqrt(square/(n-1)) / mean, "jitter_ms": change / (n - 1),
				"lag1": up / square, "min_ms": slices.Min(x), "max_ms": slices.Max(x), "stutter_frames_share": stutter / n, "stutter_time_share": stutterTime / sum,
				"below_59.5_fps_frames_share": below / n, "below_59.5_fps_time_share": belowTime / sum,
			} {
				if got := value(t, r, key); math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
					t.Errorf("%s %s: %s is %v, plain loops give %v", file, c.Process, key, got, want)
				}
			}
		}
	}
}

// capframexStutters walks back from every frame, as CapFrameX does.
func capframexStutters(x []float64) (count, time float64) {
	var sum float64
	for _, v := range x {
		sum += v
	}
	window := int(math.RoundToEven(math.Sqrt(sum/float64(len(x))) * 10))
	for i, v := range x {
		var total float64
		seen := 0
		for j := i; j >= 0 && seen < window; j-- {
			w := x[j]
			if j > 0 && x[j] > 3*x[j-1] {
				w = x[j-1]
			}
			total += w
			seen++
		}
		if v > 2.5*(total/float64(seen)) {
			count++
			time += v
		}
	}
	return count, time
}

func TestAnimationErrorFollowsPresentMon(t *testing.T) {
	c := captureOf(t, "presentmon_test_case_0.csv.gz", "dwm.exe", ReadOptions{})
	var sum float64
	for line := range strings.Lines(string(testFile(t, "presentmon_test_case_0.csv.gz"))) {
		cells := strings.Split(line, ",")
		if v, kind := parse([]byte(cells[26]), milliseconds, false, nil); cells[0] == "dwm.exe" && kind == number {
			sum += math.Abs(v)
		}
	}
	r := report(t, c, Options{Preset: PresentMon})
	span := c.Starts[len(c.Starts)-1] / 1000
	if got, want := value(t, r, "animation_error_ms"), sum/float64(len(c.AnimationError)); math.Abs(got-want) > 1e-9 {
		t.Errorf("per frame %v, want %v", got, want)
	}
	if got, want := value(t, r, "animation_error_per_second"), sum/1000/span; math.Abs(got-want) > 1e-9 {
		t.Errorf("per second %v, want %v", got, want)
	}
}

// Every figure has an interval that contains it, or the reason why not.
func TestEveryFigureHasAnIntervalOrAReason(t *testing.T) {
	for _, file := range []string{"ocat-metro-exodus.csv.gz", "presentmon_test_case_0.csv.gz", "presentmon_test_case_1.csv.gz"} {
		for _, c := range captures(t, file, ReadOptions{}) {
			for _, p := range Presets() {
				r := report(t, c, Options{Preset: p, Resamples: 60})
				for _, m := range r.Metrics {
					iv := m.Interval
					switch {
					case iv.Bounded() != (iv.Reason == "") || !iv.Known():
						t.Errorf("%s %s %s: interval %+v", c.Process, p, m.Key, iv)
					case !iv.Bounded():
					case !(iv.Lo <= m.Value && m.Value <= iv.Hi) || iv.Center != m.Value || iv.Level != 0.95 || iv.Method == "" || iv.N == 0 || !(iv.NEff > 0):
						t.Errorf("%s %s %s: %v in %+v", c.Process, p, m.Key, m.Value, iv)
					}
				}
			}
		}
	}
}

func TestOnlyExtremesGoWithoutInterval(t *testing.T) {
	r := report(t, Capture{Frames: hitches(100_000, false)}, Options{Resamples: 60, Below: []float64{45}})
	var without []string
	for _, m := range r.Metrics {
		if m.Interval.Reason != "" {
			without = append(without, m.Key)
		}
	}
	r = report(t, Capture{Frames: autoregressive(200, 0, 1)}, Options{Resamples: 60})
	for _, m := range r.Metrics {
		if low := strings.HasPrefix(m.Key, "p1") || strings.HasPrefix(m.Key, "p01") || strings.HasPrefix(m.Key, "low"); low != (atMost(m.Interval) && m.Interval.Level == 0.95) || low && (m.Interval.Hi < m.Value || m.Interval.Bounded()) {
			t.Errorf("200 frames: %+v", m)
		}
	}
	if want := []string{"min_fps", "max_fps", "min_ms", "max_ms", "n_eff"}; !slices.Equal(without, want) {
		t.Errorf("without interval: %v, want %v", without, want)
	}
}

func TestIntervalsAreTheSameForTheSameSeed(t *testing.T) {
	c := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	a, b := report(t, c, Options{Resamples: 100}), report(t, c, Options{Resamples: 100, Seed: 1})
	if !reflect.DeepEqual(a, b) {
		t.Error("two reports differ")
	}
	other := report(t, c, Options{Resamples: 100, Seed: 2})
	x, _ := a.Metric("p1_fps")
	y, _ := other.Metric("p1_fps")
	if x.Value != y.Value || x.Interval.Hi == y.Interval.Hi {
		t.Errorf("seeds 1 and 2: %+v, %+v", x.Interval, y.Interval)
	}
}

// above returns the distance from a figure to its upper bound.
func above(m Metric) float64 {
	return m.Interval.Hi - m.Value
}

func TestCorrelatedFramesGetWiderIntervals(t *testing.T) {
	x := autoregressive(4000, 0.9, 3)
	mixed := slices.Clone(x)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	together, apart := report(t, Capture{Frames: x}, Options{Resamples: 300}), report(t, Capture{Frames: mixed}, Options{Resamples: 300})
	for _, key := range []string{"avg_fps", "p1_fps", "low1_average_fps", "stddev_ms"} {
		a, _ := together.Metric(key)
		b, _ := apart.Metric(key)
		if math.Abs(a.Value-b.Value) > 1e-9*a.Value {
			t.Errorf("%s depends on the order: %v, %v", key, a.Value, b.Value)
		}
		if wide, narrow := above(a), above(b); wide < 1.4*narrow {
			t.Errorf("%s: half-width %v with correlation, %v without", key, wide, narrow)
		}
	}
}

// The P1 and the low average of a very long run are taken for the true values.
func TestIntervalsCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 100 captures")
	}
	const phi, runs = 0.5, 100
	truth := report(t, Capture{Frames: autoregressive(1_000_000, phi, 99)}, quick)
	keys := []string{"avg_fps", "p1_fps", "low1_average_fps", "low1_integral_fps", "stddev_ms", "jitter_ms", "lag1"}
	covered := map[string]int{}
	for run := range runs {
		r := report(t, Capture{Frames: autoregressive(1000, phi, uint64(run))}, Options{Resamples: 200})
		for _, key := range keys {
			m, _ := r.Metric(key)
			want := value(t, truth, key)
			if holds(m, want) {
				covered[key]++
			}
		}
	}
	for _, key := range keys {
		t.Logf("%s: nominal 95 %%, covered %.1f %%", key, 100*float64(covered[key])/runs)
		if covered[key] < runs*80/100 {
			t.Errorf("%s: %d of %d intervals hold the truth", key, covered[key], runs)
		}
	}
}

func TestFewFramesAreWarnedOf(t *testing.T) {
	metro := report(t, captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{}), Options{Preset: CapFrameX, Resamples: 50})
	all := strings.Join(metro.Warnings, "\n")
	for _, want := range []string{"P0.1 rests on 2", "0.1 % low average rests on 2", "0.1 % low integral rests on 2",
		"not stationary", "2502 of them say as much about the mean as"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %q", want, all)
		}
	}
	if strings.Contains(all, "P1 rests") {
		t.Errorf("P1 of 2502 frames rests on 25: %q", all)
	}
	long := report(t, Capture{Frames: autoregressive(20_000, 0, 5)}, Options{Resamples: 50})
	if len(long.Warnings) != 0 {
		t.Errorf("20 000 independent frames: %q", long.Warnings)
	}
}

func TestDriftIsShownAndNoiseIsNot(t *testing.T) {
	arithmetic(t)
	jump := autoregressive(3000, 0.3, 1)
	for i := range jump[:1500] {
		jump[i] += 4
	}
	for _, c := range []Capture{captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{}),
		captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{}), {Process: "jump", Frames: jump}} {
		if r := report(t, c, Options{Resamples: -1}); !r.NotStationary || !strings.Contains(strings.Join(r.Warnings, ""), "not stationary") {
			t.Errorf("%s drifts, and is called stationary", c.Process)
		}
	}
	flagged := 0
	for seed := range uint64(100) {
		if r := report(t, Capture{Frames: autoregressive(5000, 0.5, seed)}, Options{Resamples: -1}); r.NotStationary {
			flagged++
		}
	}
	if flagged > 20 {
		t.Errorf("%d of 100 stationary captures are flagged", flagged)
	}
	if r := report(t, Capture{Frames: slices.Repeat([]float64{10}, 1000)}, Options{}); r.NotStationary || len(r.Warnings) != 0 && strings.Contains(r.Warnings[0], "stationary") {
		t.Errorf("constant frames: %q", r.Warnings)
	}
}

func TestReportOfVeryFewFrames(t *testing.T) {
	for _, frames := range [][]float64{{16.7}, {16.7, 16.7}, {16.7, 33.3}, {1, 2, 3}, slices.Repeat([]float64{16.7}, 500)} {
		for _, p := range Presets() {
			r := report(t, Capture{Frames: frames, AnimationError: frames[:1]}, Options{Preset: p, Resamples: 50})
			if _, err := json.Marshal(r); err != nil {
				t.Errorf("%v: %v", frames, err)
			}
			if value(t, r, "avg_fps") == 0 || value(t, r, "p01_fps") == 0 || value(t, r, "low1_integral_fps") == 0 {
				t.Errorf("%v by %s: %+v", frames, p, r)
			}
			if _, ok := r.Metric("lag1"); ok && len(frames) > 3 {
				t.Error("frames that do not vary have an autocorrelation")
			}
		}
	}
	for _, bad := range []Capture{{}, {Frames: []float64{1, 0}}, {Frames: []float64{-1}}, {Frames: []float64{math.NaN()}}, {Frames: []float64{math.Inf(1)}},
		{Frames: []float64{1}, AnimationError: []float64{math.NaN()}}} {
		if _, err := Analyze(bad, Options{}); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

func TestJSONHasTheKeysOthersRead(t *testing.T) {
	c := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	b, err := json.Marshal(report(t, c, Options{Preset: CapFrameX, Resamples: 50}))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{"file": "ocat-metro-exodus.csv", "process": "MetroExodus.exe", "frames": 2502.0, "preset": "capframex"} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	for _, m := range got["metrics"].([]any) {
		m := m.(map[string]any)
		iv, _ := m["interval"].(map[string]any)
		_, lo := iv["lo"]
		_, hi := iv["hi"]
		if _, reason := iv["reason"]; (lo && hi) == reason || iv["center"] == nil {
			t.Errorf("%v: %v: both bounds and a reason must exclude each other", m["key"], iv)
		}
	}
}

// The name of a figure must say which definition it has: "1 % low" and "average of FPS" mean different things to different tools.
func TestNamesSayWhichDefinition(t *testing.T) {
	r := report(t, Capture{Frames: []float64{10, 20, 30}}, quick)
	keys := make([]string, 0, len(r.Metrics))
	for _, m := range r.Metrics {
		keys = append(keys, m.Key)
		if strings.HasSuffix(m.Name, "low") || m.Definition == "" {
			t.Errorf("%+v", m)
		}
	}
	sort.Strings(keys)
	if len(slices.Compact(keys)) != len(r.Metrics) {
		t.Error("two figures share a key")
	}
	m, ok := r.Metric("mean_instantaneous_fps")
	if !ok || !strings.Contains(m.Name, "instantaneous") || !near(m.Value, (100+50+1000.0/30)/3, 9) {
		t.Errorf("%+v", m)
	}
}

func TestUnseenStuttersAreBoundedNotExcluded(t *testing.T) {
	r := report(t, Capture{Frames: autoregressive(1000, 0, 11)}, Options{Resamples: 50})
	m, _ := r.Metric("stutter_frames_share")
	want := 1 - math.Pow(0.05, 1/m.Interval.NEff) // 3 in 1000 if they were independent
	if m.Value != 0 || m.Interval.Lo != 0 || math.Abs(m.Interval.Hi-want) > 1e-12 || want < 0.0029 || want > 0.01 {
		t.Errorf("%+v", m)
	}
	if m, _ := r.Metric("stutter_time_share"); m.Interval.Bounded() || m.Interval.Reason == "" {
		t.Errorf("%+v", m)
	}
}

func TestStuttersCanBeSwitchedOff(t *testing.T) {
	c := Capture{Frames: []float64{10, 10, 10, 90, 10, 10}}
	on, off := report(t, c, Options{Level: -1, StutterWindow: 3}), report(t, c, Options{Level: -1, StutterFactor: -1, Below: []float64{}})
	if m, ok := on.Metric("stutter_time_share"); !ok || !near(m.Value, 90.0/140, 9) {
		t.Errorf("%+v", m) // the hitch counts as 10 ms in its own mean
	}
	for _, m := range off.Metrics {
		if m.Unit == Share {
			t.Errorf("%s is reported", m.Key)
		}
	}
}

func BenchmarkAnalyze10000(b *testing.B) {
	c := Capture{Frames: autoregressive(10_000, 0.9, 1)}
	for b.Loop() {
		if _, err := Analyze(c, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// marks looks back over window frames from every frame, as in the definition.
func marks(x []float64, factor float64, window int) []bool {
	out := make([]bool, len(x))
	for i := range x {
		total, seen := 0.0, 0
		for j := i; j >= 0 && seen < window; j-- {
			clipped := x[j]
			if j > 0 && x[j] > 3*x[j-1] {
				clipped = x[j-1]
			}
			total += clipped
			seen++
		}
		out[i] = x[i] > factor*(total/float64(seen))
	}
	return out
}

// around returns n frame times with the given mean. Which of them stutter depends on the window.
func around(n int, mean float64) []float64 {
	r := rand.New(rand.NewPCG(9, 9))
	x := make([]float64, n)
	sum := 0.0
	for i := range x {
		x[i] = 1 + 0.4*math.Sin(float64(i)/5) + r.ExpFloat64()
		sum += x[i]
	}
	for i := range x {
		x[i] *= mean * float64(n) / sum
	}
	x[0] += mean*float64(n) - exactSum(x)
	return x
}

func TestTheStutterWindowIsThatOfCapFrameX(t *testing.T) {
	for _, c := range []struct {
		mean   float64
		window int // round(10·√mean), half to even
	}{{16, 40}, {1.5625, 12}, {1.8225, 14}, {0.0001, 1}, {0.06, 2}} {
		x := around(2000, c.mean)
		got := stutters(x, 1.7, 0)
		if !slices.Equal(got, marks(x, 1.7, c.window)) {
			t.Errorf("mean %v: the window is not %d frames", c.mean, c.window)
		}
		if slices.Equal(got, marks(x, 1.7, c.window+1)) || c.window > 1 && slices.Equal(got, marks(x, 1.7, c.window-1)) {
			t.Errorf("mean %v: the test cannot tell the window", c.mean)
		}
	}
	x := around(500, 10)
	for _, window := range []int{1, 2, 7, 499, 500, 501, 10_000} {
		if !slices.Equal(stutters(x, 1.5, window), marks(x, 1.5, window)) {
			t.Errorf("window of %d frames", window)
		}
	}
	whole := stutters(x, 2, -1)
	for i, v := range x {
		if whole[i] != (v > 20) {
			t.Errorf("against the mean of all, frame %d of %v ms", i, v)
		}
	}
}
