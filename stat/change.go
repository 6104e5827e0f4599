// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
)

// Change is a reason why a series is not stationary.
type Change struct {
	Kind   ChangeKind
	At     uint64  // StepChange: about the first sample after it, from 0
	Size   float64 // StepChange: mean after less mean before; TrendChange: last fitted value less first; in the unit of the samples
	Period float64 // PeriodChange: samples from one repetition to the next, or a multiple of that
}

// A change is a Change of a series of batch means.
type change struct {
	kind ChangeKind
	at   int     // step: the first value after it
	size float64 // step: mean after less mean before; trend: last fitted value less first

	length float64 // of the period
}

const (
	fewestForChange = 16  // values that it takes to name a step or a trend
	fewestForPeriod = 40  // and a period
	surely          = 4.0 // standard errors that a step or trend must have; in series without any, fewer than 1 of 100 have such a step
)

// findChange names the step, trend or period that w has, if any. A step or a trend is judged by the scatter and the
// correlation of what remains after removing it, because a step or a trend makes the whole series look correlated.
func findChange(w []float64) change {
	if len(w) < fewestForChange {
		return change{}
	}
	d := series.Describe(w)
	if !(d.Variance > 0) {
		return change{}
	}
	s, stepLeft, stepErrors := bestStep(w, d)
	t, trendLeft, trendErrors := bestTrend(w, d)
	switch {
	case stepErrors > surely && rankStep(w, s.at) > 3 && (stepLeft <= trendLeft || trendErrors <= surely):
		return s
	case trendErrors > surely:
		return t
	}
	return findPeriod(w, d)
}

// rankStep returns the size of the step before w[at] in ranks, in standard errors of independent values. A few large values on
// one side make a step of means, but not of ranks.
func rankStep(w []float64, at int) float64 {
	n, m := float64(at), float64(len(w)-at)
	_, before := placementVariance(slices.Sorted(slices.Values(w[:at])), slices.Sorted(slices.Values(w[at:])))
	return math.Abs(before-n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
}

// bestStep returns the step that leaves the smallest sum of squares, that sum, and the size of the step in standard errors.
func bestStep(w []float64, d series.Description) (c change, left, errors float64) {
	k := len(w)
	sum, best := 0.0, 0.0
	for i := 1; i < k; i++ {
		sum += w[i-1] - d.Mean
		if i < max(3, k/16) || k-i < max(3, k/16) {
			continue
		}
		n, m := float64(i), float64(k-i)
		if gain := sum * sum * (1/n + 1/m); gain > best { // by which the sum of squares falls
			best, c = gain, change{kind: StepChange, at: i, size: -sum/m - sum/n}
		}
	}
	if c.kind == NoChange {
		return c, math.Inf(1), 0
	}
	rest := make([]float64, k)
	for i := range rest {
		rest[i] = w[i]
		if i >= c.at {
			rest[i] -= c.size
		}
	}
	variance, squares := varianceOfMean(rest)
	n, m := float64(c.at), float64(k-c.at)
	return c, squares, math.Abs(c.size) / math.Sqrt(variance*float64(k)*(1/n+1/m))
}

// bestTrend is bestStep for a straight line.
func bestTrend(w []float64, d series.Description) (c change, left, errors float64) {
	k := float64(len(w))
	products := 0.0
	for i, x := range w {
		products += (float64(i) - (k-1)/2) * (x - d.Mean)
	}
	spread := k * (k*k - 1) / 12 // Σ(i-mean)²
	slope := products / spread
	rest := make([]float64, len(w))
	for i, x := range w {
		rest[i] = x - slope*float64(i)
	}
	variance, squares := varianceOfMean(rest)
	return change{kind: TrendChange, size: slope * (k - 1)}, squares, math.Abs(slope) / math.Sqrt(variance*k/spread)
}

// varianceOfMean returns the variance of the mean of a series that is an autoregression, and its sum of squares.
func varianceOfMean(x []float64) (variance, squares float64) {
	k := float64(len(x))
	d := series.Describe(x)
	r := d.Lag1 + (1+4*d.Lag1)/k
	r = max(0, min(0.95, r+1/math.Sqrt(k))) // removing a fit also removes correlation
	return max(d.Variance, math.SmallestNonzeroFloat64) / k * (1 + r) / (1 - r), d.Variance * (k - 1)
}

// findPeriod finds a pattern that repeats: the smallest lag whose autocorrelation accounts for most of the variance, as
// does that of twice the lag. A period that is not a whole number shows at the two lags around it.
func findPeriod(w []float64, d series.Description) change {
	k := len(w)
	if k < fewestForPeriod {
		return change{}
	}
	for lag := 2; lag <= k/4; lag++ {
		here, next := autocorrelation(w, d, lag), max(0, autocorrelation(w, d, lag+1))
		again := max(autocorrelation(w, d, 2*lag), autocorrelation(w, d, 2*lag+1), autocorrelation(w, d, 2*lag+2))
		if here > 0.2 && here+next > 0.6 && again > 0.4 && autocorrelation(w, d, (lag+1)/2) < 0.3 {
			return change{kind: PeriodChange, length: float64(lag) + next/(here+next)}
		}
	}
	return change{}
}

func autocorrelation(w []float64, d series.Description, lag int) float64 {
	products := 0.0
	for i := lag; i < len(w); i++ {
		products += (w[i] - d.Mean) * (w[i-lag] - d.Mean)
	}
	return products / (d.Variance * float64(len(w)-1)) * float64(len(w)) / float64(len(w)-lag)
}

// warning says what the change means for the interval of the mean. Each value of the series is the mean of the given number
// of samples.
func (c change) warning(samples, mean float64) string {
	share := ""
	if mean != 0 {
		percent := 100 * c.size / math.Abs(mean)
		format := " by %+.2g %% of the mean"
		if math.Abs(percent) >= 99.5 { // %g would write an exponent
			format = " by %+.0f %% of the mean"
		}
		share = fmt.Sprintf(format, percent)
	}
	switch c.kind {
	case StepChange:
		return fmt.Sprintf("not stationary: the level changes near sample %.0f%s; treat the parts before and after it as separate runs",
			float64(c.at)*samples, share)
	case TrendChange:
		return fmt.Sprintf("not stationary: the samples drift%s from start to end; the mean describes this run only", share)
	case PeriodChange:
		return fmt.Sprintf("periodic: a pattern repeats every %.0f samples or a whole fraction of that; the interval is too wide for whole periods and wrong for parts of one",
			c.length*samples)
	}
	return ""
}
