// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/simulated"
	"github.com/strobe-go/strobe/internal/tuned"
)

func TestBatchesHoldTheSamplesInOrder(t *testing.T) {
	var b BatchMeans
	var samples []float64
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 3000; n++ {
		x := r.Int64N(1000) - 300
		if n%7 == 0 {
			x <<= 50 // past the narrow path of the sums
		}
		b.Add(x)
		samples = append(samples, float64(x))
		w, size := b.means()
		if n < 3*len(b.sums) && n%5 > 0 || n%97 > 0 && n > 3*len(b.sums) {
			continue
		}
		if want := n / int(size); len(w) != want || len(w) >= len(b.sums) {
			t.Fatalf("%d samples: %d batches of %v", n, len(w), size)
		}
		for i := range w {
			sum := 0.0
			for _, x := range samples[i*int(size) : (i+1)*int(size)] {
				sum += x
			}
			first := 0.0
			for _, x := range samples[:int(size)] {
				first += x
			}
			if want := (sum - first) / size; math.Abs(w[i]-want) > 1e-9*math.Abs(want)+1e-9 {
				t.Fatalf("%d samples, batch %d of %v: %v, want %v", n, i, size, w[i], want)
			}
		}
	}
	if m := b.Moments(); m.N() != 3000 || m.Mean() != b.Interval(0).Center {
		t.Error("moments do not hold all samples")
	}
}

// What is gathered from a stream is what the stored samples would give, and so is the interval.
func TestTheEvidenceOfAStreamIsThatOfItsSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{16, 63, 127, 128, 255, 256, 257, 1000, 5003} {
		var b BatchMeans
		x := make([]float64, n)
		simulated.Lognormal(1)(r, x)
		for i := range x {
			x[i] = math.Round(1e6 * x[i])
			b.Add(int64(x[i]))
		}
		got, want := b.evidence(), tuned.Of(x)
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }
		if got.N != want.N || got.Size != want.Size || got.Equal != want.Equal || !near(got.Mean, want.Mean) || !near(got.Variance, want.Variance) || !near(got.Lag1, want.Lag1) ||
			!slices.EqualFunc(got.Batches, want.Batches, near) || !slices.Equal(got.Thin, want.Thin) || !slices.Equal(got.Largest, want.Largest) {
			t.Errorf("%d samples: %+v, want %+v", n, got, want)
		}
		if iv, stored := b.Interval(0.9), tuned.Committed.Interval(&want, 0.9); !near(iv.Lo, stored.Lo) || !near(iv.Hi, stored.Hi) || !slices.Equal(iv.Warnings, stored.Warnings) {
			t.Errorf("%d samples: %v, of stored ones %v", n, iv, stored)
		}
	}
}

func TestBatchMeansNeedSamples(t *testing.T) {
	var b BatchMeans
	for n, want := range map[int]string{0: "no samples", 1: "7 (no interval: needs at least 2 samples, has 1)"} {
		b = BatchMeans{}
		for range n {
			b.Add(7)
		}
		if got := b.Interval(0.95).String(); got != want {
			t.Errorf("%d samples: %q, want %q", n, got, want)
		}
	}
	b = BatchMeans{}
	for range 500 {
		b.Add(7)
	}
	if iv := b.Interval(0.95); iv.Half() != 0 || iv.Center != 7 || len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "all samples are equal") || iv.NEff != 500 || iv.Level != 0.95 {
		t.Errorf("equal samples: %+v", iv)
	}
	b = BatchMeans{}
	for x := range int64(10) {
		b.Add(x)
	}
	if iv := b.Interval(0.95); iv.Level != 0.95 || len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "fewer than 16") {
		t.Errorf("ten samples: %+v", iv)
	}
	if iv := b.Interval(2); iv.Level != 0 {
		t.Errorf("level 2: %+v", iv)
	}
}

func TestEffectiveSamplesFollowTheCorrelation(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9} {
		r := rand.New(rand.NewPCG(8, 8))
		a := simulated.NewAutoregression(phi, r.NormFloat64)
		var b BatchMeans
		const n = 200000
		for range n {
			b.Add(int64(1e6 * a.Next()))
		}
		want := n * (1 - phi) / (1 + phi)
		if got := b.Interval(0.95).NEff; got < 0.55*want || got > 1.8*want {
			t.Errorf("φ=%v: %v effective samples, want about %v", phi, got, want)
		}
	}
}

func TestDriftIsCalledNotStationary(t *testing.T) {
	var drift, step, flat BatchMeans
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 20000 {
		x := int64(1e6 * r.NormFloat64())
		flat.Add(x)
		drift.Add(x + int64(i)*200)
		if i > 12000 {
			x += 3e6
		}
		step.Add(x)
	}
	for name, b := range map[string]*BatchMeans{"drift": &drift, "step": &step} {
		if iv := b.Interval(0.95); len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "not stationary") {
			t.Errorf("%s: %q", name, iv.Warnings)
		}
	}
	if iv := flat.Interval(0.95); len(iv.Warnings) != 0 {
		t.Errorf("flat: %q", iv.Warnings)
	}
}

// In both captures frame times drift with what is on the screen, so an interval for independent frames is far too narrow.
func TestFrameCapturesAreNotStationary(t *testing.T) {
	for name, frames := range map[string]int{"metro": 2502, "re2": 7285} {
		text, err := os.ReadFile("testdata/frames/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var b BatchMeans
		for _, line := range strings.Fields(string(text)) {
			ms, err := strconv.ParseFloat(line, 64)
			if err != nil {
				t.Fatal(err)
			}
			b.Add(int64(math.Round(ms * 1e6)))
		}
		iv, m := b.Interval(0.95), b.Moments()
		if iv.N != uint64(frames) || len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "not stationary") {
			t.Errorf("%s: %+v", name, iv)
		}
		if naive := m.Interval(0.95); iv.Half() < 1.3*naive.Half() {
			t.Errorf("%s: ±%v, for independent frames ±%v", name, iv.Half(), naive.Half())
		}
		t.Logf("%s: %s, n_eff %.0f, %q", name, iv.In(1e6, "ms"), iv.NEff, iv.Warnings)
	}
}

func TestBatchMeansAddDoesNotAllocate(t *testing.T) {
	var b BatchMeans
	if n := testing.AllocsPerRun(5000, func() { b.Add(12345) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBatchMeansAdd(b *testing.B) {
	samples := frameTimes()
	var m BatchMeans
	for b.Loop() {
		for _, x := range samples {
			m.Add(x)
		}
	}
	reportPerSample(b)
}

func BenchmarkBatchMeansInterval(b *testing.B) {
	var m BatchMeans
	for _, x := range frameTimes() {
		m.Add(x)
	}
	for b.Loop() {
		m.Interval(0.95)
	}
}

// Samples of a single value say nothing about other values.
func TestEqualSamplesCarryAWarning(t *testing.T) {
	for _, n := range []int{16, 200, 10000} {
		var b BatchMeans
		for range n {
			b.Add(7)
		}
		if !strings.Contains(strings.Join(b.Interval(0).Warnings, ""), "all samples are equal") {
			t.Errorf("%d equal samples: %q", n, b.Interval(0).Warnings)
		}
		if b.Add(8); strings.Contains(strings.Join(b.Interval(0).Warnings, ""), "all samples are equal") {
			t.Errorf("%d samples, one of them another: %q", n+1, b.Interval(0).Warnings)
		}
	}
}
