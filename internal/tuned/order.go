// SPDX-License-Identifier: BSD-3-Clause

package tuned

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/stat/dist"
)

// An Order is what the order of the values in two samples shows about them.
type Order struct {
	Inflation float64 // of the variance of their difference, by correlation between neighbours; 1 when none is seen
	Warning   string  // empty if there is nothing to say
}

// fewestOrdered is how many values a sample must have for its order to count: three have six orders, none of which is as unlikely as
// one in twenty.
const fewestOrdered = 4

// Order judges two samples in the order in which they were measured, together, because few values of one tell little.
// Independent ones are taken for correlated in fewer than one of twenty cases. Only positive correlation counts: negative
// makes a comparison claim too little. The
// values of each sample are so small that no square overflows.
func (c *Constants) Order(base, other []float64) Order {
	s := Order{Inflation: 1}
	var n, values, ordered float64 // the latter two in standard errors times √n
	var z [2]float64
	sides := [...][]float64{base, other}
	for i, x := range sides {
		if sorted(x) {
			s.Warning = "values are sorted: give them in the order in which they were measured, so that a correlation between neighbours shows"
		}
		if len(x) < fewestOrdered || sorted(x) {
			continue
		}
		root := math.Sqrt(float64(len(x)))
		// A single outlier at an end counts half in the mean square difference, and hardly in the lag-1 correlation.
		v, r := min(series.VonNeumann(x), c.OrderOutlier+(series.Describe(x).Lag1+1/float64(len(x)))*root), series.VonNeumann(series.Ranks(x))
		n, values, ordered = n+float64(len(x)), values+root*v, ordered+root*r
		z[i] = min(v, r+c.OrderRanks)
	}
	if n == 0 {
		return s
	}
	both := min(values, ordered+c.OrderRanks*math.Sqrt(n)) / math.Sqrt(n)
	likely := c.OrderBoth
	if n < 20 { // the ranks of few values reach few levels
		likely = c.OrderBothFew
	}
	who := ""
	switch lag1 := func(i int) float64 { return series.Describe(sides[i]).Lag1 }; {
	case z[0] > c.OrderSide && z[1] <= c.OrderSide:
		who = fmt.Sprintf("base are correlated with their neighbours (lag-1 %.2f)", lag1(0))
	case z[1] > c.OrderSide && z[0] <= c.OrderSide:
		who = fmt.Sprintf("other are correlated with their neighbours (lag-1 %.2f)", lag1(1))
	case both > likely:
		who = fmt.Sprintf("both sides are correlated with their neighbours (lag-1 %.2f and %.2f)", lag1(0), lag1(1))
	default:
		return s
	}
	s.Warning = "the values of " + who + ": differences are reported too often; compare the means of separate runs"
	r := max(0, both) / math.Sqrt(n)
	r = min(0.95, r+2*(1+4*r)/n) // corrected for the bias of both
	s.Inflation = min((1+r)/(1-r), max(1, n/c.FewestFree))
	return s
}

// Widening returns by how much correlation widens an interval that would have free degrees of freedom if the values were
// independent.
func (s Order) Widening(free, alpha float64) float64 {
	if !(s.Inflation > 1) {
		return 1
	}
	return math.Sqrt(s.Inflation) * dist.StudentUpper(alpha/2, max(1, free/s.Inflation)) / dist.StudentUpper(alpha/2, free)
}

// sorted reports whether x is in an order that measurements hardly ever have: ascending, with eight different values or more, which is one
// order of 40320.
func sorted(x []float64) bool { return slices.IsSorted(x) && len(slices.Compact(slices.Clone(x))) >= 8 }
