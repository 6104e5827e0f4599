// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"testing"
)

// Effective numbers and half-widths as worked out when the captures were
// studied; there with the normal quantile 1.96, here with Student's.
func TestGeyerOnRealCaptures(t *testing.T) {
	presenter := captureOf(t, "presentmon_test_case_0.csv.gz", "Presenter.exe", ReadOptions{PoolByName: true})
	for _, row := range []struct {
		name     string
		c        Capture
		nEff     float64
		half     float64
		decimals int
	}{
		{"Resident Evil 2", captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{}), 10289, .0038, 4},
		{"Metro Exodus", captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{}), 18, .4613, 4},
		{"Metro Exodus, display change", captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{Column: "MsBetweenDisplayChange"}), 10, .4665, 4},
		{"Presenter.exe", presenter, 159, 1.1666, 4},
	} {
		r := report(t, row.c, Options{Resamples: -1})
		m, _ := r.Metric("mean_ms")
		if math.Round(m.Interval.NEff) != row.nEff {
			t.Errorf("%s: n_eff %v, want %v", row.name, m.Interval.NEff, row.nEff)
		}
		normal := m.Interval.Half() / studentT(0.95, m.Interval.NEff-1) * 1.96
		if !near(normal, row.half, row.decimals) {
			t.Errorf("%s: ± %.5f with the normal quantile, want %v", row.name, normal, row.half)
		}
		// The average FPS carries the same interval, turned over.
		avg, _ := r.Metric("avg_fps")
		if !near(avg.Interval.Lo*m.Interval.Hi, 1000, 6) || !near(avg.Interval.Hi*m.Interval.Lo, 1000, 6) {
			t.Errorf("%s: %v FPS and %v ms", row.name, avg.Interval, m.Interval)
		}
	}
}

func TestLongCapturesKeepTheirInterval(t *testing.T) {
	const n, phi = 200_000, 0.9
	x := autoregressive(n, phi, 8)
	want := n * (1 - phi) / (1 + phi)
	iv := meanOf(x, 0.95)
	if iv.NEff < 0.8*want || iv.NEff > 1.25*want || iv.N != n {
		t.Errorf("n_eff %v, want about %v", iv.NEff, want)
	}
	if half := 1.96 / math.Sqrt(want); iv.Half() < 0.85*half || iv.Half() > 1.2*half {
		t.Errorf("half-width %v, want about %v", iv.Half(), half)
	}
}

// Anchors of Student's t at 97.5 %, and block lengths that grow with memory.
func TestStudentQuantileAndBlockLength(t *testing.T) {
	for nu, want := range map[float64]float64{10: 2.22813885198627, 29: 2.0452296421327, 99: 1.98421695158642} {
		if got := studentT(0.95, nu); math.Abs(got-want) > 2e-4 {
			t.Errorf("t(%v) is %v, want %v", nu, got, want)
		}
	}
	before := 0.0
	for _, phi := range []float64{0, 0.5, 0.9, 0.97} {
		length := blockLength(autoregressive(5000, phi, 2))
		if length <= before {
			t.Errorf("phi %v: blocks of %v frames, %v with less memory", phi, length, before)
		}
		before = length
	}
	if before > 3*math.Sqrt(5000)+1 {
		t.Errorf("blocks of %v frames", before)
	}
}
