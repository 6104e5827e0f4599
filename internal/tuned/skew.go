// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
)

// reach returns how far the interval of the mean of n samples extends below and above it, in multiples of Student's t: 1 on
// either side, or more on the side of the longer tail. The mean of skewed samples is seldom far too large, and often far too
// small, because the largest values are rare.
//
// It is Hall's inverse of a transformation that removes the skewness of Student's statistic to second order. Beyond some
// skewness the inverse falls again; the largest that it has been is kept.
//
// Source: P. Hall, "On the removal of skewness by transformation", J. Royal Statistical Society B 54 (1992).
func reach(t, skewness, n float64) (below, above float64) {
	far, most := t, math.Abs(skewness)/math.Sqrt(n)
	for a := 0.0; a < min(most, 3); {
		a = min(a+0.05, most)
		far = max(far, 3/a*(1-math.Cbrt(1-a*(t+a/6))))
	}
	switch {
	case far < 1.25*t: // one number after ± says as much as two bounds
		return far / t, far / t
	case skewness < 0:
		return far / t, 1
	}
	return 1, far / t
}

// A lognormalFit describes values as lognormal ones but for a shift, which is estimated by the least value less half of its
// mean distance from the shift if they were exponential.
type lognormalFit struct {
	series.Description         // of the logarithms of the values less the shift
	n, center          float64 // of the values
	origin             float64 // the shift
}

func fitLognormal(x []float64) lognormalFit {
	n, center, least := float64(len(x)), series.Describe(x).Mean, slices.Min(x)
	origin := least - (center-least)/n/2
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(v - origin)
	}
	return lognormalFit{series.Describe(logs), n, center, origin}
}

// reach returns how far above the mean of the values lies the upper bound of their true mean, for values of which f count as
// one. With few values a lognormal tail cannot be told from an exponential one, and the largest values, which decide the mean,
// may all be missing.
//
// Source: U. Olsson, "Confidence intervals for the mean of a log-normal distribution", J. Statistics Education 13 (2005).
func (fit lognormalFit) reach(t, f float64) float64 {
	error2 := f * (fit.Variance/fit.n + fit.Variance*fit.Variance/2/(fit.n-1))
	return fit.origin + math.Exp(fit.Mean+fit.Variance/2+t*math.Sqrt(error2)) - fit.center
}
