// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A judged counts the results of the intervals of many series of one kind.
type judged struct {
	replicates, missed, warned, both int
	logWidth                         float64 // sum of the logarithms of the widths, in widths of Student's interval
}

func judge(replicates, n int, truth float64, draw func(r *rand.Rand, x []float64)) judged {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	x := make([]float64, n)
	j := judged{replicates: replicates}
	for range replicates {
		draw(r, x)
		var b BatchMeans
		for _, v := range x {
			b.Add(int64(math.Round(v * 1e6)))
		}
		iv := b.Interval(0.95)
		missed, warned := iv.Lo > truth*1e6 || truth*1e6 > iv.Hi, len(iv.Warnings) > 0
		if missed {
			j.missed++
		}
		if warned {
			j.warned++
		}
		if missed && warned {
			j.both++
		}
		m := b.Moments()
		if naive := m.Interval(0.95).Half(); naive > 0 {
			j.logWidth += math.Log(iv.Half() / naive)
		}
	}
	return j
}

func independent(value func(r *rand.Rand) float64) func(*rand.Rand, []float64) {
	return func(r *rand.Rand, x []float64) {
		for i := range x {
			x[i] = value(r)
		}
	}
}

func lognormal(sigma float64) func(*rand.Rand, []float64) {
	return independent(func(r *rand.Rand) float64 { return math.Exp(sigma * r.NormFloat64()) })
}

var long = flag.Bool("long", false, "simulate ten times as many samples, of more sizes")

// A source is a process whose mean is known.
type source struct {
	name  string
	truth float64
	draw  func(*rand.Rand, []float64)
	clean bool    // a warning would be needless
	told  bool    // a warning is required
	from  int     // nothing is promised for fewer samples
	wide  float64 // upper limit of the geometric mean of the widths for 16 samples, in widths of Student's interval; 0 means none
}

func sources() []source {
	exponential := func(r *rand.Rand) float64 { return r.ExpFloat64() }
	normal := func(r *rand.Rand) float64 { return 10 + r.NormFloat64() }
	shifted := func(r *rand.Rand) float64 { return 5 + math.Exp(2*r.NormFloat64()) }
	gamma2 := func(r *rand.Rand) float64 { return exponential(r) + exponential(r) }
	gammaHalf := func(r *rand.Rand) float64 { z := r.NormFloat64(); return z * z / 2 }
	spikes := func(i int) float64 {
		if i%100 == 37 {
			return 200
		}
		return 10
	}
	return []source{
		{name: "normal", truth: 10, draw: independent(normal), clean: true, wide: 1.33},
		{name: "uniform", truth: 0.5, draw: independent((*rand.Rand).Float64), clean: true, wide: 1.35},
		{name: "exponential", truth: 1, draw: independent(exponential), clean: true, wide: 2.6},
		{name: "gamma, shape 2", truth: 2, draw: independent(gamma2), clean: true, wide: 1.8},
		{name: "gamma, shape 1/2", truth: 0.5, draw: independent(gammaHalf), clean: true, wide: 4},
		{name: "lognormal, sigma 1", truth: math.Exp(0.5), draw: lognormal(1), clean: true, wide: 3},
		{name: "lognormal, sigma 1.5", truth: math.Exp(1.125), draw: lognormal(1.5), wide: 4},
		{name: "lognormal, sigma 2", truth: math.Exp(2), draw: lognormal(2), wide: 4.2},
		{name: "lognormal, shifted", truth: 5 + math.Exp(2), draw: independent(shifted), wide: 4.2},
		{name: "Pareto, exponent 1.5", truth: 3, draw: pareto(1.5), wide: 3.8},            // of infinite variance
		{name: "Pareto, exponent 1.2", truth: 6, draw: pareto(1.2), from: 205, wide: 3.8}, // fewer samples seldom include those that determine the mean
		{name: "AR(0.5)", truth: 10, draw: noisy(0.5, level), wide: 4.8},
		{name: "AR(0.8)", truth: 10, draw: noisy(0.8, level), wide: 9.5},
		{name: "AR(0.9)", truth: 10, draw: noisy(0.9, level), wide: 10.7},
		{name: "AR(-0.5)", truth: 10, draw: noisy(-0.5, level), wide: 1.2},
		{name: "queue", truth: 4, draw: queue, from: 48}, // see TestNoTestOfTheOrderSeesAShortQueue
		{name: "spikes", truth: 10 + 1.9, draw: noisy(0, spikes), from: 64, told: true},
		{name: "step", truth: 10.6, draw: stepped},
		{name: "four time scales", truth: 10, draw: fourScales, from: 200},
		{name: "AR(0.9) with noise", truth: 10, draw: withNoise(noisy(0.9, level)), from: 200},
		{name: "bursty queue", truth: burstyMean(), draw: burstyQueue, from: 48},
		{name: "two levels", truth: 12, draw: twoLevels(0.02, 10, 14, 1), from: 200},
		{name: "vsync", truth: 25, draw: twoLevels(0.01, 50.0/3, 100.0/3, 0)},
		{name: "two modes", truth: 14.5, draw: independent(twoModes), from: 64}, // fewer samples seldom include both modes
		{name: "lognormal, negated", truth: 100 - math.Exp(1.125), draw: negated, wide: 4},
	}
}

