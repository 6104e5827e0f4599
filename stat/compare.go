// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/dist"
)

// Comparison says whether and by how much other differs from base. Every field holds something whatever the outcome: an
// interval that could not be made carries the reason, and "no difference shown" is a result.
type Comparison struct {
	// Verdict is "higher" or "lower", of other against base; "no difference shown"; or "too few samples", when no
	// outcome could have shown one. It follows from P and the level.
	Verdict string `json:"verdict"`

	P          float64  `json:"p"`          // Mann-Whitney, two-sided
	Difference Interval `json:"difference"` // other - base, Hodges-Lehmann, in the unit of the samples
	Ratio      Interval `json:"ratio"`      // other / base, Hodges-Lehmann on logarithms

	WelchP         float64  `json:"welch_p"`         // Welch's t test of the means, two-sided
	MeanDifference Interval `json:"mean_difference"` // of the means, Welch
	MeanRatio      Interval `json:"mean_ratio"`      // of the means, Fieller with Welch's degrees of freedom

	Warnings []string `json:"warnings,omitempty"` // why the verdict says less than it seems to
}

// Compare compares two samples of independent values, such as one mean per run, at the given level between 0 and 1, 0
// meaning 0.95. It does not change them.
//
// The verdict is that of the Mann-Whitney U test, which assumes nothing about the shape of the distributions and is not
// moved by outliers: exact up to 50 values a side, 25 with ties, by the permutations of the ties there are, and the
// normal approximation beyond, as benchstat has it. Its interval is that of Hodges and Lehmann: the median of all
// differences, or ratios if all values are positive. Welch's t test stands beside it for when the mean itself
// matters; it assumes means that are close to normal.
//
// Values inside one run depend on each other: compare runs, or effects will be shown that are not there.
//
// Sources: E. L. Lehmann, "Nonparametrics", 2.5; B. L. Welch, Biometrika 34 (1947); E. C. Fieller, J. Royal Statistical
// Society B 16 (1954).
func Compare(base, other []float64, level float64) Comparison {
	const rank = "Hodges-Lehmann"
	c := Comparison{Verdict: "too few samples", P: 1, WelchP: 1}
	n := uint64(len(base) + len(other))
	level, reason := levelOf(level)
	notFinite := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	switch {
	case reason != "":
	case slices.ContainsFunc(base, notFinite) || slices.ContainsFunc(other, notFinite):
		reason = "no interval: a value is not finite"
	case len(base) == 0 || len(other) == 0:
		reason = "no interval: a side has no samples"
	}
	if reason != "" {
		none := without(0, n, rank, reason)
		none.NEff = 0
		c.Difference, c.Ratio, c.MeanDifference, c.MeanRatio = none, none, none, none
		c.MeanDifference.Method, c.MeanRatio.Method = "Welch t", "Fieller"
		c.Warnings = []string{reason}
		return c
	}
	a, b := slices.Sorted(slices.Values(base)), slices.Sorted(slices.Values(other))
	var least float64
	c.P, least = mannWhitney(b, a)
	c.Difference = shift(a, b, level)
	c.Ratio = ratio(a, b, level)
	c.welch(a, b, level)
	switch {
	case least > 1-level && a[0] == b[len(b)-1] && b[0] == a[len(a)-1]: // all equal
		c.Verdict = "no difference shown"
	case least > 1-level:
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d and %d samples cannot show a difference at level %v", len(a), len(b), level))
	case c.P > 1-level:
		c.Verdict = "no difference shown"
	case c.Difference.Center > 0 || c.Difference.Center == 0 && c.MeanDifference.Center > 0:
		c.Verdict = "higher"
	default:
		c.Verdict = "lower"
	}
	return c
}

// shift returns the Hodges-Lehmann interval of other - base; both are sorted.
func shift(a, b []float64, level float64) Interval {
	pairs, n := len(a)*len(b), uint64(len(a)+len(b))
	center := difference(a, b, (pairs+1)/2)
	if pairs%2 == 0 {
		center = center/2 + difference(a, b, pairs/2+1)/2
	}
	k := rankOfInterval(len(a), len(b), 1-level)
	if k == 0 {
		return without(center, n, "Hodges-Lehmann", fmt.Sprintf("no interval: %d and %d samples are too few for level %v",
			len(a), len(b), level))
	}
	lo, hi := difference(a, b, k), difference(a, b, pairs+1-k)
	return Interval{Center: center, Lo: lo, Hi: hi, Level: level, Method: "Hodges-Lehmann", N: n, NEff: float64(n)}
}

// ratio returns the shift of the logarithms as a ratio.
func ratio(a, b []float64, level float64) Interval {
	if a[0] <= 0 || b[0] <= 0 {
		return without(0, uint64(len(a)+len(b)), "Hodges-Lehmann", "no ratio: a value is not positive")
	}
	logs := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = math.Log(x[i])
		}
		return y
	}
	iv := shift(logs(a), logs(b), level)
	iv.Center = math.Exp(iv.Center)
	if iv.Level > 0 {
		iv.Lo, iv.Hi = math.Exp(iv.Lo), min(math.Exp(iv.Hi), math.MaxFloat64)
	}
	return iv
}

// welch fills in what rests on the means.
func (c *Comparison) welch(a, b []float64, level float64) {
	da, db := describe(a), describe(b)
	n, m := float64(len(a)), float64(len(b))
	count := uint64(len(a) + len(b))
	c.MeanDifference = without(db.mean-da.mean, count, "Welch t", "no interval: needs at least 2 samples a side")
	c.MeanRatio = without(0, count, "Fieller", "no ratio: the mean of the base is zero")
	if da.mean != 0 {
		c.MeanRatio = without(db.mean/da.mean, count, "Fieller", "no interval: needs at least 2 samples a side")
	}
	if len(a) < 2 || len(b) < 2 {
		return
	}
	va, vb := da.variance/n, db.variance/m // of the means
	free := n + m - 2
	if v := va + vb; v > 0 {
		free = v * v / (va*va/(n-1) + vb*vb/(m-1))
		c.WelchP = min(1, 2*dist.StudentTail(math.Abs(db.mean-da.mean)/math.Sqrt(v), free))
	} else if da.mean != db.mean {
		c.WelchP = 0
	}
	t := dist.StudentUpper((1-level)/2, free)
	d := db.mean - da.mean
	lo, hi := around(d, t*math.Sqrt(va+vb))
	c.MeanDifference = Interval{Center: d, Lo: lo, Hi: hi, Level: level, Method: "Welch t", N: count, NEff: free + 2}
	if da.mean == 0 {
		return
	}
	r, g := db.mean/da.mean, t*t*va/(da.mean*da.mean)
	if g >= 1 {
		c.MeanRatio = without(r, count, "Fieller", "no ratio: the mean of the base is not distinguishable from zero")
		return
	}
	half := t / math.Abs(da.mean) * math.Sqrt((1-g)*vb+r*r*va) / (1 - g)
	lo, hi = around(r/(1-g), half)
	c.MeanRatio = Interval{Center: r, Lo: lo, Hi: hi, Level: level, Method: "Fieller", N: count, NEff: free + 2}
}
