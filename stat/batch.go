// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat/dist"
)

// BatchMeans gives an interval of the mean of consecutive samples that may be correlated: ticks, frames, requests. It is
// the right default for anything measured in a stream, and needs constant memory (4.9 KB).
//
// The zero value is ready to use. Sums are exact integers. Not safe for concurrent use. There is no merge, because the streams of
// several goroutines are not one stream.
type BatchMeans struct {
	all    Moments // also holds the samples not yet in a batch
	sums   [128]int128
	count  int    // batches in sums
	more   uint64 // batch size - 1
	open   int128 // sum of the batch being filled
	filled uint64
	tails  tails // but for the samples not yet in a batch
}

// Add takes one sample. It does not allocate.
func (b *BatchMeans) Add(x int64) {
	b.all.pending[b.all.waiting] = x // without the mask of Moments.Add: that would be too much for the compiler to inline
	b.all.waiting++
	if b.all.waiting == len(b.all.pending) {
		b.flush()
	}
}

// Moments returns the moments of all samples.
func (b *BatchMeans) Moments() Moments { return b.all }

//go:noinline
func (b *BatchMeans) flush() { // out of line so that Add is not
	block := b.all.pending[:b.all.waiting]
	b.tails.add(b.all.sums.n, block)
	if b.more < 7 {
		b.takeEach(block)
		b.all.flush()
		return
	}
	before := b.all.sums.sum
	b.all.flush()
	b.open = b.open.plus(b.all.sums.sum.minus(before))
	if b.filled += uint64(len(block)); b.filled > b.more {
		b.close()
	}
}

// takeEach adds single samples to the open batch, while batches are shorter than a block.
func (b *BatchMeans) takeEach(samples []int64) {
	for _, x := range samples {
		b.open = b.open.plus(extend128(x))
		if b.filled++; b.filled > b.more {
			b.close()
		}
	}
}

// close ends the open batch.
func (b *BatchMeans) close() {
	b.sums[b.count] = b.open
	b.open, b.filled = int128{}, 0
	if b.count++; b.count == len(b.sums) { // full: batches of twice the size
		for i := range len(b.sums) / 2 {
			b.sums[i] = b.sums[2*i].plus(b.sums[2*i+1])
		}
		b.count /= 2
		b.more = 2*b.more + 1
	}
}

