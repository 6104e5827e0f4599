// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// writeCompared prints a table for each package and unit.
func writeCompared(s *session, c *compareCmd, lines []line, alone []string, g *gateObject) error {
	var w bytes.Buffer
	for first := 0; first < len(lines); {
		pkg, unit := lines[first].pkg, lines[first].unit
		var same []line
		for _, l := range lines {
			if l.pkg == pkg && l.unit == unit {
				same = append(same, l)
			}
		}
		if first > 0 {
			w.WriteByte('\n')
		}
		writeTable(&w, s.color, pkg, unit, same)
		for first++; first < len(lines) && seen(lines[:first], lines[first]); first++ {
		}
	}
	for i, text := range alone {
		if i == 0 {
			w.WriteByte('\n')
		}
		fmt.Fprintln(&w, text)
	}
	if g != nil {
		w.WriteByte('\n')
		for _, reason := range g.Reasons {
			fmt.Fprintf(&w, "gate %s\n", reason)
		}
	}
	_, err := s.out.Write(w.Bytes())
	return err
}

// seen reports whether a line's table was printed already.
func seen(before []line, l line) bool {
	for _, b := range before {
		if b.pkg == l.pkg && b.unit == l.unit {
			return true
		}
	}
	return false
}

func writeTable(w *bytes.Buffer, color bool, pkg, unit string, lines []line) {
	rows := [][]string{{strings.TrimSpace(pkg + " " + unit), "old", "new", "delta", "p", "ratio, 95 %"}}
	var logs float64
	n := 0
	for _, l := range lines {
		a, b := l.medians()
		rows = append(rows, []string{l.name, amountText(a, unit, l.base), amountText(b, unit, l.other), l.deltaText(), l.pText(), l.ratioText()})
		if a > 0 && b > 0 {
			logs += math.Log(b / a)
			n++
		}
	}
	if n > 1 {
		rows = append(rows, []string{"geomean", "", "", fmt.Sprintf("%+.2f %%", 100*math.Expm1(logs/float64(n))), "", ""})
	}
	var wide [6]int
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], len([]rune(cell)))
		}
	}
	for i, row := range rows {
		text := fmt.Sprintf("%-*s", wide[0], row[0])
		for k, cell := range row[1:] {
			text += "  " + strings.Repeat(" ", wide[k+1]-len([]rune(cell))) + cell
		}
		text = strings.TrimRight(text, " ")
		if i == 0 {
			text = paint(color, bold, text)
		}
		fmt.Fprintln(w, text)
	}
}

// amountText writes a median with four digits, a prefix, and how far its interval reaches.
func amountText(x float64, unit string, values []float64) string {
	return prefixed(x, unit) + " ± " + reach(sample.QuantileInterval(values, 0.5, 0.95))
}

// reach is how far an interval goes at most, in whole percent of its center, as benchstat has it.
func reach(iv stat.Interval) string {
	switch {
	case iv.Level == 0:
		return "∞"
	case iv.Lo == iv.Hi:
		return "0 %"
	case iv.Center == 0 || (iv.Lo < 0) != (iv.Hi < 0):
		return "?"
	}
	return fmt.Sprintf("%.0f %%", 100*max(iv.Hi/iv.Center-1, 1-iv.Lo/iv.Center))
}

// prefixed writes a number with four digits and the prefix that suits it.
func prefixed(x float64, unit string) string {
	if x == 0 {
		return "0"
	}
	prefixes, step := []string{"n", "µ", "m", "", "k", "M", "G", "T"}, 1e3
	if unit == "B/op" || unit == "B/s" || strings.HasSuffix(unit, "bytes") {
		prefixes, step = []string{"n", "µ", "m", "", "Ki", "Mi", "Gi", "Ti"}, 1024
	}
	at, one := 3, 1.0
	for size := math.Abs(x); size >= one*step && at < len(prefixes)-1; at++ {
		one *= step
	}
	for size := math.Abs(x); size < one && at > 0; at-- {
		one = [...]float64{1e-9, 1e-6, 1e-3}[at-1]
	}
	size := math.Abs(x) / one
	digits := 3 - int(math.Floor(math.Log10(size)))
	return fmt.Sprintf("%.*f%s", max(0, min(digits, 6)), math.Copysign(size, x), prefixes[at])
}

func (l *line) deltaText() string {
	d, ok := l.delta()
	switch {
	case !l.differs():
		return "~"
	case !ok:
		return "?"
	}
	return fmt.Sprintf("%+.2f %%", 100*d)
}

func (l *line) pText() string {
	n := fmt.Sprintf("n=%d", len(l.base))
	if len(l.base) != len(l.other) {
		n = fmt.Sprintf("n=%d+%d", len(l.base), len(l.other))
	}
	if l.exact {
		return n
	}
	return fmt.Sprintf("p=%.3f %s", l.level.P, n)
}

func (l *line) ratioText() string {
	if l.exact || l.level.Ratio.Level == 0 {
		return ""
	}
	return l.level.Ratio.In(1, "")
}
