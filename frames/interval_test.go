// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// The captures have three decimals. In whole microseconds the mean has the same interval, and the average FPS has its inverse.
func TestMeansCarryTheBatchMeansInterval(t *testing.T) {
	for _, c := range []Capture{captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{}), captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})} {
		var b stat.BatchMeans
		for _, x := range c.Frames {
			b.Add(int64(math.Round(x * 1000)))
		}
		want := b.Interval(0.9)
		r := report(t, c, Options{Resamples: -1, Level: 0.9})
		m, _ := r.Metric("mean_ms")
		for got, want := range map[float64]float64{m.Interval.Lo: want.Lo, m.Interval.Hi: want.Hi, m.Value: want.Center} {
			if math.Abs(got-want/1000) > 1e-9 {
				t.Errorf("%s: %v ms, %v µs wanted", c.Process, got, want)
			}
		}
		if m.Interval.Level != 0.9 || math.Abs(m.Interval.NEff/want.NEff-1) > 1e-6 {
			t.Errorf("%s: %+v, want %+v", c.Process, m.Interval, want)
		}
		avg, _ := r.Metric("avg_fps")
		if !near(avg.Interval.Lo*m.Interval.Hi, 1000, 6) || !near(avg.Interval.Hi*m.Interval.Lo, 1000, 6) {
			t.Errorf("%s: %v FPS and %v ms", c.Process, avg.Interval, m.Interval)
		}
	}
}

func TestBlocksGrowWithMemory(t *testing.T) {
	before := 0.0
	for _, phi := range []float64{0, 0.5, 0.9, 0.97} {
		length := blockLength(autoregressive(5000, phi, 2), 5000)
		if length <= before {
			t.Errorf("phi %v: blocks of %v frames, %v with less memory", phi, length, before)
		}
		before = length
	}
	if before > 3*math.Sqrt(5000)+1 {
		t.Errorf("blocks of %v frames", before)
	}
	x := autoregressive(1<<18, 0.9, 2)
	if whole, part := blockLength(x, len(x)), blockLength(x[:1<<17], 1<<17); !near(whole/part, math.Cbrt(2), 9) {
		t.Errorf("blocks of %v and %v frames", part, whole)
	}
}

func TestSlowFramesThatComeTogetherCountOnce(t *testing.T) {
	x := autoregressive(3000, 0, 1)
	for i := range x {
		if i%100 < 3 {
			x[i] += 50 // 30 hitches of 3 frames, so regular that their number hardly varies
		}
	}
	o, err := Options{Resamples: -1}.resolve()
	if err != nil {
		t.Fatal(err)
	}
	a := newAnalysis(Capture{Frames: x}, o)
	if k := a.independent(90); k != 30 {
		t.Errorf("90 slow frames in 30 hitches are worth %v", k)
	}
	for block, want := range map[float64]float64{1: 30, 0.5: 90, 97: 30, 98: 1} {
		a.resampler.block = block
		if n := a.apart(40); n != want {
			t.Errorf("blocks of %v frames: %v hitches, want %v", block, n, want)
		}
	}
}
