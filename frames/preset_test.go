// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

var quick = Options{Level: -1} // no intervals

func report(t testing.TB, c Capture, o Options) Report {
	t.Helper()
	r, err := Analyze(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// This compares every capture, by process and pooled, and every preset with the oracle, in the digits that the tools print.
func TestPresetsPrintWhatTheToolsPrint(t *testing.T) {
	arithmetic(t)
	figures := 0
	for _, file := range append(realFiles(t), "own/cube_2026-01-02_03-04-05.csv", "own/factorio-verbose.log") {
		all := captures(t, file, ReadOptions{})
		all = append(all, captures(t, file, ReadOptions{PoolByName: true})...)
		if file == "ocat-metro-exodus.csv.gz" {
			all = append(all, captures(t, file, ReadOptions{Column: "MsBetweenDisplayChange"})...)
		}
		for _, c := range all {
			o := newOracle(c.Frames)
			for _, p := range []Preset{PresentMon, CapFrameX, MangoHud, Afterburner} {
				r := report(t, c, Options{Preset: p, Level: -1})
				for key, want := range o.tool(p) {
					m, ok := r.Metric(key)
					if !ok || m.Text != want || m.By != p.String() {
						t.Errorf("%s %s %d (%d frames), %s %s: %q by %s, the tool prints %q", file, c.Process, c.PID, len(c.Frames), p, key, m.Text, m.By, want)
					}
					figures++
				}
			}
		}
	}
	if figures < 2000 {
		t.Errorf("only %d figures were compared", figures)
	}
}

// These values were computed from the tools' source before this package existed, to two decimals.
func TestPresetsGiveTheKnownValues(t *testing.T) {
	re2 := captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{})
	metro := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	shown := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{Column: "MsBetweenDisplayChange"})
	tc0 := captureOf(t, "presentmon_test_case_0.csv.gz", "Presenter.exe", ReadOptions{PoolByName: true})
	for _, row := range []struct {
		name    string
		c       Capture
		avg     float64
		inverse float64
		one     [5]float64 // MangoHud, PresentMon, CapFrameX P1, average, integral
		tenth   [5]float64
		median  float64
	}{
		{"Resident Evil 2", re2, 286.32, 287.20, [5]float64{259.00, 259.07, 259.07, 248.69, 258.46}, [5]float64{237.36, 239.94, 238.56, 203.51, 230.79}, 291.72},
		{"Metro Exodus", metro, 98.56, 99.53, [5]float64{78.89, 79.03, 78.94, 73.73, 78.12}, [5]float64{67.77, 68.74, 68.25, 61.16, 67.77}, 98.03},
		{"Metro Exodus, display change", shown, 98.55, 99.09, [5]float64{86.48, 86.51, 86.49, 83.24, 86.18}, [5]float64{79.46, 83.91, 83.03, 63.99, 79.46}, 97.44},
		{"Presenter.exe", tc0, 62.02, 109.88, [5]float64{12.42, 20.87, 13.82, 12.42, 12.42}, [5]float64{12.42, 12.64, 12.42, 12.42, 12.42}, 63.98},
	} {
		mango, pm, cx := report(t, row.c, Options{Preset: MangoHud, Level: -1}), report(t, row.c, Options{Preset: PresentMon, Level: -1}), report(t, row.c, Options{Preset: CapFrameX, Level: -1})
		inverse, _ := cx.Metric("mean_instantaneous_fps")
		median, _ := cx.Metric("median_fps")
		for _, v := range []struct {
			what      string
			got, want float64
		}{
			{"average", value(t, cx, "avg_fps"), row.avg}, {"mean of instantaneous", inverse.Value, row.inverse}, {"median", median.Value, row.median},
			{"MangoHud 1 %", value(t, mango, "p1_fps"), row.one[0]}, {"PresentMon P1", value(t, pm, "p1_fps"), row.one[1]}, {"CapFrameX P1", value(t, cx, "p1_fps"), row.one[2]},
			{"low average 1 %", value(t, cx, "low1_average_fps"), row.one[3]}, {"low integral 1 %", value(t, cx, "low1_integral_fps"), row.one[4]},
			{"MangoHud 0.1 %", value(t, mango, "p01_fps"), row.tenth[0]}, {"PresentMon P0.1", value(t, pm, "p01_fps"), row.tenth[1]}, {"CapFrameX P0.1", value(t, cx, "p01_fps"), row.tenth[2]},
			{"low average 0.1 %", value(t, cx, "low01_average_fps"), row.tenth[3]}, {"low integral 0.1 %", value(t, cx, "low01_integral_fps"), row.tenth[4]},
		} {
			if !near(v.got, v.want, 2) {
				t.Errorf("%s, %s: %.4f, want %.2f", row.name, v.what, v.got, v.want)
			}
		}
	}
}

