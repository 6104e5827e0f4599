// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/internal/tuned"
	"github.com/strobe-go/strobe/stat/decide"
)

// Comparison says whether and by how much other differs from base. Every field is set whatever the outcome: an interval
// that could not be computed carries the reason, and NoDifference is a result. It is of two samples of anything; a bench.Comparison
// is of two costs, measured in rounds.
type Comparison struct {
	Finding Finding `json:"finding"` // follows from the tests of ranks, the level and, where neighbours are correlated, Welch's test

	P              float64  `json:"p"`                // Mann-Whitney, two-sided
	BrunnerMunzelP float64  `json:"brunner_munzel_p"` // Brunner-Munzel, two-sided; 1 with fewer than 2 samples a side
	Difference     Interval `json:"difference"`       // other - base, Hodges-Lehmann, in the unit of the samples
	Ratio          Interval `json:"ratio"`            // other / base, Hodges-Lehmann on logarithms

	WelchP         float64  `json:"welch_p"`         // Welch's t test of the means, two-sided
	MeanDifference Interval `json:"mean_difference"` // of the means, Welch
	MeanRatio      Interval `json:"mean_ratio"`      // of the means, Fieller with Welch's degrees of freedom

	Warnings []string `json:"warnings,omitempty"` // why the finding may be wrong
}

// Compare compares two samples of independent values, such as one mean per run, at the given level between 0 and 1, 0
// meaning 0.95. It does not change them. Values must be in the order in which they were measured, so that it sees whether
// neighbours are correlated; values that are sorted give a warning.
//
// A difference is shown when two tests of ranks agree. Both assume nothing about the shape of the distributions and are
// not moved by outliers. Mann-Whitney U assumes that the distributions have the same shape when they are not shifted
// against each other; it is exact up to 50 values a side, 25 with ties, by the permutations of the ties there are, and
// uses the normal approximation beyond, as benchstat does. Brunner-Munzel does not assume equal spreads, but it is an
// approximation: if a side has fewer than 10 values, half as many as the other at most, and more than twice the spread, Welch's test
// must agree, or the sign test if the samples do not overlap. The direction is that in which most pairs differ, one value from each
// side.
//
// The interval of the difference is that of Hodges and Lehmann: the median of all pairwise differences (or ratios, if
// all values are positive), between ranks that hold for equal spreads and, by the variance of Brunner and Munzel, for
// unequal ones. Welch's t test is reported beside it for when the mean itself matters; it assumes means that are close
// to normal.
//
// Values inside one run depend on each other: compare runs, or Compare will show effects that do not exist. When neighbours
// are correlated, by the test of von Neumann on both sides, there is a warning, these intervals are wider, and a difference is
// shown only if Welch's test with as many values as there are independent ones shows it too. Fewer than 1 of 20 pairs of
// independent samples get this warning. With fewer than 20 values on a side, correlation often cannot be detected, and with
// fewer than 10 hardly any test detects it: docs/coverage.md compares this one with the best possible.
//
// Sources: E. L. Lehmann, "Nonparametrics", 2.5; E. Brunner and U. Munzel, Biometrical Journal 42 (2000); B. L. Welch,
// Biometrika 34 (1947); E. C. Fieller, J. Royal Statistical Society B 16 (1954).
func Compare(base, other []float64, level float64) Comparison {
	level, reason := levelOf(level)
	notFinite := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	switch {
	case reason != "":
	case slices.ContainsFunc(base, notFinite) || slices.ContainsFunc(other, notFinite):
		reason = "a value is not finite"
	case len(base) == 0 || len(other) == 0:
		reason = "a side has no samples"
	}
	c := Comparison{Finding: TooFew, P: 1, BrunnerMunzelP: 1, WelchP: 1}
	if reason != "" {
		c.Difference, c.Ratio, c.MeanDifference, c.MeanRatio = unknown(hodgesLehmann, reason), unknown(hodgesLehmann, reason),
			unknown(welch, reason), unknown(fieller, reason)
		c.Warnings = []string{reason}
		return c
	}
	order := orderOf(base, other)
	if order.Warning != "" {
		c.Warnings = append(c.Warnings, order.Warning)
	}
	a, b := slices.Sorted(slices.Values(base)), slices.Sorted(slices.Values(other))
	exponent := largestExponent(a, b)
	scale(a, -exponent) // so that no sum, square or difference overflows
	scale(b, -exponent)
	u := decide.MannWhitney(b, a)
	c.P, c.BrunnerMunzelP = u.P, brunnerMunzel(a, b)
	c.Difference = shift(a, b, level, order).times(exponent)
	c.Ratio = ratio(a, b, level, order)
	c.compareMeans(a, b, level)
	c.MeanDifference = c.MeanDifference.times(exponent)
	alpha, correlatedP, fewP := 1-level, 0.0, smallAndWide(a, b, c.WelchP, c.BrunnerMunzelP)
	if order.Inflation > 1 {
		correlatedP = welchOf(a, b).p(order.Inflation)
	}
	switch {
	case u.Least > alpha && a[0] == b[len(b)-1] && b[0] == a[len(a)-1]: // all equal
		c.Finding = NoDifference
	case u.Least > alpha:
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d and %d samples cannot show a difference at level %v", len(a), len(b), level))
	case u.P > alpha:
		c.Finding = NoDifference
	case c.BrunnerMunzelP > alpha:
		c.Finding = NoDifference
		c.Warnings = append(c.Warnings, fmt.Sprintf("the spreads differ: Mann-Whitney finds a difference (p = %.2g), but "+
			"Brunner-Munzel, which allows for unequal spreads, does not (p = %.2g)", u.P, c.BrunnerMunzelP))
	case fewP > alpha:
		c.Finding = NoDifference
		c.Warnings = append(c.Warnings, fmt.Sprintf("the side with fewer than 10 values has by far the larger spread: the tests of ranks find a difference "+
			"(Mann-Whitney, p = %.2g), but would too often where there is none, and Welch's test does not (p = %.2g); take as many values of each side", u.P, c.WelchP))
	case correlatedP > alpha:
		c.Finding = NoDifference
		c.Warnings = append(c.Warnings, fmt.Sprintf("as independent values they would show a difference (Mann-Whitney, p = %.2g), but with "+
			"the correlation allowed for they do not (Welch, p = %.2g)", u.P, correlatedP))
	case u.Above:
		c.Finding = Higher
	default:
		c.Finding = Lower
	}
	return c
}