// Interval returns the interval of the mean at the given level between 0 and 1, 0 meaning 0.95.
//
// It assumes that the samples are stationary and that correlation dies out exponentially, as in an autoregression. The
// samples are cut into 64 to 127 equal batches. The lag-1 correlation r of the batch means, corrected for its bias
// (1+4r)/k, gives the coefficient of the autoregression whose batches would have it, and with that the variance of the
// mean of all; the k batches count as k/f independent ones. Student's t with k/f-1 degrees of freedom gives the
// half-width. If longer batches are more correlated than the autoregression predicts, they are used instead. In
// simulations of 1000 and more samples nominal 95 % intervals cover 94 to 96.5 %: see docs/coverage.md.
//
// Skewness extends the interval on the side of the longer tail. Where the tail may be heavier than an exponential one, the
// upper bound allows for a lognormal tail: with fewer than 256 samples, with fewer than 1000 if the tail is plainly heavy,
// and where correlation leaves fewer than 160 independent ones, as in a queue. With fewer than 64 samples correlation
// widens the interval only if the test of von Neumann sees some, as it does in one of five independent series; it is then
// taken to be larger than estimated. All this widens intervals: that of 16 independent normal samples is 1.3 times as wide as
// Student's, that of 32 1.1 times, and that of 16 exponential ones 2.5 times.
//
// In simulations these intervals contain the mean at least 93 times of 100, or at least 90 of 100 that miss it carry a warning:
// of lognormal samples whose logarithm has a standard deviation of up to 2, of Pareto samples with an exponent of 1.5, or of 1.2
// from 205 samples on, of autoregressions with a coefficient of up to 0.9, and from 48 samples on of waiting times in a queue with
// a load of 0.8. The file docs/coverage.md has the tables.
//
// With fewer than 16 samples correlation cannot be estimated, and the interval is that of Student's t with a warning.
//
// NEff is the number of independent samples that would have given the same standard error.
//
// Warnings say when the interval should not be trusted, and why: the level of the samples changes at some point, they
// drift, a pattern repeats, a few samples are far above all others, the tail is so heavy that the largest values decide the mean
// and larger ones may be missing, or even the batches remain correlated, because the samples are not stationary or too few. In
// simulations of 16 or more independent normal, uniform, exponential or gamma samples of a shape down to 1/2, or lognormal samples
// whose logarithm has a standard deviation of 1, at most 5 of 100 intervals carry a warning. A tail that does not show in the
// samples cannot be detected.
//
// Sources: batches by doubling, after G. S. Fishman and L. S. Yarberry, "An implementation of the batch means method",
// INFORMS J. Computing 9 (1997); bias of r: F. H. C. Marriott and J. A. Pope, Biometrika 41 (1954).
func (b *BatchMeans) Interval(level float64) Interval {
	const method = "batch means"
	n, mean := b.all.N(), b.all.Mean()
	want, reason := levelOf(level)
	if reason == "" && n < 2 {
		reason = fmt.Sprintf("no interval: needs at least 2 samples, has %d", n)
	}
	if reason != "" {
		return without(mean, n, method, reason)
	}
	if n < fewest {
		iv := studentInterval(mean, b.all.StdDev(), n, level)
		iv.Method = method
		iv.Warnings = []string{fmt.Sprintf("fewer than %d samples: too few to estimate their correlation", fewest)}
		return iv
	}
	w, size := b.means()
	tails := b.tails
	tails.add(b.all.sums.n, b.all.pending[:b.all.waiting])
	fit, finest := fitBatches(w, size), size
	for coarse := pairs(w); len(coarse) >= fewest; coarse = pairs(coarse) {
		size *= 2
		if next := fitBatches(coarse, size); next.lag1-fit.lag1At(size) > 2.33/math.Sqrt(next.k) {
			next.slow = true
			fit = next
		}
	}
	s, k, f := fit.description, fit.k, fit.inflation
	iv := Interval{Center: mean, Level: want, Method: method, N: n, NEff: float64(n)}
	free := k/f - 1
	// The batch means scatter around their own mean, so their variance lacks the share f/k.
	standard := math.Sqrt(s.variance * (1 - 1/k) / (1 - f/k) * f / k)
	t := dist.StudentUpper((1-want)/2, free)
	skewness := s.skewness * k * k / (k - 1) / (k - 2)
	below, above := reach(t, skewness, k/f)
	if fit.size == 1 { // f is feared rather than estimated, and would add up with skewness that normal samples show as well
		below, above = reach(dist.StudentUpper((1-want)/2, k-1), skewness*max(0, 1-math.Sqrt(1.5/k)/math.Abs(skewness)), k)
	}
	below, above = t*below, t*above
	iv.Lo, iv.Hi = max(mean-below*standard, -math.MaxFloat64), min(mean+above*standard, math.MaxFloat64)
	if variance := b.all.Variance(); variance > 0 && s.variance > 0 {
		iv.NEff = max(1, min(1e3*float64(n), variance/(s.variance*f/k)))
	}
	free = min(float64(n), iv.NEff)
	if weight := tails.weight(n, free); weight > 0 {
		// Within bounds: where many values equal the least, their logarithms are no measure.
		x := tails.values()
		far := min((3+32/float64(n))*above*standard, fitLognormal(x).reach(t, max(1, float64(len(x))/free)))
		iv.Hi = min(iv.Hi+weight*max(0, far-above*standard), math.MaxFloat64)
	}
	bias := 0.0
	if finest > 1 {
		bias = s.skewness * s.skewness * f / k
	}
	iv.Warnings = b.warnings(&tails, w, finest, &fit, bias)
	return iv
}

// warnings says why the interval may be wrong, by all tails, the finest batch means and their size, the fit that made the interval,
// and the square of the skewness of batch means over the number of independent ones.
func (b *BatchMeans) warnings(tails *tails, w []float64, finest float64, fit *batchFit, bias float64) (found []string) {
	n := b.all.N()
	warn := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	changed := findChange(w)
	switch {
	case changed.kind != noChange:
		warn("%s", changed.warning(finest, b.all.Mean()))
	case fit.slow || fit.k/fit.inflation < fit.fewest(w) && fit.correlated(w):
		what := fmt.Sprintf("means of %.0f samples are still correlated", fit.size)
		if fit.size == 1 {
			what = "neighbours are correlated"
		}
		warn("not stationary or too few samples: %s (lag-1 %.2f)", what, fit.lag1)
	}
	heavy := tails.heavyWarning(n, b.all.Min())
	spikes, alone := tails.spikes(n)
	switch {
	case spikes > 0 && (alone || heavy == "") && changed.kind != period:
		what := "are spikes, far above all others, and decide"
		if spikes == 1 {
			what = "is a spike, far above all others, and decides"
		}
		warn("skewed: %d of %d samples %s the mean and its interval; use the median", spikes, n, what)
	case heavy != "":
		warn("%s", heavy)
	case bias > tooSkewed:
		warn("skewed: a few large samples dominate the mean, and larger ones may be missing; use the median")
	}
	return found
}

// Change returns the change that [BatchMeans.Interval] warns of; ok is false if there is none.
func (b *BatchMeans) Change() (c Change, ok bool) {
	if b.all.N() < fewest {
		return c, false
	}
	w, size := b.means()
	switch found := findChange(w); found.kind {
	case step:
		return Change{Kind: StepChange, At: uint64(float64(found.at) * size), Size: found.size}, true
	case trend:
		return Change{Kind: TrendChange, Size: found.size}, true
	case period:
		return Change{Kind: PeriodChange, Period: found.length * size}, true
	}
	return c, false
}

