// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// write prints a table for each package and unit.
func write(s *session.Session, lines []line, alone, skipped []string, g *gate.Gate) error {
	p := s.Printer()
	var dropped []string
	for i, group := range groups(lines) {
		if i > 0 {
			p.WriteByte('\n')
		}
		dropped = append(dropped, p.Table(tableOf(group))...)
	}
	p.LeftOut(dropped)
	for i, text := range alone {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Wrap("", text)
	}
	if len(skipped) > 0 {
		p.Printf("\n")
		p.Note(fmt.Sprintf("%s could not be read and were skipped, the first is %s", layout.Plural(uint64(len(skipped)), "benchmark line"), skipped[0]))
	}
	if g != nil {
		p.WriteByte('\n')
		for _, reason := range g.Reasons {
			p.Wrap("gate", reason)
		}
	}
	return s.Print(p)
}

// groups parts lines by package and unit, in the order of the first of each.
func groups(lines []line) (all [][]line) {
	type key struct{ pkg, unit string }
	at := map[key]int{}
	for _, l := range lines {
		k := key{l.pkg, l.unit}
		i, known := at[k]
		if !known {
			i = len(all)
			at[k], all = i, append(all, nil)
		}
		all[i] = append(all[i], l)
	}
	return all
}

// tableOf is the table of the lines of one package and unit.
func tableOf(lines []line) layout.Table {
	unit := lines[0].unit
	t := layout.Table{Columns: []layout.Column{{Title: strings.TrimSpace(lines[0].pkg + " " + unit), Left: true}, {Title: "old"}, {Title: "new"}, {Title: "delta"},
		{Title: "p", Drop: 2}, {Title: "ratio, 95 %", Drop: 1}}}
	var logs float64
	n := 0
	for _, l := range lines {
		a, b := l.medians()
		t.Rows = append(t.Rows, []string{l.name, amountText(a, unit, l.base), amountText(b, unit, l.other), l.deltaText(), l.pText(), l.ratioText()})
		if a > 0 && b > 0 {
			logs += math.Log(b / a)
			n++
		}
	}
	if n > 1 {
		t.Rows = append(t.Rows, []string{"geomean", "", "", fmt.Sprintf("%+.2f %%", 100*math.Expm1(logs/float64(n))), "", ""})
	}
	return t
}

// amountText writes a median with four digits, a prefix, and the reach of its interval.
func amountText(x float64, unit string, values []float64) string {
	return prefixed(x, unit) + " ± " + reach(sample.QuantileInterval(values, 0.5, 0.95))
}

// reach writes the larger side of an interval in percent of its center, as benchstat does.
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
