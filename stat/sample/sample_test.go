// SPDX-License-Identifier: BSD-3-Clause

package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

// series draws n values of a first-order autoregression with variance 1.
func series(r *rand.Rand, n int, phi float64) []float64 {
	x := make([]float64, n)
	last := r.NormFloat64()
	for i := range x {
		x[i] = last
		last = phi*last + math.Sqrt(1-phi*phi)*r.NormFloat64()
	}
	return x
}

func TestMomentsOfFloatsKeepTheirDigits(t *testing.T) {
	// NIST's NumAcc sets of rising difficulty: mean far from zero, standard deviation known.
	for _, c := range []struct {
		start, low, high, sd, least float64
	}{{1.2, 1.1, 1.3, 0.1, 14.5}, {1000000.2, 1000000.1, 1000000.3, 0.1, 9.4}, {10000000.2, 10000000.1, 10000000.3, 0.1, 8.2}} {
		var m Moments
		m.Add(c.start)
		for range 500 {
			m.Add(c.low)
			m.Add(c.high)
		}
		if !near(m.Mean(), c.start, 2e-16) {
			t.Errorf("mean %v, want %v", m.Mean(), c.start)
		}
		if digits := -math.Log10(math.Abs(m.StdDev()/c.sd-1) + 1e-16); digits < c.least { // the accuracy that float64 input allows
			t.Errorf("around %v: standard deviation %v has %.1f digits", c.start, m.StdDev(), digits)
		}
	}
}

func TestShapeIsThatOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var whole Moments
	var parts [3]Moments
	x := make([]float64, 3000)
	for i := range x {
		x[i] = 1000 + r.ExpFloat64()
		whole.Add(x[i])
		parts[i*i%3].Add(x[i])
	}
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	var c [5]float64
	for _, v := range x {
		for p := range c {
			c[p] += math.Pow(v-mean, float64(p))
		}
	}
	n := float64(len(x))
	var merged Moments
	for i := range parts {
		merged.Merge(&parts[i])
	}
	merged.Merge(nil)
	merged.Merge(&Moments{})
	for name, m := range map[string]*Moments{"added": &whole, "merged": &merged} {
		if !near(m.Mean(), mean, 1e-14) || !near(m.Variance(), c[2]/(n-1), 1e-11) || m.N() != 3000 ||
			!near(m.Skewness(), math.Sqrt(n)*c[3]/math.Pow(c[2], 1.5), 1e-9) || !near(m.Kurtosis(), n*c[4]/c[2]/c[2]-3, 1e-8) ||
			m.Min() != slices.Min(x) || m.Max() != slices.Max(x) {
			t.Errorf("%s: %v %v %v %v", name, m.Mean(), m.Variance(), m.Skewness(), m.Kurtosis())
		}
	}
	before := whole.Kurtosis()
	whole.Merge(&whole)
	if whole.N() != 6000 || !near(whole.Kurtosis(), before, 1e-9) {
		t.Error("merging with itself does not double")
	}
}

func TestMomentsLeaveOutWhatIsNotFinite(t *testing.T) {
	var m Moments
	if m.Add(math.NaN()) || m.Add(math.Inf(1)) || !m.Add(-3) || m.N() != 1 || m.Mean() != -3 || m.Max() != -3 ||
		m.Variance() != 0 || m.Skewness() != 0 || m.Kurtosis() != 0 {
		t.Errorf("%+v", m)
	}
	m.Add(-3)
	if m.StdDev() != 0 || m.Skewness() != 0 || m.Kurtosis() != 0 {
		t.Errorf("equal values: %+v", m)
	}
}

func TestMeanByNameGivesTheWorkedExample(t *testing.T) {
	const mean, a, b = 123462321000, 60000000, 45748382 // nanoseconds
	runs := []float64{mean, mean + a, mean - a, mean + b, mean - b}
	for method, want := range map[Method]string{StudentT: "66.246", Normal: "46.764"} {
		iv := Mean(runs, 0.95, method)
		if got := fmt.Sprintf("%.3f", iv.Half()/1e6); got != want || iv.Method != method.String() || iv.Center != mean {
			t.Errorf("%s: ±%s, want ±%s", method, got, want)
		}
	}
}