// fewest is how many samples, or independent batches, it takes to judge correlation.
const fewest = 16

// tooSkewed limits the square of the skewness of batch means over the number of independent ones, which is almost 1 where a
// single batch decides.
const tooSkewed = 0.5

// means returns the batch means, less the first of them so that no digits are lost, and the batch size.
func (b *BatchMeans) means() (w []float64, size float64) {
	c := *b
	if c.more < 7 { // the waiting samples may complete batches
		c.takeEach(c.all.pending[:c.all.waiting])
	}
	size = float64(c.more) + 1
	w = make([]float64, c.count)
	for i := range w {
		w[i] = c.sums[i].minus(c.sums[0]).float() / size
	}
	return w, size
}

// batchFit is the autoregression that explains the correlation of batch means. With coefficient φ, batches of m samples and P = φ^m,
//
//	lag-1 correlation of batches  r = φ(1-P)² / (m(1-φ²) - 2φ(1-P))
//	inflation                     f = 1 / (1 - 2φ(1-P) / (m(1-φ²)))
type batchFit struct {
	description         // of the batch means, lag1 corrected for its bias
	k, size     float64 // batches, and samples in each
	decay       float64 // -log φ; infinite without correlation
	inflation   float64 // variance of the mean of all, over that of as many independent batches
	slow        bool    // correlated beyond what finer batches foretold
}

func fitBatches(w []float64, size float64) batchFit {
	fit := batchFit{description: describe(w), k: float64(len(w)), size: size, decay: math.Inf(1), inflation: 1}
	fit.lag1 = min(0.98, fit.lag1+(1+4*fit.lag1)/fit.k)
	feared, free, seen := fit.lag1, fewestFree, fit.lag1 > 0.85/math.Sqrt(fit.k)
	if size == 1 && fit.k < 64 { // of so few values lag-1 knows too little
		feared, free, seen = fit.fewLag1(w)
	}
	if !seen { // as in four of five series of independent values
		return fit
	}
	low, high := math.Log(1e-3/size), math.Log(40) // of the decay
	for range 40 {
		fit.decay = math.Exp((low + high) / 2)
		if fit.lag1At(size) > feared {
			low = (low + high) / 2
		} else {
			high = (low + high) / 2
		}
	}
	gap, across := fit.terms(size)
	fit.inflation = min(1/(1-2*gap/across), fit.k/free)
	return fit
}

// fewLag1 returns the correlation of fewer than 64 values that the interval must allow for, the values that count as
// independent at least, and whether the test of von Neumann sees any correlation, as it does in one of five independent
// series. A test at a stricter level would leave too many autoregressions with too narrow an interval.
func (fit *batchFit) fewLag1(w []float64) (feared, free float64, seen bool) {
	z := vonNeumann(w)
	r := z * math.Sqrt((fit.k-2)/(fit.k*fit.k-1))
	return min(0.98, r+(1+4*r)/fit.k+0.3/math.Sqrt(fit.k)), fewestFree - 1.7*(64-fit.k)/48, z > 0.84
}

// correlated reports whether the values that were fitted, w, are correlated. Of independent ones it says so in at most 4 of
// 100 cases.
func (fit *batchFit) correlated(w []float64) bool {
	if fit.size > 1 {
		return fit.lag1 > 2.25/math.Sqrt(fit.k) && rankLag1(w) > 1.8/math.Sqrt(fit.k)
	}
	return vonNeumann(w) > 1.85 && vonNeumann(ranks(w)) > 1.6
}

// fewest returns how many independent values the interval needs at least. Where single samples are skewed that is more: as in a
// queue, the longest busy periods may be missing.
func (fit *batchFit) fewest(w []float64) float64 {
	if fit.size == 1 && gini(w) > 0.4 {
		return 3 * fewest
	}
	return fewest
}

// fewestFree bounds the inflation: beyond it the data say only that they are too few, and t with less than three degrees of
// freedom, or little more than one for few values, would say it with intervals of any width.
const fewestFree = 4.0

// lag1At returns the lag-1 correlation that batches of the given size have.
func (fit *batchFit) lag1At(size float64) float64 {
	if math.IsInf(fit.decay, 1) {
		return 0
	}
	gap, across := fit.terms(size)
	return gap * -math.Expm1(-fit.decay*size) / (across - 2*gap)
}

// terms returns φ(1-P) and m(1-φ²).
func (fit *batchFit) terms(size float64) (gap, across float64) {
	return -math.Exp(-fit.decay) * math.Expm1(-fit.decay*size), -size * math.Expm1(-2*fit.decay)
}

// pairs returns the means of adjacent pairs; an odd last one is dropped.
func pairs(w []float64) []float64 {
	half := make([]float64, len(w)/2)
	for i := range half {
		half[i] = (w[2*i] + w[2*i+1]) / 2
	}
	return half
}
