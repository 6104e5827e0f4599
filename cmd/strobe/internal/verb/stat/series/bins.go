// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"math"
	"strconv"

	"github.com/strobe-go/strobe/internal/units"
)

// A Bin counts the samples in [Lo, Hi). The first bin starts at or below the least sample, the last ends above the greatest.
type Bin struct {
	Lo, Hi float64
	N      uint64
	Label  string // the bound that is shown
}

// rows is the approximate number of bins.
const rows = 12

// Bins divides the range of nearly all samples into bins with round bounds; the two outer bins hold the rest. It returns none
// when all samples are equal.
func (s *Series) Bins() []Bin {
	r := s.ranking()
	least, _ := r.at(0)
	_, greatest := r.at(1)
	lo, hi := r.quantile(0.001), r.quantile(0.995)
	if lo == hi {
		lo, hi = least, greatest
	}
	if lo == hi {
		return nil
	}
	var edges []float64
	var label func(float64) string
	if low := r.quantile(0.01); low > 0 && hi/low > 100 {
		edges, label = octaves(low, hi), func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	} else {
		step := max(units.RoundUp((hi-lo)/rows), math.Pow10(-s.digits))
		digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
		for k := math.Floor(lo / step); len(edges) == 0 || edges[len(edges)-1] <= hi; k++ {
			edge, _ := strconv.ParseFloat(strconv.FormatFloat(k*step, 'f', digits, 64), 64) // 0.3, not 3 times 0.1
			edges = append(edges, edge)
		}
		label = func(v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	}
	var bins []Bin
	before, from := 0.0, edges[0]
	if edges[0] > least {
		before = r.below(edges[0])
		bins = append(bins, Bin{least, edges[0], uint64(before + 0.5), "< " + label(edges[0])})
	}
	for _, edge := range edges[1:] {
		below := r.below(edge)
		bins = append(bins, Bin{from, edge, uint64(below+0.5) - uint64(before+0.5), label(from)})
		before, from = below, edge
	}
	if left := r.n() - uint64(before+0.5); left > 0 {
		bins = append(bins, Bin{from, greatest, left, "≥ " + label(from)})
	}
	return bins
}

// octaves returns bounds 1, 2, 5, 10, ... around a wide range, only 1 and 10 when it is very wide.
func octaves(lo, hi float64) []float64 {
	factors := []float64{1, 2, 5}
	decades := math.Log10(hi / lo)
	if decades > 5 {
		factors = factors[:1]
	}
	var edges []float64
	for e := math.Floor(math.Log10(lo)); ; e += max(1, math.Floor(decades/rows)) {
		for _, f := range factors {
			v, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 64)+"e"+strconv.Itoa(int(e)), 64)
			if len(edges) == 1 && v <= lo {
				edges = edges[:0]
			}
			edges = append(edges, v)
			if v > hi {
				return edges
			}
		}
	}
}
