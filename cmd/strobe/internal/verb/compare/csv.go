// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// writeCSV writes a line for each result. A cell without a value is empty.
func (c *Flags) writeCSV(w io.Writer, lines []line) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "name", "unit", "column", "base_n", "base_median", "base_lo", "base_hi", "n", "median", "lo", "hi",
		"delta", "p", "ratio", "ratio_lo", "ratio_hi", "verdict"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	bounds := func(iv stat.Interval) []string {
		if !iv.Bounded() {
			return []string{"", ""}
		}
		return []string{number(iv.Lo), number(iv.Hi)}
	}
	for i := range lines {
		l := &lines[i]
		a, b := l.medians()
		cells := []string{l.table, l.name, l.unit, l.column}
		for _, side := range []struct {
			values []float64
			median float64
		}{{l.base, a}, {l.other, b}} {
			cells = append(cells, strconv.Itoa(len(side.values)), number(side.median))
			cells = append(cells, bounds(sample.QuantileInterval(side.values, 0.5, float64(c.Level)))...)
		}
		delta, p, ratio := "", "", ""
		if d, ok := l.delta(); ok {
			delta = number(d)
		}
		iv := l.result.Ratio
		if l.exact {
			iv = stat.Interval{}
		} else {
			p = number(l.result.P)
		}
		if iv.Bounded() {
			ratio = number(iv.Center)
		}
		out.Write(append(append(append(cells, delta, p, ratio), bounds(iv)...), l.verdict()))
	}
	out.Flush()
	return out.Error()
}