func TestGeyerCoversCorrelatedSeries(t *testing.T) {
	const rounds = 800
	for _, phi := range []float64{-0.5, 0, 0.5, 0.8, 0.9} {
		r := rand.New(rand.NewPCG(2, 2))
		covered := 0
		for range rounds {
			if iv := Mean(series(r, 1000, phi), 0.95, Geyer); iv.Lo <= 0 && 0 <= iv.Hi {
				covered++
			}
		}
		share := 100 * float64(covered) / rounds
		if share < 93 || share > 97 {
			t.Errorf("φ=%v: covers %.1f %%", phi, share)
		}
		t.Logf("φ=%v: %.1f %%", phi, share)
	}
}

func capture(t *testing.T, name string) (ms []float64) {
	t.Helper()
	text, err := os.ReadFile("../testdata/frames/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(string(text)) {
		x, err := strconv.ParseFloat(line, 64)
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, x)
	}
	return ms
}

func TestGeyerOfFrameCaptures(t *testing.T) {
	// The effective sizes and half-widths (with the normal quantile) of these captures were computed independently.
	for _, c := range []struct {
		name         string
		nEff, normal float64
		warned       bool
	}{{"metro", 17.9, 0.4613, false}, {"re2", 10289, 0.0038, false}} {
		x := capture(t, c.name)
		iv := Mean(x, 0.95, Geyer)
		var m Moments
		for _, v := range x {
			m.Add(v)
		}
		normal := 1.959964 * m.StdDev() / math.Sqrt(iv.NEff)
		if !near(iv.NEff, c.nEff, 0.01) || !near(normal, c.normal, 0.01) || iv.Half() < normal || len(iv.Warnings) > 0 != c.warned {
			t.Errorf("%s: n_eff %v, ±%v with the normal quantile: %+v", c.name, iv.NEff, normal, iv)
		}
	}
}

func TestBootstrapOfAMeanCovers(t *testing.T) {
	const rounds = 200
	mean := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		return sum / float64(len(x))
	}
	for _, phi := range []float64{0, 0.5, 0.8} {
		r := rand.New(rand.NewPCG(3, 3))
		covered := 0
		for i := range rounds {
			iv := Bootstrap(series(r, 1000, phi), mean, BootstrapOptions{Resamples: 200, Seed: uint64(i)})
			if iv.Lo <= 0 && 0 <= iv.Hi {
				covered++
			}
		}
		share := 100 * float64(covered) / rounds
		if share < 88 || share > 99 {
			t.Errorf("φ=%v: covers %.1f %%", phi, share)
		}
		t.Logf("φ=%v: %.1f %%", phi, share)
	}
}

func TestBootstrapIsTheSameForTheSameSeed(t *testing.T) {
	x := series(rand.New(rand.NewPCG(4, 4)), 500, 0.5)
	p99 := func(x []float64) float64 { slices.Sort(x); return Quantile(x, 0.99) }
	kept := slices.Clone(x)
	a, b := Bootstrap(x, p99, BootstrapOptions{Seed: 1}), Bootstrap(x, p99, BootstrapOptions{Seed: 1})
	c := Bootstrap(x, p99, BootstrapOptions{Seed: 2})
	if a.Lo != b.Lo || a.Hi != b.Hi || a.Lo == c.Lo && a.Hi == c.Hi || !slices.Equal(x, kept) {
		t.Errorf("%v %v %v", a, b, c)
	}
	if a.Lo > a.Center || a.Center > a.Hi || a.Level != 0.95 {
		t.Errorf("%+v", a)
	}
	wide, narrow := Bootstrap(x, p99, BootstrapOptions{Level: 0.99}), Bootstrap(x, p99, BootstrapOptions{Block: -1})
	if wide.Half() <= a.Half() || narrow.NEff != 500 {
		t.Errorf("%v %v", wide, narrow)
	}
}

