// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/dist"
)

// A Verdict is the outcome of a comparison. Its text is stable and appears in JSON.
type Verdict string

const (
	Higher       Verdict = "higher"              // other is higher than base
	Lower        Verdict = "lower"               // other is lower than base
	NoDifference Verdict = "no difference shown" // the samples are compatible with no difference
	TooFew       Verdict = "too few samples"     // no outcome could have shown a difference
)

// Comparison says whether and by how much other differs from base. Every field is set whatever the outcome: an interval
// that could not be computed carries the reason, and NoDifference is a result.
type Comparison struct {
	Verdict Verdict `json:"verdict"` // follows from the two tests of ranks and the level

	P              float64  `json:"p"`                // Mann-Whitney, two-sided
	BrunnerMunzelP float64  `json:"brunner_munzel_p"` // Brunner-Munzel, two-sided; 1 with fewer than 2 samples a side
	Difference     Interval `json:"difference"`       // other - base, Hodges-Lehmann, in the unit of the samples
	Ratio          Interval `json:"ratio"`            // other / base, Hodges-Lehmann on logarithms

	WelchP         float64  `json:"welch_p"`         // Welch's t test of the means, two-sided
	MeanDifference Interval `json:"mean_difference"` // of the means, Welch
	MeanRatio      Interval `json:"mean_ratio"`      // of the means, Fieller with Welch's degrees of freedom

	Warnings []string `json:"warnings,omitempty"` // why the verdict may be wrong
}

// Compare compares two samples of independent values, such as one mean per run, at the given level between 0 and 1, 0
// meaning 0.95. It does not change them. Values may be in any order, but if they are in the order in which they were
// measured, a correlation between neighbours gives a warning.
//
// A difference is shown when two tests of ranks agree. Both assume nothing about the shape of the distributions and are
// not moved by outliers. Mann-Whitney U assumes that the distributions have the same shape when they are not shifted
// against each other; it is exact up to 50 values a side, 25 with ties, by the permutations of the ties there are, and
// uses the normal approximation beyond, as benchstat does. Brunner-Munzel does not assume equal spreads, but it is an
// approximation. The direction is that in which most pairs differ, one value from each side.
//
// The interval of the difference is that of Hodges and Lehmann: the median of all pairwise differences (or ratios, if
// all values are positive), between ranks that hold for equal spreads and, by the variance of Brunner and Munzel, for
// unequal ones. Welch's t test is reported beside it for when the mean itself matters; it assumes means that are close
// to normal.
//
// Values inside one run depend on each other: compare runs, or Compare will show effects that do not exist.
//
// Sources: E. L. Lehmann, "Nonparametrics", 2.5; E. Brunner and U. Munzel, Biometrical Journal 42 (2000); B. L. Welch,
// Biometrika 34 (1947); E. C. Fieller, J. Royal Statistical Society B 16 (1954).
func Compare(base, other []float64, level float64) Comparison {
	level, reason := levelOf(level)
	notFinite := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	switch {
	case reason != "":
	case slices.ContainsFunc(base, notFinite) || slices.ContainsFunc(other, notFinite):
		reason = "no interval: a value is not finite"
	case len(base) == 0 || len(other) == 0:
		reason = "no interval: a side has no samples"
	}
	c := Comparison{Verdict: TooFew, P: 1, BrunnerMunzelP: 1, WelchP: 1}
	if reason != "" {
		none := without(0, uint64(len(base)+len(other)), hodgesLehmann, reason)
		none.NEff = 0
		c.Difference, c.Ratio, c.MeanDifference, c.MeanRatio = none, none, none, none
		c.MeanDifference.Method, c.MeanRatio.Method = welch, fieller
		c.Warnings = []string{reason}
		return c
	}
	for _, side := range []struct {
		name string
		x    []float64
	}{{"base", base}, {"other", other}} {
		if r, ok := correlated(side.x); ok {
			c.Warnings = append(c.Warnings, fmt.Sprintf("the values of %s are correlated with their neighbours (lag-1 %.2f): "+
				"differences are reported too often; compare the means of separate runs", side.name, r))
		}
	}
	a, b := slices.Sorted(slices.Values(base)), slices.Sorted(slices.Values(other))
	exponent := largestExponent(a, b)
	scale(a, -exponent) // so that no sum, square or difference overflows
	scale(b, -exponent)
	u := mannWhitney(b, a)
	c.P, c.BrunnerMunzelP = u.p, brunnerMunzel(a, b)
	c.Difference = shift(a, b, level).times(exponent)
	c.Ratio = ratio(a, b, level)
	c.compareMeans(a, b, level)
	c.MeanDifference = c.MeanDifference.times(exponent)
	alpha := 1 - level
	switch {
	case u.least > alpha && a[0] == b[len(b)-1] && b[0] == a[len(a)-1]: // all equal
		c.Verdict = NoDifference
	case u.least > alpha:
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d and %d samples cannot show a difference at level %v", len(a), len(b), level))
	case u.p > alpha:
		c.Verdict = NoDifference
	case c.BrunnerMunzelP > alpha:
		c.Verdict = NoDifference
		c.Warnings = append(c.Warnings, fmt.Sprintf("the spreads differ: Mann-Whitney finds a difference (p = %.2g), but "+
			"Brunner-Munzel, which allows for unequal spreads, does not (p = %.2g)", u.p, c.BrunnerMunzelP))
	case u.above:
		c.Verdict = Higher
	default:
		c.Verdict = Lower
	}
	if c.Verdict != NoDifference && c.Verdict != TooFew && smallAndWide(a, b) {
		c.Warnings = append(c.Warnings, "the side with fewer than 10 values has by far the larger spread: differences are reported too often; take as many of each")
	}
	return c
}

