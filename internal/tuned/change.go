// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/series"
)

// A Change is a reason why a series of batch means is not stationary.
type Change struct {
	Kind   ChangeKind
	At     int     // step: the first value after it
	Size   float64 // step: mean after less mean before; trend: last fitted value less first
	Length float64 // of the period, in values
}

// ChangeKind is the form of a change.
type ChangeKind int

const (
	NoChange ChangeKind = iota // none was found
	Step                       // the level changes at some value
	Trend                      // the values rise or fall throughout
	Period                     // a pattern repeats
)

// Change returns the step, trend or period that the batch means w have, if any. A step or a trend is judged by the scatter and the
// correlation of what remains after removing it, because a step or a trend makes the whole series look correlated.
func (c *Constants) Change(w []float64) Change {
	if len(w) < Fewest {
		return Change{}
	}
	d := series.Describe(w)
	if !(d.Variance > 0) {
		return Change{}
	}
	s, stepLeft, stepErrors := c.bestStep(w, d)
	t, trendLeft, trendErrors := c.bestTrend(w, d)
	switch {
	case stepErrors > c.ChangeSurely && rankStep(w, s.At) > c.StepRanks && (stepLeft <= trendLeft || trendErrors <= c.ChangeSurely):
		return s
	case trendErrors > c.ChangeSurely:
		return t
	}
	return c.findPeriod(w, d)
}

// rankStep returns the size of the step before w[at] in ranks, in standard errors of independent values. A few large values on
// one side make a step of means, but not of ranks.
func rankStep(w []float64, at int) float64 {
	n, m := float64(at), float64(len(w)-at)
	above := 0.0 // pairs of which the value before the step is the larger one
	for _, before := range w[:at] {
		for _, after := range w[at:] {
			switch {
			case after < before:
				above++
			case after == before:
				above += 0.5
			}
		}
	}
	return math.Abs(above-n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
}

// bestStep returns the step that leaves the smallest sum of squares, that sum, and the size of the step in standard errors.
func (c *Constants) bestStep(w []float64, d series.Description) (found Change, left, errors float64) {
	k := len(w)
	sum, best := 0.0, 0.0
	for i := 1; i < k; i++ {
		sum += w[i-1] - d.Mean
		n, m := float64(i), float64(k-i)
		if gain := sum * sum * (1/n + 1/m); gain > best { // by which the sum of squares falls
			best, found = gain, Change{Kind: Step, At: i, Size: -sum/m - sum/n}
		}
	}
	if found.Kind == NoChange {
		return found, math.Inf(1), 0
	}
	rest := make([]float64, k)
	for i := range rest {
		rest[i] = w[i]
		if i >= found.At {
			rest[i] -= found.Size
		}
	}
	variance, squares := c.varianceOfMean(rest)
	n, m := float64(found.At), float64(k-found.At)
	return found, squares, math.Abs(found.Size) / math.Sqrt(variance*float64(k)*(1/n+1/m))
}

// bestTrend is bestStep for a straight line.
func (c *Constants) bestTrend(w []float64, d series.Description) (found Change, left, errors float64) {
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
	variance, squares := c.varianceOfMean(rest)
	return Change{Kind: Trend, Size: slope * (k - 1)}, squares, math.Abs(slope) / math.Sqrt(variance*k/spread)
}

// varianceOfMean returns the variance of the mean of a series that is an autoregression, and its sum of squares.
func (c *Constants) varianceOfMean(x []float64) (variance, squares float64) {
	k := float64(len(x))
	d := series.Describe(x)
	r := d.Lag1 + (1+4*d.Lag1)/k
	r = max(0, min(0.95, r+c.ChangeFeared/math.Sqrt(k))) // removing a fit also removes correlation
	return max(d.Variance, math.SmallestNonzeroFloat64) / k * (1 + r) / (1 - r), d.Variance * (k - 1)
}

// findPeriod finds a pattern that repeats: the smallest lag whose autocorrelation accounts for most of the variance, as
// does that of twice the lag. A period that is not a whole number shows at the two lags around it.
func (c *Constants) findPeriod(w []float64, d series.Description) Change {
	k := len(w)
	if k < int(c.PeriodFewest) {
		return Change{}
	}
	for lag := 2; lag <= k/4; lag++ {
		here, next := autocorrelation(w, d, lag), max(0, autocorrelation(w, d, lag+1))
		again := max(autocorrelation(w, d, 2*lag), autocorrelation(w, d, 2*lag+1), autocorrelation(w, d, 2*lag+2))
		if here+next > c.PeriodBoth && again > c.PeriodAgain && autocorrelation(w, d, (lag+1)/2) < c.PeriodHalf {
			return Change{Kind: Period, Length: float64(lag) + next/(here+next)}
		}
	}
	return Change{}
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
func (c Change) warning(samples, mean float64) string {
	share := ""
	if mean != 0 {
		percent := 100 * c.Size / math.Abs(mean)
		format := " by %+.2g %% of the mean"
		if math.Abs(percent) >= 99.5 { // %g would write an exponent
			format = " by %+.0f %% of the mean"
		}
		share = fmt.Sprintf(format, percent)
	}
	switch c.Kind {
	case Step:
		return fmt.Sprintf("not stationary: the level changes near sample %.0f%s; treat the parts before and after it as separate runs",
			float64(c.At)*samples, share)
	case Trend:
		return fmt.Sprintf("not stationary: the samples drift%s from start to end; the mean describes this run only", share)
	case Period:
		return fmt.Sprintf("periodic: a pattern repeats every %.0f samples or a whole fraction of that; the interval is too wide for whole periods and wrong for parts of one",
			c.Length*samples)
	}
	return ""
}