func TestBlocksGrowWithCorrelation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	none, some, much := blockLength(series(r, 4000, 0)), blockLength(series(r, 4000, 0.5)), blockLength(series(r, 4000, 0.9))
	if !(none < some && some < much) || none > 6 || much > 200 {
		t.Errorf("%v %v %v", none, some, much)
	}
	if l := blockLength(make([]float64, 100)); l != 1 {
		t.Errorf("equal values: %v", l)
	}
}

func TestQuantileInterpolatesAsDefinitionSeven(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	for q, want := range map[float64]float64{-1: 1, 0: 1, 0.5: 3, 1: 8, 2: 8, 0.25: 1.75, 0.9: 6.8} {
		if got := Quantile(x, q); !near(got, want, 1e-15) {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
	if Quantile(nil, 0.5) != 0 {
		t.Error("no values")
	}
}

func TestMedianIntervalNeedsSixValuesAndP99Needs368(t *testing.T) {
	values := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(n - i)
		}
		return x
	}
	for _, c := range []struct {
		n      int
		q      float64
		lo, hi float64 // 0 if there is no interval
	}{
		{5, 0.5, 0, 0}, {6, 0.5, 1, 6}, {8, 0.5, 1, 8}, {9, 0.5, 2, 8}, {11, 0.5, 2, 10}, // ranks from tables of the sign test
		{20, 0.5, 6, 15}, {30, 0.5, 10, 21}, {100, 0.5, 40, 61},
		{367, 0.99, 0, 0}, {368, 0.99, 360, 368},
	} {
		iv := QuantileInterval(values(c.n), c.q, 0.95)
		if c.lo == 0 {
			if iv.Bounded() || !iv.Known() || iv.Reason == "" {
				t.Errorf("n=%d: %+v", c.n, iv)
			}
			continue
		}
		if iv.Level != 0.95 || iv.Hi != c.hi || c.q == 0.5 && iv.Lo != c.lo {
			t.Errorf("n=%d, quantile %v: %v to %v, want %v to %v", c.n, c.q, iv.Lo, iv.Hi, c.lo, c.hi)
		}
	}
	if iv := QuantileInterval(values(1000000), 0.5, 0.95); iv.Lo != 499020 || iv.Hi != 500981 {
		t.Errorf("a million: %v to %v", iv.Lo, iv.Hi)
	}
}

// For many values ranks come from the normal distribution, which is nearly the same, and never narrower.
func TestRanksOfManyValuesAreNearlyExact(t *testing.T) {
	for _, q := range []float64{0.5, 0.99, 0.001} {
		n := uint64(1.0001e6 / (q * (1 - q)))
		low, high, ok := Ranks(n, q, 0.95)
		exact := uint64(float64(n) * 0.9998)
		sd := math.Sqrt(float64(exact) * q * (1 - q))
		before, after, _ := Ranks(exact, q, 0.95)
		shift := float64(n-exact) * q
		if math.Abs(float64(low)-float64(before)-shift) > 0.01*sd || math.Abs(float64(high)-float64(after)-shift) > 0.01*sd || !ok {
			t.Errorf("quantile %v: ranks %d and %d of %d, but %d and %d of %d", q, low, high, n, before, after, exact)
		}
	}
	if low, high, ok := Ranks(math.MaxUint64, 0.5, 0.95); !ok || low > 1<<63 || high < 1<<63 || high-low > 1<<34 {
		t.Errorf("of all values that can be counted: %d, %d, %v", low, high, ok)
	}
	for _, c := range [][2]float64{{0, 0.95}, {1, 0.95}, {math.NaN(), 0.95}, {0.5, 0}, {0.5, 1}, {0.5, math.NaN()}} {
		if low, high, ok := Ranks(1000, c[0], c[1]); ok || low != 0 || high != 0 {
			t.Errorf("quantile %v at level %v: %d, %d, %v", c[0], c[1], low, high, ok)
		}
	}
}

func TestQuantileIntervalCoversAtLeastItsLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, q := range []float64{0.5, 0.9} {
		covered := 0
		for range 2000 {
			x := make([]float64, 60)
			for i := range x {
				x[i] = r.Float64()
			}
			if iv := QuantileInterval(x, q, 0.95); iv.Lo <= q && q <= iv.Hi {
				covered++
			}
		}
		if share := float64(covered) / 20; share < 94.5 {
			t.Errorf("quantile %v: covers %.1f %%", q, share)
		}
	}
}

func TestWarmupFindsTheStart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	total := 0
	for range 200 {
		x := series(r, 2000, 0.5)
		for i := range x {
			x[i] += 3 * math.Exp(-float64(i)/100)
		}
		drop, ok := Warmup(x)
		if !ok || drop%5 != 0 {
			t.Fatalf("drop %d, ok %v", drop, ok)
		}
		total += drop
	}
	if mean := total / 200; mean < 80 || mean > 250 { // an independent implementation cut 141 on average
		t.Errorf("cuts %d on average", mean)
	}
	for name, want := range map[string]int{"re2": 0, "metro": 5} {
		if drop, ok := Warmup(capture(t, name)); drop != want || !ok {
			t.Errorf("%s: cuts %d, %v; want %d", name, drop, ok, want)
		}
	}
	rising := make([]float64, 1000)
	for i := range rising {
		rising[i] = float64(i)
	}
	if _, ok := Warmup(rising); ok {
		t.Error("a series that never settles has a warm-up")
	}
	if _, ok := Warmup(rising[:49]); ok {
		t.Error("49 values have a warm-up")
	}
}

func TestBadInputGivesAReasonAndNumbers(t *testing.T) {
	first := func(x []float64) float64 {
		if len(x) == 0 {
			return math.NaN()
		}
		return x[0]
	}
	inputs := map[string][]float64{"none": nil, "one": {3}, "not a number": {1, 2, math.NaN(), 4, 5, 6, 7, 8, 9},
		"infinite": {1, math.Inf(-1), 3, 4, 5, 6, 7, 8, 9}}
	for name, x := range inputs {
		for _, iv := range []stat.Interval{Mean(x, 0.95, Geyer), Mean(x, 0.95, StudentT), Bootstrap(x, first, BootstrapOptions{}),
			QuantileInterval(x, 0.5, 0.95)} {
			if iv.Bounded() || iv.Level != 0 || iv.Known() != (name == "one") && iv.Method != "stationary bootstrap" || iv.Reason == "" || !math.IsInf(iv.Half(), 1) || iv.Method == "" || iv.Warnings != nil {
				t.Errorf("%s: %+v", name, iv)
			}
		}
	}
	long := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	nothing := func([]float64) float64 { return math.NaN() }
	for name, iv := range map[string]stat.Interval{"level": Mean(long, 1.5, Geyer), "method": Mean(long, 0.9, Method(9)),
		"quantile": QuantileInterval(long, 1, 0.9), "statistic": Bootstrap(long, nothing, BootstrapOptions{}),
		"bootstrap level": Bootstrap(long, first, BootstrapOptions{Level: -1})} {
		if iv.Bounded() || iv.Reason == "" || math.IsNaN(iv.Center) {
			t.Errorf("%s: %+v", name, iv)
		}
	}
	if iv := Mean([]float64{5, 5, 5, 5}, 0.95, Geyer); iv.Half() != 0 || iv.Level != 0.95 {
		t.Errorf("equal values: %+v", iv)
	}
}

func BenchmarkMomentsAdd(b *testing.B) {
	var m Moments
	x := 16.7
	for b.Loop() {
		m.Add(x)
		x += 1e-9
	}
}

func TestTooFewResamplesAreNamed(t *testing.T) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = float64(i * 7 % 31)
	}
	mean := func(x []float64) float64 { return x[0] }
	for resamples, want := range map[int]bool{0: false, 100: false, 99: true, 1: true, -5: true} {
		iv := Bootstrap(x, mean, BootstrapOptions{Resamples: resamples, Block: -1})
		if got := len(iv.Warnings) == 1 && strings.Contains(iv.Warnings[0], "too few: 100 were used"); got != want {
			t.Errorf("%d resamples: %q", resamples, iv.Warnings)
		}
	}
}
