// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"

	"github.com/strobe-go/strobe/internal/tuned"
)

// BatchMeans gives an interval of the mean of consecutive samples that may be correlated: ticks, frames, requests. It is
// the right default for anything measured in a stream, and needs constant memory (4.9 KB).
//
// The zero value is ready to use. Sums are exact integers. Not safe for concurrent use. There is no merge, because the streams of
// several goroutines are not one stream.
type BatchMeans struct {
	all    Moments // also holds the samples not yet in a batch
	sums   [tuned.Batches]int128
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
// half-width. If longer batches are more correlated than the correlation of neighbouring samples predicts, there are several
// time scales, and the longest batches of which there are 16 are used instead. In
// simulations of 1000 and more samples nominal 95 % intervals cover 94 to 96.5 %: see docs/coverage.md.
//
// Skewness extends the interval on the side of the longer tail. Where the tail may be heavier than an exponential one, the
// bound on its side allows for a lognormal tail: with fewer than 256 samples, with fewer than 1000 if the tail is plainly heavy,
// and where correlation leaves fewer than 160 independent ones, as in a queue. With fewer than 64 samples correlation
// widens the interval only if the test of von Neumann sees some, as it does in one of five independent series; it is then
// taken to be larger than estimated. All this widens intervals: that of 16 independent normal samples is 1.3 times as wide as
// Student's, that of 32 1.1 times, and that of 16 exponential ones 2.5 times.
//
// In simulations these intervals contain the mean at least 93 times of 100, or at least 90 of 100 that miss it carry a warning:
// of lognormal samples whose logarithm has a standard deviation of up to 2, of Pareto samples with an exponent of 1.5, or of 1.2
// from 205 samples on, of autoregressions with a coefficient of up to 0.9, and from 48 samples on of waiting times in a queue with
// a load of 0.8; and from 200 samples on of the sum of four autoregressions with coefficients up to 0.996, of an autoregression with
// independent noise on top, of two levels that alternate at random, and of a queue whose customers come in groups. The file
// docs/coverage.md has the tables. What did not occur cannot be seen: samples of one of two levels give the interval of that level.
//
// With fewer than 16 samples correlation cannot be estimated, and the interval is that of Student's t with a warning.
//
// NEff is the number of independent samples that would have given the same standard error.
//
// Warnings say when the interval should not be trusted, and why: the level of the samples changes at some point, they
// drift, a pattern repeats, a few samples are far above all others, the tail is so heavy that the largest or smallest values decide
// the mean and more extreme ones may be missing, all samples are equal, even the longest batches remain correlated, or the samples
// are too few for their correlation: fewer than 32 independent ones, 16 of fewer than 128 samples, 48 if they are skewed. In
// simulations of 16 or more independent normal, uniform, exponential or gamma samples of a shape down to 1/2, or lognormal samples
// whose logarithm has a standard deviation of 1, at most 5 of 100 intervals carry a warning. A tail that does not show in the
// samples cannot be detected.
//
// The published methods are named where they are used. How they are weighed was found by simulation: docs/coverage.md has what each
// constant buys. [BatchMeans.PlainInterval] is a published method alone.
//
// Sources: batches by doubling, after G. S. Fishman and L. S. Yarberry, "An implementation of the batch means method",
// INFORMS J. Computing 9 (1997); bias of r: F. H. C. Marriott and J. A. Pope, Biometrika 41 (1954).
func (b *BatchMeans) Interval(level float64) Interval {
	const method = "batch means"
	n, mean := b.all.N(), b.all.Mean()
	want, reason := levelOf(level)
	if reason == "" && n < 2 {
		reason = tooFew(n)
	}
	if reason != "" {
		return Point(mean, n, method, reason)
	}
	if n < tuned.Fewest {
		iv := studentInterval(mean, b.all.StdDev(), n, level)
		iv.Method = method
		iv.Warnings = []string{fmt.Sprintf("fewer than %d samples: too few to estimate their correlation", tuned.Fewest)}
		return iv
	}
	e := b.evidence()
	made := tuned.Committed.Interval(&e, want)
	return Interval{Center: mean, Lo: made.Lo, Hi: made.Hi, Level: want, Method: method, N: n, NEff: made.NEff, Warnings: made.Warnings}
}

// evidence returns what the interval of the mean rests on.
func (b *BatchMeans) evidence() tuned.Evidence {
	w, size := b.means()
	tails := b.tails
	tails.add(b.all.sums.n, b.all.pending[:b.all.waiting])
	thin, largest := tails.sorted()
	lag1, _ := b.all.Lag1()
	return tuned.Evidence{N: b.all.N(), Mean: b.all.Mean(), Variance: b.all.Variance(), Lag1: lag1, Equal: b.all.Min() == b.all.Max(),
		Batches: w, Size: size, Thin: thin, Largest: largest}
}

// Change is a reason why a series is not stationary.
type Change struct {
	Kind   ChangeKind
	At     uint64  // StepChange: about the first sample after it, from 0
	Size   float64 // StepChange: mean after less mean before; TrendChange: last fitted value less first; in the unit of the samples
	Period float64 // PeriodChange: samples from one repetition to the next, or a multiple of that
}

// Change returns the change that [BatchMeans.Interval] warns of; ok is false if there is none.
func (b *BatchMeans) Change() (c Change, ok bool) {
	if b.all.N() < tuned.Fewest {
		return c, false
	}
	w, size := b.means()
	switch found := tuned.Committed.Change(w); found.Kind {
	case tuned.Step:
		return Change{Kind: StepChange, At: uint64(float64(found.At) * size), Size: found.Size}, true
	case tuned.Trend:
		return Change{Kind: TrendChange, Size: found.Size}, true
	case tuned.Period:
		return Change{Kind: PeriodChange, Period: found.Length * size}, true
	}
	return c, false
}

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
