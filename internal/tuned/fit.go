// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"math"

	"github.com/strobe-go/strobe/internal/series"
)

// scaleFits are autoregressions fitted to batch means of one series.
type scaleFits struct {
	finest, longest batchFit // to the shortest batches and to the longest
	used            batchFit // the one of these that makes the interval
	slow            bool     // correlated on several time scales, and still so at the longest that can be judged
	short           bool     // too few independent samples for their correlation
}

// fitScales fits autoregressions to the means w of batches of the given size, and to those of batches of two, four and more times
// the size, as long as there are enough of them. lag1 is the correlation of neighbouring samples.
//
// An autoregression has one time scale: the correlation of neighbouring samples foretells that of batches of any size. Where that of
// batches is larger, in sum over all sizes, there are several time scales, as in noise on top of something slow, and the longest
// batches, which assume least, make the interval if they tell less than the shortest. If even they are correlated, still longer
// scales may not show.
func (c *Constants) fitScales(w []float64, size, lag1 float64) (s scaleFits) {
	s.finest = c.fitBatches(w, size)
	s.longest, s.used = s.finest, s.finest
	few := s.finest.independent() / c.fewest(&s.finest, w)
	correlated := c.correlated(&s.finest, w)
	s.short = correlated && few < 1
	samples := fitSamples(lag1, float64(len(w))*size, size)
	excess, sizes := 0.0, 0.0 // in standard errors
	for ; len(w) >= Fewest; w, size = series.Pairs(w), 2*size {
		if s.longest = c.fitBatches(w, size); size > 1 {
			excess += (s.longest.Lag1 - samples.lag1At(size)) * math.Sqrt(s.longest.k)
			sizes++
		}
	}
	if z := excess / math.Sqrt(max(1, sizes)); z > c.SeveralSurely || z > c.SeveralLikely && correlated && few < c.HardlyEnough {
		s.slow = s.longest.Lag1 > c.StillCorrelated/math.Sqrt(s.longest.k)
		if s.longest.independent() < s.finest.independent() {
			s.used = s.longest
		}
	}
	return s
}

// batchFit is the autoregression that explains the correlation of batch means. With coefficient φ, batches of m samples and P = φ^m,
//
//	lag-1 correlation of batches  r = φ(1-P)² / (m(1-φ²) - 2φ(1-P))
//	inflation                     f = 1 / (1 - 2φ(1-P) / (m(1-φ²)))
type batchFit struct {
	series.Description         // of the batch means, Lag1 corrected for its bias
	k, size            float64 // batches, and samples in each
	decay              float64 // -log φ; infinite without correlation
	inflation          float64 // variance of the mean of all, over that of as many independent batches
}

// independent returns how many independent batches would tell as much.
func (fit *batchFit) independent() float64 { return fit.k / fit.inflation }

// fitSamples returns the autoregression of n samples with so correlated neighbours. Batches have at least the given size.
func fitSamples(lag1, n, size float64) batchFit {
	fit := batchFit{k: n, size: 1, decay: math.Inf(1), inflation: 1}
	if fit.Lag1 = lag1 + (1+4*lag1)/n; fit.Lag1 > 0 {
		fit.decay = max(-math.Log(fit.Lag1), slowest/size)
	}
	return fit
}

// slowest is the least decay over a batch: with less, all digits of the correlation of batches would cancel.
const slowest = 1e-3

func (c *Constants) fitBatches(w []float64, size float64) batchFit {
	fit := batchFit{Description: series.Describe(w), k: float64(len(w)), size: size, decay: math.Inf(1), inflation: 1}
	fit.Lag1 = min(0.98, fit.Lag1+(1+4*fit.Lag1)/fit.k)
	feared, free, seen := fit.Lag1, c.FewestFree, fit.Lag1 > c.Seen/math.Sqrt(fit.k)
	if size == 1 && fit.k < few { // of so few values lag-1 knows too little
		feared, free, seen = c.fewLag1(&fit, w)
	}
	if !seen { // as in four of five series of independent values
		return fit
	}
	low, high := math.Log(slowest/size), math.Log(40) // of the decay
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

// few is the number of samples below which they are judged one by one, not in batches.
const few = 64

// fewLag1 returns the correlation of fewer than 64 values that the interval must allow for, the values that count as
// independent at least, and whether the test of von Neumann sees any correlation, as it does in one of five independent
// series. A test at a stricter level would leave too many autoregressions with too narrow an interval.
func (c *Constants) fewLag1(fit *batchFit, w []float64) (feared, free float64, seen bool) {
	z := series.VonNeumann(w)
	r := z * math.Sqrt((fit.k-2)/(fit.k*fit.k-1))
	return min(0.98, r+(1+4*r)/fit.k+c.Feared/math.Sqrt(fit.k)), c.FewestFree - c.FewFree*(few-fit.k)/(few-Fewest), z > c.SeenFew
}

// correlated reports whether the values that were fitted, w, are correlated. Of independent ones it says so in at most 4 of
// 100 cases.
func (c *Constants) correlated(fit *batchFit, w []float64) bool {
	if fit.size > 1 {
		return fit.Lag1 > c.Correlated/math.Sqrt(fit.k) && series.RankLag1(w) > c.CorrelatedRanks/math.Sqrt(fit.k)
	}
	return series.VonNeumann(w) > c.CorrelatedFew && series.VonNeumann(series.Ranks(w)) > c.CorrelatedFewRanks
}

// fewest returns how many independent values the interval of correlated ones needs at least.
func (c *Constants) fewest(fit *batchFit, w []float64) float64 {
	switch {
	case gini(w) > c.Skewed:
		return c.FewestSkewed
	case fit.size > 1:
		return c.FewestBatches
	}
	return Fewest
}

// Fewest is how many samples, or independent ones, it takes to judge correlation.
const Fewest = 16

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