// fourScales draws the sum of four autoregressions with a variance of 1/4 each, whose correlation decays within 1 to 250 samples.
func fourScales(r *rand.Rand, x []float64) {
	phis := [...]float64{0.5, 0.9, 0.98, 0.996}
	var now [len(phis)]float64
	for i := range now {
		now[i] = r.NormFloat64()
	}
	for i := range x {
		x[i] = 10
		for j, phi := range phis {
			x[i] += now[j] / 2
			now[j] = phi*now[j] + math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
	}
}

// withNoise adds independent noise with a standard deviation of 1.
func withNoise(draw func(*rand.Rand, []float64)) func(*rand.Rand, []float64) {
	return func(r *rand.Rand, x []float64) {
		draw(r, x)
		for i := range x {
			x[i] += r.NormFloat64()
		}
	}
}

// The bursty queue has a server with lognormal service times, of mean 1 and sigma serviceSigma, and customers that arrive in
// groups of geometric size.
const (
	groupMean    = 4.0
	serviceSigma = 1.2
	burstyLoad   = 0.75
)

// burstyQueue draws the waiting times of successive customers, without their own service.
func burstyQueue(r *rand.Rand, x []float64) {
	wait := 0.0
	next := func() float64 {
		now := wait
		wait += math.Exp(serviceSigma*r.NormFloat64() - serviceSigma*serviceSigma/2)
		if r.Float64() < 1/groupMean { // the last of the group
			wait = max(0, wait-r.ExpFloat64()*groupMean/burstyLoad)
		}
		return now
	}
	for range 2000 { // so that the queue no longer depends on its empty start
		next()
	}
	for i := range x {
		x[i] = next()
	}
}

// burstyMean is the formula of Pollaczek and Khinchin for the first customer of a group, plus the service of the previous
// customers of the group.
func burstyMean() float64 {
	variance := math.Exp(serviceSigma*serviceSigma) - 1
	square := groupMean*variance + 2*groupMean*groupMean - groupMean // mean square of the service of a group
	first := burstyLoad / groupMean * square / 2 / (1 - burstyLoad)
	return first + groupMean - 1
}

// twoLevels draws one of two levels, which changes with a probability at each sample, plus normal noise.
func twoLevels(leave, low, high, noise float64) func(*rand.Rand, []float64) {
	return func(r *rand.Rand, x []float64) {
		here, there := low, high
		if r.Float64() < 0.5 {
			here, there = high, low
		}
		for i := range x {
			x[i] = here + noise*r.NormFloat64()
			if r.Float64() < leave {
				here, there = there, here
			}
		}
	}
}

// twoModes draws a value around 10, or with probability 1/20 ten times such a value.
func twoModes(r *rand.Rand) float64 {
	x := 10 + r.NormFloat64()
	if r.Float64() < 0.05 {
		x *= 10
	}
	return x
}

// negated draws samples with a long tail to the left.
func negated(r *rand.Rand, x []float64) {
	lognormal(1.5)(r, x)
	for i := range x {
		x[i] = 100 - x[i]
	}
}

func pareto(exponent float64) func(*rand.Rand, []float64) {
	return independent(func(r *rand.Rand) float64 { return math.Pow(1-r.Float64(), -1/exponent) })
}

// queue draws the waiting times of an M/M/1 queue with a load of 0.8, in service times.
func queue(r *rand.Rand, x []float64) {
	const load = 0.8
	wait := 0.0
	if r.Float64() < load { // the stationary distribution
		wait = r.ExpFloat64() / (1 - load)
	}
	for i := range x {
		x[i] = wait
		wait = max(0, wait+r.ExpFloat64()-r.ExpFloat64()/load)
	}
}

// stepped draws a level that rises by a standard deviation after two fifths of the samples.
func stepped(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = 10 + r.NormFloat64()
		if 5*i >= 2*len(x) {
			x[i]++
		}
	}
}