// These are the expectations of CapFrameX's own tests (FrametimeStatisticProviderTest.cs).
func TestCapFrameXOwnExpectations(t *testing.T) {
	value := func(key string, frames ...float64) float64 {
		m, ok := func() (Metric, bool) {
			r := report(t, Capture{Frames: frames}, Options{Preset: CapFrameX, Level: -1, StutterWindow: -1})
			return r.Metric(key)
		}()
		if !ok {
			t.Fatalf("no %s of %v", key, frames)
		}
		return m.Value
	}
	if v := value("max_fps", 10, 16.67, 33.33); v != 100 {
		t.Errorf("max %v", v)
	}
	if v := value("min_fps", 10, 16.67, 33.33); !near(v, 30, 1) {
		t.Errorf("min %v", v)
	}
	if v := value("low1_integral_fps", 10, 10, 10, 10, 100); v != 10 {
		t.Errorf("low integral %v, 1000/100 wanted", v)
	}
	if v := value("low1_average_fps", 100, 100, 100, 100, 100); v != 10 {
		t.Errorf("low average %v, 1000/100 wanted", v)
	}
	if v := value("stutter_frames_share", 16, 16, 16, 16, 100); v != 0.2 {
		t.Errorf("stutter count %v", v)
	}
	if v := value("stutter_time_share", 16, 16, 16, 16, 100); !near(v, 100.0/164, 9) {
		t.Errorf("stutter time %v", v)
	}
}

func TestQuantileTypesAreHyndmanAndFans(t *testing.T) {
	// 1..10 at 1/4: R-7 gives 3.25, R-8 2.9166…, the nearest rank is 3.
	at := func(i int) float64 { return float64(i + 1) }
	for q, want := range map[Quantile]float64{R7: 3.25, R8: 2 + 11.0/12, NearestRank: 3} {
		if got := q.of(10, at, 0.25); !near(got, want, 12) {
			t.Errorf("%s: %v, want %v", q, got, want)
		}
		for _, p := range []float64{0, 1} {
			if got := q.of(10, at, p); got != 1+9*p {
				t.Errorf("%s at %v: %v", q, p, got)
			}
		}
		if got := q.of(1, at, 0.99); got != 1 {
			t.Errorf("%s of one value: %v", q, got)
		}
	}
	if got := NearestRank.of(100, at, 0.07); got != 7 {
		t.Errorf("rank 100·0.07 is %v: the product was not taken as 7", got)
	}
	if got := R7.of(101, at, 0.29); got != 30 {
		t.Errorf("R-7 at a whole rank interpolates: %v", got)
	}
}

func TestQuantileTypeAndDomainAreChosenByName(t *testing.T) {
	metro := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	cx := report(t, metro, Options{Preset: CapFrameX, Level: -1})
	same := report(t, metro, Options{Quantile: R8, FPSDomain: true, Level: -1})
	if value(t, same, "p1_fps") != value(t, cx, "p1_fps") || value(t, same, "p01_fps") != value(t, cx, "p01_fps") || value(t, same, "low1_average_fps") != value(t, cx, "low1_average_fps") {
		t.Errorf("R-8 of frame rates: %v, CapFrameX %v", value(t, same, "p1_fps"), value(t, cx, "p1_fps"))
	}
	r7, pm := report(t, metro, quick), report(t, metro, Options{Preset: PresentMon, Level: -1})
	if value(t, r7, "p1_fps") != value(t, pm, "p1_fps") || value(t, r7, "p1_fps") == value(t, cx, "p1_fps") {
		t.Errorf("R-7 of frame times: %v, PresentMon %v", value(t, r7, "p1_fps"), value(t, pm, "p1_fps"))
	}
	rank := report(t, metro, Options{Quantile: NearestRank, Level: -1})
	if !slices.Contains(metro.Frames, 1000/value(t, rank, "p1_fps")) {
		t.Errorf("nearest rank gives %v, which no frame has", value(t, rank, "p1_fps"))
	}
	for _, bad := range []Options{{Quantile: 3}, {Quantile: -1}, {Preset: 5}, {Preset: -1}, {Level: 1}, {Below: []float64{-1}}, {Resamples: 1 << 30}} {
		if _, err := Analyze(metro, bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestWordsOfEnumerationsSurviveJSON(t *testing.T) {
	type all struct {
		P Preset
		Q Quantile
		F Format
		U Unit
	}
	for x, want := range map[all]string{{}: `{"P":"strobe","Q":"R-7","F":"unknown","U":""}`, {CapFrameX, R8, FormatPresentMon2, FPS}: `{"P":"capframex","Q":"R-8","F":"PresentMon 2","U":"fps"}`,
		{Afterburner, NearestRank, FormatList, Share}: `{"P":"afterburner","Q":"nearest-rank","F":"list","U":"share"}`} {
		text, err := json.Marshal(x)
		var back all
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != x {
			t.Errorf("%s, want %s; back as %+v (%v)", text, want, back, err)
		}
	}
	p := MangoHud
	if err := p.UnmarshalText([]byte("CapFrameX")); p != CapFrameX || err != nil {
		t.Errorf("%v, %v", p, err)
	}
	if err := p.UnmarshalText([]byte("fraps")); p != CapFrameX || err == nil || !strings.Contains(err.Error(), "afterburner") {
		t.Errorf("%v, %v", p, err)
	}
}

func TestPresetLeavesNoFigureWithoutOwner(t *testing.T) {
	c := captureOf(t, "presentmon_test_case_0.csv.gz", "dwm.exe", ReadOptions{})
	for _, p := range Presets() {
		r := report(t, c, Options{Preset: p, Level: -1})
		for _, key := range []string{"avg_fps", "p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps",
			"min_fps", "max_fps", "mean_ms", "stddev_ms", "cv", "jitter_ms", "stutter_time_share", "below_60_fps_time_share", "animation_error_ms", "lag1"} {
			if m, ok := r.Metric(key); !ok || m.By == "" || m.Definition == "" || m.Text == "" || m.Name == "" {
				t.Errorf("%s: %s is %+v", p, key, m)
			}
		}
	}
}
