// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/internal/tuned"
	"github.com/strobe-go/strobe/stat/dist"
)

// serial holds what the order of the values in two samples shows about them.
type serial struct {
	inflation float64 // of the variance of their difference, by correlation between neighbours; 1 when none is seen
	warning   string
}

// fewestSerial is how many values a sample must have for its order to count.
const fewestSerial = 4

// serialOf judges two samples in the order in which they were measured, together, because few values of one tell little.
// Independent ones are taken for correlated in fewer than one of twenty cases. Only positive correlation counts: negative
// makes a comparison claim too little.
func serialOf(base, other []float64) serial {
	s := serial{inflation: 1}
	var n, values, ordered float64 // the latter two in standard errors times √n
	var z [2]float64
	sides := [2][]float64{base, other}
	for i, x := range sides {
		if sorted(x) {
			s.warning = "values are sorted: give them in the order in which they were measured, so that a correlation between neighbours shows"
		}
		x = slices.Clone(x)
		scale(x, -largestExponent(x)) // so that no square overflows
		sides[i] = x
		if len(x) < fewestSerial || sorted(x) {
			continue
		}
		root := math.Sqrt(float64(len(x)))
		// A single outlier at an end counts half in the mean square difference, and hardly in the lag-1 correlation.
		v, r := min(series.VonNeumann(x), 1+(series.Describe(x).Lag1+1/float64(len(x)))*root), series.VonNeumann(series.Ranks(x))
		n, values, ordered = n+float64(len(x)), values+root*v, ordered+root*r
		z[i] = min(v, r+0.3)
	}
	if n == 0 {
		return s
	}
	both := min(values, ordered+0.3*math.Sqrt(n)) / math.Sqrt(n)
	const surely = 2.25
	likely := 1.85
	if n < 20 { // the ranks of few values reach few levels
		likely = 1.75
	}
	who := ""
	switch lag1 := func(i int) float64 { return series.Describe(sides[i]).Lag1 }; {
	case z[0] > surely && z[1] <= surely:
		who = fmt.Sprintf("base are correlated with their neighbours (lag-1 %.2f)", lag1(0))
	case z[1] > surely && z[0] <= surely:
		who = fmt.Sprintf("other are correlated with their neighbours (lag-1 %.2f)", lag1(1))
	case both > likely:
		who = fmt.Sprintf("both sides are correlated with their neighbours (lag-1 %.2f and %.2f)", lag1(0), lag1(1))
	default:
		return s
	}
	s.warning = "the values of " + who + ": differences are reported too often; compare the means of separate runs"
	r := max(0, both) / math.Sqrt(n)
	r = min(0.95, r+2*(1+4*r)/n) // corrected for the bias of both
	s.inflation = min((1+r)/(1-r), max(1, n/tuned.Committed.FewestFree))
	return s
}

// widening returns by how much correlation widens an interval that would have free degrees of freedom if the values were
// independent.
func (s serial) widening(free, alpha float64) float64 {
	if !(s.inflation > 1) {
		return 1
	}
	return math.Sqrt(s.inflation) * dist.StudentUpper(alpha/2, max(1, free/s.inflation)) / dist.StudentUpper(alpha/2, free)
}

// sorted reports whether x is in an order that measurements do not have: ascending, with eight values or more.
func sorted(x []float64) bool { return slices.IsSorted(x) && len(slices.Compact(slices.Clone(x))) >= 8 }