// The interval covers the mean at least 93 of 100 times, or at least 90 of 100 that miss it have a warning. If it covers and the
// tail is no heavier than that of lognormal samples of sigma 1, at most 5 of 100 independent series have a warning.
func TestSmallSamplesAreCoveredOrWarnedOf(t *testing.T) {
	const (
		needless = 5.0  // percent of replicates
		covered  = 93.0 // percent
		caught   = 90.0 // percent of the misses
	)
	replicates, sizes := 2000, tableSizes
	switch {
	case *long:
		replicates, sizes = 20000, []int{16, 18, 20, 24, 28, 32, 40, 50, 63, 64, 100, 127, 128, 160, 190, 200, 255, 256, 400, 512, 1000, 2000}
	case testing.Short() || raceEnabled:
		replicates, sizes = 500, []int{16, 128, 200, 1000}
	}
	t.Logf("%d series of each kind and size; -long draws 20000, of more sizes", replicates)
	results := map[string]map[int]judged{}
	for _, c := range sources() {
		results[c.name] = map[int]judged{}
		for _, n := range sizes {
			replicates := replicates
			if n > 1000 || testing.Short() && n > 200 {
				replicates /= 4
			}
			j := judge(replicates, n, c.truth, c.draw)
			results[c.name][n] = j
			t.Logf("%-20s n=%-4d covered %.1f %%, warned of %.1f %%, of the misses %.0f %%, %.2f times as wide as Student's",
				c.name, n, j.covered(), j.warnedOf(), j.caught(), j.width())
			noise := func(percent, of float64) float64 { return 2 * math.Sqrt(percent*(100-percent)/of) }
			switch {
			case n < c.from:
			case c.clean && (j.warnedOf() > needless+noise(needless, float64(replicates)) || j.covered() < covered):
				t.Errorf("%s, n=%d: %.1f %% are warned of without need, %.1f %% cover", c.name, n, j.warnedOf(), j.covered())
			case j.covered() < covered-noise(covered, float64(replicates)) && j.caught() < caught-noise(caught, float64(j.missed)):
				t.Errorf("%s, n=%d: %.1f %% cover, and of the misses %.0f %% are warned of, want %v or %v", c.name, n, j.covered(), j.caught(), covered, caught)
			case c.told && j.warnedOf() < 95:
				t.Errorf("%s, n=%d: %.1f %% are warned of", c.name, n, j.warnedOf())
			case n == 16 && c.wide > 0 && j.width() > c.wide:
				t.Errorf("%s: %.2f times as wide as Student's interval, want %v at most", c.name, j.width(), c.wide)
			}
		}
	}
	if len(sizes) != len(tableSizes) {
		t.Log("docs/coverage.md is compared without -short, -race and -long only")
		return
	}
	for name, cell := range map[string]func(judged) string{
		"covered": func(j judged) string { return fmt.Sprintf("%.1f", j.covered()) },
		"warned":  func(j judged) string { return fmt.Sprintf("%.1f", j.warnedOf()) },
		"width":   func(j judged) string { return fmt.Sprintf("%.2f", j.width()) },
		"caught": func(j judged) string {
			if j.covered() >= covered {
				return "-"
			}
			return fmt.Sprintf("%.0f", j.caught())
		},
	} {
		table := newGrid("samples", sizes)
		for _, c := range sources() {
			table.row(c.name, sizes, func(n int) string {
				if n < c.from {
					return "(" + cell(results[c.name][n]) + ")"
				}
				return cell(results[c.name][n])
			})
		}
		documented(t, name, table.String())
	}
}