// smallAndWide reports whether a side has few values, half as many as the other at most, and twice its spread: there the
// approximation of Brunner and Munzel shows differences that are not there more often than the level promises.
func smallAndWide(a, b []float64) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) < 10 && 2*len(a) <= len(b) && describe(a).variance > 4*describe(b).variance
}

// The methods of the four intervals.
const (
	hodgesLehmann = "Hodges-Lehmann"
	welch         = "Welch t"
	fieller       = "Fieller"
)

// correlated tells whether the lag-1 autocorrelation of x is beyond what independent values show in 98 of 100 cases.
// Only positive correlation makes a comparison claim too much.
func correlated(x []float64) (lag1 float64, ok bool) {
	n := float64(len(x))
	if n < 8 {
		return 0, false
	}
	x = slices.Clone(x)
	scale(x, -largestExponent(x))
	lag1 = describe(x).lag1
	return lag1, (lag1+1/n)*math.Sqrt(n) > 2.05
}

// largestExponent returns an e with 2^e at least the size of every value; 0 where all values are 0.
func largestExponent(samples ...[]float64) (e int) {
	most := 0.0
	for _, x := range samples {
		for _, v := range x {
			most = max(most, math.Abs(v))
		}
	}
	_, e = math.Frexp(most)
	return e
}

// scale multiplies every value by 2^e. That is exact, except for values so much smaller than others that they become
// subnormal.
func scale(x []float64, e int) {
	for i := range x {
		x[i] = math.Ldexp(x[i], e)
	}
}

// times returns the interval multiplied by 2^e, cut off at the largest float64.
func (iv Interval) times(e int) Interval {
	for _, x := range []*float64{&iv.Center, &iv.Lo, &iv.Hi} {
		if math.Abs(*x) < math.MaxFloat64 { // which stands for no bound
			*x = finite(math.Ldexp(*x, e))
		}
	}
	return iv
}

// finite returns x, cut off at the largest float64.
func finite(x float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, x)) }

// shift returns the Hodges-Lehmann interval of other - base; both are sorted.
func shift(a, b []float64, level float64) Interval {
	pairs, n := len(a)*len(b), uint64(len(a)+len(b))
	center := difference(a, b, (pairs+1)/2)
	if pairs%2 == 0 {
		center = center/2 + difference(a, b, pairs/2+1)/2
	}
	k := min(rankOfInterval(len(a), len(b), 1-level), rankForSpreads(a, b, center, 1-level))
	if k < 1 {
		return without(center, n, hodgesLehmann, fmt.Sprintf("no interval: %d and %d samples are too few for level %v",
			len(a), len(b), level))
	}
	lo, hi := difference(a, b, k), difference(a, b, pairs+1-k)
	return Interval{Center: center, Lo: lo, Hi: hi, Level: level, Method: hodgesLehmann, N: n, NEff: float64(n)}
}

// ratio returns the shift of the logarithms as a ratio.
func ratio(a, b []float64, level float64) Interval {
	if a[0] <= 0 || b[0] <= 0 {
		return without(0, uint64(len(a)+len(b)), hodgesLehmann, "no ratio: a value is not positive")
	}
	logs := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = math.Log(x[i])
		}
		return y
	}
	iv := shift(logs(a), logs(b), level)
	iv.Center = finite(math.Exp(iv.Center))
	if iv.Level > 0 {
		iv.Lo, iv.Hi = finite(math.Exp(iv.Lo)), finite(math.Exp(iv.Hi))
	}
	return iv
}

// compareMeans fills in what rests on the means.
func (c *Comparison) compareMeans(a, b []float64, level float64) {
	da, db := describe(a), describe(b)
	n, m := float64(len(a)), float64(len(b))
	count := uint64(len(a) + len(b))
	r := finite(db.mean / da.mean)
	c.MeanDifference = without(db.mean-da.mean, count, welch, "no interval: needs at least 2 samples a side")
	c.MeanRatio = without(r, count, fieller, "no interval: needs at least 2 samples a side")
	if da.mean == 0 {
		c.MeanRatio = without(0, count, fieller, "no ratio: the mean of the base is zero")
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
	c.MeanDifference = Interval{Center: d, Lo: lo, Hi: hi, Level: level, Method: welch, N: count, NEff: free + 2}
	if da.mean == 0 {
		return
	}
	g := t * math.Sqrt(va) / da.mean
	if g *= g; g >= 1 {
		c.MeanRatio = without(r, count, fieller, "no ratio: the mean of the base is not distinguishable from zero")
		return
	}
	half := t * math.Hypot(math.Sqrt((1-g)*vb)/da.mean, r*(math.Sqrt(va)/da.mean)) / (1 - g)
	lo, hi = around(finite(r/(1-g)), finite(half))
	c.MeanRatio = Interval{Center: r, Lo: lo, Hi: hi, Level: level, Method: fieller, N: count, NEff: free + 2}
}
