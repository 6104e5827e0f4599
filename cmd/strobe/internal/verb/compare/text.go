// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// write prints a table for each table of results and unit.
func (c *Flags) write(s *session.Session, r *outcome) error {
	p := s.Printer()
	var dropped []string
	all := groups(r.lines)
	shown := c.shown(all)
	for i, g := range all {
		t := c.tableOf(g, r.columns, func(name string) bool { return shown.has(i, name) })
		if len(t.Rows) == 0 {
			continue
		}
		if p.Len() > 0 {
			p.WriteByte('\n')
		}
		dropped = append(dropped, p.Table(t)...)
	}
	p.LeftOut(dropped)
	if text := shown.coverage(); text != "" {
		p.WriteByte('\n')
		p.Wrap("", text)
	}
	var alone []string
	for _, a := range r.alone {
		alone = append(alone, a.String())
	}
	for i, text := range c.some(alone) {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Wrap("", text)
	}
	for _, note := range r.notes {
		p.WriteByte('\n')
		p.Note(note)
	}
	if len(r.skipped) > 0 {
		p.WriteByte('\n')
		p.Note(fmt.Sprintf("%s could not be read and were skipped, the first is %s", layout.Plural(uint64(len(r.skipped)), "benchmark line"), r.skipped[0]))
	}
	if len(r.failures) > 0 {
		p.WriteByte('\n')
		p.Note(fmt.Sprintf("a test or benchmark failed in these results: %s", r.failures[0]))
	}
	if r.gate != nil {
		p.WriteByte('\n')
		for _, reason := range c.some(r.gate.Reasons) {
			p.Wrap("gate", reason)
		}
	}
	return s.Print(p)
}

// A group is the lines of one table and unit.
type group struct {
	table, unit string
	lines       []line
}

// of returns the lines of one column.
func (g *group) of(column string) (some []line) {
	for _, l := range g.lines {
		if l.column == column {
			some = append(some, l)
		}
	}
	return some
}

// groups groups lines by table and unit, in the order in which they first occur.
func groups(lines []line) (all []group) {
	at := map[[2]string]int{}
	for _, l := range lines {
		i, known := at[[2]string{l.table, l.unit}]
		if !known {
			i = len(all)
			at[[2]string{l.table, l.unit}] = i
			all = append(all, group{table: l.table, unit: l.unit})
		}
		all[i].lines = append(all[i].lines, l)
	}
	return all
}

// tableOf is the table of a group, with the rows that are shown; it has none if none of them is. Each column but the first is followed
// by its comparison.
func (c *Flags) tableOf(g group, columns []string, shown func(name string) bool) layout.Table {
	titles := columns
	if c.Col == ".file" && len(columns) == 2 {
		titles = []string{"old", "new"}
	}
	t := layout.Table{Columns: []layout.Column{{Title: strings.TrimSpace(g.table + " " + g.unit), Left: true}, {Title: titles[0]}}}
	for i, title := range titles[1:] {
		values, delta := 0, 0 // columns that are kept for the second file
		if i > 0 {
			delta = 3 + 2*(len(titles)-i)
			values = delta + 1
		}
		t.Columns = append(t.Columns, layout.Column{Title: title, Drop: values}, layout.Column{Title: "delta", Drop: delta}, layout.Column{Title: "p", Drop: 2},
			layout.Column{Title: "ratio, " + layout.Percent(float64(c.Level)) + " %", Drop: 1})
	}
	at := map[string]int{} // index of a row by its name
	for _, l := range g.lines {
		a, b := l.medians()
		i, known := at[l.name]
		if !known {
			i = len(t.Rows)
			at[l.name] = i
			t.Rows = append(t.Rows, make([]string, len(t.Columns)))
			t.Rows[i][0], t.Rows[i][1] = l.name, c.sideText(&l, a, l.base)
		}
		k := 2 + 4*(slices.Index(columns, l.column)-1)
		copy(t.Rows[i][k:], []string{c.sideText(&l, b, l.other), l.deltaText(), l.pText(), l.ratioText()})
	}
	several := len(t.Rows) > 1
	t.Rows = slices.DeleteFunc(t.Rows, func(row []string) bool { return !shown(row[0]) })
	if !several || len(t.Rows) == 0 {
		return t
	}
	means := make([]string, len(t.Columns))
	means[0] = "geomean"
	for i, column := range columns[1:] {
		lines := g.of(column)
		if len(lines) == 0 {
			continue
		}
		m := geomean(lines)
		if len(columns) == 2 && m.base > 0 && m.other > 0 { // only then are the means over the same rows
			means[1], means[2] = prefixed(m.base, g.unit), prefixed(m.other, g.unit)
		}
		means[2+4*i+1] = "?"
		if m.ratio > 0 {
			means[2+4*i+1] = fmt.Sprintf("%+.2f %%", 100*(m.ratio-1))
		}
	}
	t.Rows = append(t.Rows, means)
	return t
}

// sideText writes the median of a side, with its interval unless the values are exact.
func (c *Flags) sideText(l *line, median float64, values []float64) string {
	if l.exact && constant(values) {
		return prefixed(median, l.unit)
	}
	return c.amountText(median, l.unit, values)
}

// amountText writes a median with four digits, a prefix, and the reach of its interval.
func (c *Flags) amountText(x float64, unit string, values []float64) string {
	return prefixed(x, unit) + " ± " + reach(sample.QuantileInterval(values, 0.5, float64(c.Level)))
}

// reach writes the larger side of an interval in percent of its center, as benchstat does.
func reach(iv stat.Interval) string {
	switch {
	case !iv.Bounded():
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
	return fmt.Sprintf("p=%.3f %s", l.result.P, n)
}

func (l *line) ratioText() string {
	if l.exact || !l.result.Ratio.Bounded() {
		return ""
	}
	return units.Ratio(l.result.Ratio.Center, l.result.Ratio.Lo, l.result.Ratio.Hi)
}