// tableSizes are the columns of the tables in docs/coverage.md.
var tableSizes = []int{16, 32, 64, 128, 200, 1000, 5000}

func (j judged) percent(count int) float64 { return 100 * float64(count) / float64(j.replicates) }
func (j judged) covered() float64          { return j.percent(j.replicates - j.missed) }
func (j judged) warnedOf() float64         { return j.percent(j.warned) }
func (j judged) caught() float64           { return 100 * float64(j.both) / float64(max(1, j.missed)) }
func (j judged) width() float64            { return math.Exp(j.logWidth / float64(j.replicates)) }

// Few samples of a queue do not suffice: among series whose interval misses the mean, the best test of the order detects fewer
// than 90 of 100, and the warnings detect nearly as many.
func TestNoTestOfTheOrderSeesAShortQueue(t *testing.T) {
	sizes := []int{16, 24, 32, 40, 48}
	seen, warned := map[int]float64{}, map[int]float64{}
	const misses = 500
	for _, n := range sizes {
		x := make([]float64, n)
		for series, count := uint64(0), 0; count < misses; series++ {
			r := rand.New(rand.NewPCG(series, uint64(n))) // so that a series that rounds differently does not change the following ones
			queue(r, x)
			var b BatchMeans
			for _, v := range x {
				b.Add(int64(math.Round(v * 1e6)))
			}
			iv := b.Interval(0.95)
			if iv.Lo <= 4e6 && 4e6 <= iv.Hi {
				continue
			}
			count++
			if len(iv.Warnings) > 0 {
				warned[n] += 100.0 / misses
			}
			if orderTells(r, queueLikelihood, x) {
				seen[n] += 100.0 / misses
			}
		}
		t.Logf("n=%d: of the misses %.0f %% are warned of, the best test sees %.0f %%", n, warned[n], seen[n])
		if n < 40 && seen[n] > 88 || warned[n] < seen[n]-20 || warned[n] > seen[n]+5 {
			t.Errorf("n=%d: of the misses %.0f %% are warned of, the best test sees %.0f %%", n, warned[n], seen[n])
		}
	}
	table := newGrid("samples", sizes)
	table.row("carry a warning", sizes, func(n int) string { return fmt.Sprintf("%.0f", warned[n]) })
	table.row("seen by the best test", sizes, func(n int) string { return fmt.Sprintf("%.0f", seen[n]) })
	documented(t, "queue", table.String())
}

// orderTells reports whether the likelihood of samples in their order is among the largest 5 % over their permutations. By the
// lemma of Neyman and Pearson no test of the order has more power.
func orderTells(r *rand.Rand, likelihood func(x []float64) float64, samples ...[]float64) bool {
	total := func() (sum float64) {
		for _, x := range samples {
			sum += likelihood(x)
		}
		return sum
	}
	here, above := total(), 0
	for i := range samples {
		samples[i] = slices.Clone(samples[i])
	}
	for range 199 {
		for _, x := range samples {
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		}
		if total() >= here {
			above++
		}
	}
	return above < 10
}

// queueLikelihood is the log density of waiting times drawn by queue, except for terms that do not depend on the order.
func queueLikelihood(x []float64) (sum float64) {
	const load = 0.8
	for i, next := range x[1:] {
		switch rise := next - x[i]; {
		case next == 0:
			sum -= load * x[i]
		case rise > 0:
			sum += math.Log(load) - rise
		default:
			sum += math.Log(load) + load*rise
		}
	}
	return sum
}

