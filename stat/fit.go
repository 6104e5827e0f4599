// SPDX-License-Identifier: BSD-3-Clause

package stat

import "math"

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
func fitScales(w []float64, size, lag1 float64) (s scaleFits) {
	s.finest = fitBatches(w, size)
	s.longest, s.used = s.finest, s.finest
	few := s.finest.independent() / s.finest.fewest(w)
	correlated := s.finest.correlated(w)
	s.short = correlated && few < 1
	samples := fitSamples(lag1, float64(len(w))*size, size)
	excess, sizes := 0.0, 0.0 // in standard errors
	for ; len(w) >= fewest; w, size = pairs(w), 2*size {
		if s.longest = fitBatches(w, size); size > 1 {
			excess += (s.longest.lag1 - samples.lag1At(size)) * math.Sqrt(s.longest.k)
			sizes++
		}
	}
	if z := excess / math.Sqrt(max(1, sizes)); z > severalSurely || z > severalLikely && correlated && few < 2 {
		s.slow = s.longest.lag1 > stillCorrelated/math.Sqrt(s.longest.k)
		if s.longest.independent() < s.finest.independent() {
			s.used = s.longest
		}
	}
	return s
}

// Standard errors from which correlation has several time scales, and from which the longest batches count as correlated. With -long,
// TestSmallSamplesAreCoveredOrWarnedOf shows what they buy.
const (
	severalSurely   = 2.33 // the test is wrong about one of a hundred series of independent samples
	severalLikely   = 1.96 // and about one of forty autoregressions that are hardly long enough, where the other limit would miss four scales
	stillCorrelated = 0.5  // low, because of so few batches: with twice as much, 2000 samples of four scales would be missed in silence
)

// batchFit is the autoregression that explains the correlation of batch means. With coefficient φ, batches of m samples and P = φ^m,
//
//	lag-1 correlation of batches  r = φ(1-P)² / (m(1-φ²) - 2φ(1-P))
//	inflation                     f = 1 / (1 - 2φ(1-P) / (m(1-φ²)))
type batchFit struct {
	description         // of the batch means, lag1 corrected for its bias
	k, size     float64 // batches, and samples in each
	decay       float64 // -log φ; infinite without correlation
	inflation   float64 // variance of the mean of all, over that of as many independent batches
}

// independent returns how many independent batches would tell as much.
func (fit *batchFit) independent() float64 { return fit.k / fit.inflation }

// fitSamples returns the autoregression of n samples with so correlated neighbours. Batches have at least the given size.
func fitSamples(lag1, n, size float64) batchFit {
	fit := batchFit{k: n, size: 1, decay: math.Inf(1), inflation: 1}
	if fit.lag1 = lag1 + (1+4*lag1)/n; fit.lag1 > 0 {
		fit.decay = max(-math.Log(fit.lag1), slowest/size)
	}
	return fit
}

// slowest is the least decay over a batch: with less, all digits of the correlation of batches would cancel.
const slowest = 1e-3

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

// fewest returns how many independent values the interval of correlated ones needs at least. With 16 for batches, too, the sum of four
// autoregressions would be missed in silence, and with 32 where values are skewed the bursty queue, whose longest busy periods may be
// missing: TestSmallSamplesAreCoveredOrWarnedOf finds both.
func (fit *batchFit) fewest(w []float64) float64 {
	switch {
	case gini(w) > 0.4:
		return 48
	case fit.size > 1:
		return 32
	}
	return fewest
}

// fewest is how many samples, or independent ones, it takes to judge correlation.
const fewest = 16

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
