// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat/dist"
)

// An Interval is the result. The bounds are finite.
type Interval struct {
	Lo, Hi   float64
	NEff     float64 // independent samples with the same standard error
	Warnings []string
}

// Interval returns the interval of the mean at a level between 0 and 1.
func (c *Constants) Interval(e *Evidence, level float64) Interval {
	scales := c.fitScales(e.Batches, e.Size, e.Lag1)
	fit := &scales.used
	s, k, f := fit.Description, fit.k, fit.inflation
	iv := Interval{NEff: float64(e.N)}
	free := k/f - 1
	// The batch means scatter around their own mean, so their variance lacks the share f/k.
	standard := math.Sqrt(s.Variance * (1 - 1/k) / (1 - f/k) * f / k)
	t := dist.StudentUpper((1-level)/2, free)
	skewness := s.Skewness * k * k / (k - 1) / (k - 2)
	below, above := reach(t, skewness, k/f)
	if fit.size == 1 { // f is feared rather than estimated, and would add up with skewness that normal samples show as well
		below, above = reach(dist.StudentUpper((1-level)/2, k-1), skewness*max(0, 1-math.Sqrt(c.SkewNoise/k)/math.Abs(skewness)), k)
	}
	below, above = t*below, t*above
	iv.Lo, iv.Hi = max(e.Mean-below*standard, -math.MaxFloat64), min(e.Mean+above*standard, math.MaxFloat64)
	if e.Variance > 0 && s.Variance > 0 {
		iv.NEff = max(1, min(1e3*float64(e.N), e.Variance/(s.Variance*f/k)))
	}
	free = min(float64(e.N), iv.NEff)
	right, left := e.tails()
	iv.Hi = min(iv.Hi+c.beyond(right, free, t, above*standard), math.MaxFloat64)
	iv.Lo = max(iv.Lo-c.beyond(left, free, t, below*standard), -math.MaxFloat64)
	iv.Warnings = c.warnings(e, right, left, &scales)
	return iv
}

// tails returns the right and the left tail. All of the largest samples are known, but only some of the smallest, at equal
// distances, so the left tail of many samples is known less well.
func (e *Evidence) tails() (right, left *longTail) {
	negated := make([]float64, len(e.Thin))
	for i, v := range e.Thin {
		negated[len(negated)-1-i] = -v
	}
	return newLongTail(e.N, e.N, e.Thin, e.Largest, "large", "larger"), newLongTail(e.N, uint64(len(negated)), negated, negated, "small", "smaller")
}

// warnings says why the interval may be wrong.
func (c *Constants) warnings(e *Evidence, right, left *longTail, scales *scaleFits) (found []string) {
	warn := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	fit, change := &scales.used, c.Change(e.Batches)
	switch {
	case e.Equal:
		warn("all samples are equal: the interval does not allow for values that have not occurred yet")
	case change.Kind != NoChange:
		warn("%s", change.warning(e.Size, e.Mean))
	case scales.slow:
		warn("not stationary or too few samples: correlated on several time scales, and means of %.0f samples still are (lag-1 %.2f)", scales.longest.size, scales.longest.Lag1)
	case scales.short && e.Size == 1:
		warn("not stationary or too few samples: neighbours are correlated (lag-1 %.2f)", scales.finest.Lag1)
	case scales.short:
		warn("not stationary or too few samples: means of %.0f samples are still correlated (lag-1 %.2f)", e.Size, scales.finest.Lag1)
	}
	heavy, side := c.warning(right), right
	if heavy == "" {
		heavy = c.warning(left)
	}
	if fit.Skewness < 0 {
		side = left
	}
	bias := 0.0 // the square of the skewness of batch means over the number of independent ones: almost 1 where a single batch decides
	if e.Size > 1 {
		bias = fit.Skewness * fit.Skewness * fit.inflation / fit.k
	}
	spikes, alone := c.spikes(right)
	switch {
	case spikes > 0 && (alone || heavy == "") && change.Kind != Period:
		what := "are spikes, far above all others, and decide"
		if spikes == 1 {
			what = "is a spike, far above all others, and decides"
		}
		warn("skewed: %d of %d samples %s the mean and its interval; use the median", spikes, e.N, what)
	case heavy != "":
		warn("%s", heavy)
	case bias > c.TooSkewed:
		warn("skewed: a few %s samples dominate the mean, and %s ones may be missing; use the median", side.large, side.larger)
	}
	return found
}