// orderOf returns what the order of the values shows.
func orderOf(base, other []float64) tuned.Order {
	sides := [...][]float64{slices.Clone(base), slices.Clone(other)}
	for _, x := range sides {
		scale(x, -largestExponent(x)) // so that no square overflows
	}
	return tuned.Committed.Order(sides[0], sides[1])
}

// smallAndWide returns the p-value to add where a side has few values, half as many as the other at most, and twice its spread;
// elsewhere it is 0. There Brunner-Munzel shows differences that do not exist more often than the level promises: each of the few
// values is likely to lie above or below all values of the other side, and with few values all lie on the same side too often.
// The result is the smaller p-value of Welch's test and, if the samples do not overlap, of the sign test.
func smallAndWide(a, b []float64, welchP, brunnerMunzelP float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) >= 10 || 2*len(a) > len(b) || series.Describe(a).Variance <= 4*series.Describe(b).Variance {
		return 0
	}
	if brunnerMunzelP == 0 {
		return min(welchP, math.Ldexp(2, -len(a)))
	}
	return welchP
}

// The methods of the four intervals.
const (
	hodgesLehmann = "Hodges-Lehmann"
	welch         = "Welch t"
	fieller       = "Fieller"
)

// shift returns the Hodges-Lehmann interval of other - base; both are sorted.
func shift(a, b []float64, level float64, order tuned.Order) Interval {
	differences, n := decide.NewDifferences(a, b), uint64(len(a)+len(b))
	center := differences.Median()
	cut, _ := decide.Cut(len(a), len(b), (1-level)/2)
	k := min(cut+1, rankForSpreads(a, b, center, 1-level))
	if k < 1 {
		return Point(center, n, hodgesLehmann, fmt.Sprintf("%d and %d samples are too few for level %.4g",
			len(a), len(b), level))
	}
	lo, hi := differences.At(k), differences.At(differences.N()+1-k)
	if order.Inflation > 1 {
		wider := order.Widening(float64(n)-2, 1-level)
		lo, hi = center-wider*(center-lo), center+wider*(hi-center)
	}
	return Interval{Center: center, Lo: lo, Hi: hi, Level: level, Method: hodgesLehmann, N: n, NEff: float64(n)}
}

// ratio returns the shift of the logarithms as a ratio.
func ratio(a, b []float64, level float64, order tuned.Order) Interval {
	if a[0] <= 0 || b[0] <= 0 {
		return unknown(hodgesLehmann, "no ratio: a value is not positive")
	}
	logs := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i := range x {
			fraction, e := math.Frexp(x[i]) // math.Log is wrong for subnormal values on amd64
			y[i] = math.Log(fraction) + float64(e)*math.Ln2
		}
		return y
	}
	iv := shift(logs(a), logs(b), level, order)
	iv.Center = finite(math.Exp(iv.Center))
	if iv.Bounded() {
		iv.Lo, iv.Hi = finite(math.Exp(iv.Lo)), finite(math.Exp(iv.Hi))
	}
	return iv
}