// If most counts equal the smallest one, the interval stays within three times what skewness alone requires: the logarithms of
// such counts say nothing about a tail.
func TestBoundsOfCountsStayNear(t *testing.T) {
	var b BatchMeans
	for i := range 100 {
		b.Add(int64(i * i % 101 / 80 * 1000)) // squares modulo a prime: a fifth are 1000, in no particular order
	}
	iv, m := b.Interval(0.95), b.Moments()
	if naive := m.Interval(0.95); iv.Hi-iv.Center > 4*naive.Half() || iv.Hi <= iv.Center {
		t.Errorf("%v, Student's %v", iv, naive)
	}
}

// If half of many samples equal the smallest one, the interval does not allow for a lognormal tail; otherwise it allows for a
// heavy tail and for a long correlation.
func TestCountsOfRareThingsHaveNoLognormalTail(t *testing.T) {
	for _, c := range []struct {
		least int // of ten
		n     uint64
		free  float64
		want  bool
	}{{6, 600, 600, false}, {6, 600, 20, false}, {3, 600, 600, true}, {3, 2000, 2000, false}, {3, 2000, 60, true}, {3, 2000, 300, false}} {
		var all tails
		for i := range c.n {
			x := int64(1)
			if int(i%10) >= c.least {
				x = int64(10 + 1e6/(1+i*7919%c.n)) // with a tail index of 1
			}
			all.add(i, []int64{x})
		}
		right, _ := all.ends(c.n)
		if got := right.weight(c.free); got > 0 != c.want {
			t.Errorf("%+v: weight %v", c, got)
		}
	}
}

// Minus 10, the logarithms of these are 0, 1 and 2 times that of 4; half of the mean distance from 11, divided by 3, is 1.
func TestLognormalReachIsOlssonsBound(t *testing.T) {
	x, log4 := []float64{26, 11, 14}, math.Log(4)
	for _, c := range []struct{ t, f float64 }{{2, 1}, {2, 3}, {4, 1}} {
		v := log4 * log4
		want := 10 + 4*math.Exp(v/2+c.t*math.Sqrt(c.f*(v/3+v*v/4))) - 17
		if got := fitLognormal(x).reach(c.t, c.f); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%+v: %v above the mean, want %v", c, got, want)
		}
	}
}

func TestSkewnessReachesFartherOnItsSide(t *testing.T) {
	for _, skewness := range []float64{0.5, 1, 2, 4} {
		below, above := reach(2, skewness, 20)
		left, right := reach(2, -skewness, 20)
		if below != right || above != left || above < 1 || below < 1 || above < below {
			t.Errorf("skewness %v: %v and %v, mirrored %v and %v", skewness, below, above, left, right)
		}
	}
	// This is Hall's formula by hand: a = 2/√16, 3/a·(1-∛(1-a(2+a/6))).
	if _, above := reach(2, 2, 16); math.Abs(above-3*(1+math.Cbrt(1.0/24))) > 1e-12 {
		t.Error(above)
	}
	_, last := reach(2, 0.1, 20)
	for skewness := 0.2; skewness < 20; skewness += 0.1 {
		_, above := reach(2, skewness, 20)
		if above < last*0.999 {
			t.Errorf("skewness %v reaches %v, less than a smaller one, %v", skewness, above, last)
		}
		last = above
	}
}

func TestTailOfExponentialValuesIsZeroOnAverage(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{16, 40, 127} {
		var sum, squares float64
		const rounds = 4000
		for range rounds {
			x := make([]float64, n)
			for i := range x {
				x[i] = 50 + 3*r.ExpFloat64()
			}
			z := tail(gini(x), uint64(n))
			sum, squares = sum+z, squares+z*z
		}
		if mean, sd := sum/rounds, math.Sqrt(squares/rounds); math.Abs(mean) > 0.06 || math.Abs(sd-1) > 0.06 {
			t.Errorf("n=%d: mean %.3f, standard deviation %.3f", n, mean, sd)
		}
	}
	if z := tail(gini([]float64{3, 3, 3}), 3); !math.IsInf(z, -1) {
		t.Errorf("equal values: %v", z)
	}
}
