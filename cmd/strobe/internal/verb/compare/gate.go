// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A label is a row of a table, with something about it: a unit or a column.
type label struct{ table, name, what string }

// labels has the units and the columns in which lines compare each row.
func labels(lines []line) (units, columns map[label]bool) {
	units, columns = map[label]bool{}, map[label]bool{}
	for i := range lines {
		l := &lines[i]
		units[label{l.table, l.name, l.unit}] = true
		columns[label{l.table, l.name, l.column}] = true
	}
	return units, columns
}

// gated reports whether the gate judges a row. It judges units with a known better direction, but throughput, the inverse of
// time, only if no time was measured.
func (c *Flags) gated(r *row, better string, units map[label]bool) bool {
	if r.unit == "B/s" && len(c.Unit) == 0 {
		return !units[label{r.table, r.name, "sec/op"}]
	}
	return better != ""
}

// gate returns nil without --gate. base has the failures of the base. Lines that cannot differ take no share of the error.
func (c *Flags) gate(lines []line, alone []absence, base []string) *gate.Gate {
	if c.Gate == nil {
		return nil
	}
	limit := float64(*c.Gate)
	g := gate.New(limit)
	units, columns := labels(lines)
	var open []line
	passed, looked := 0, 0
	for i := range lines {
		l := &lines[i]
		switch {
		case !c.gated(&l.row, l.better, units):
			continue
		case !l.fixed():
			open = append(open, *l)
		default:
			outcome, reason := l.judgeExact(limit)
			if outcome == decide.Passed {
				passed++
			} else {
				g.Add(outcome, reason)
			}
		}
		looked++
	}
	passed += g.Judge(len(open), float64(c.Level), func(i int, error float64) (decide.Outcome, string) { return open[i].judge(limit, error) })
	c.gateAbsent(g, units, columns, alone)
	if len(base) > 0 {
		g.Add(decide.Undecided, "the base may lack some benchmarks: "+base[0])
	}
	if looked == 0 {
		g.Add(decide.Undecided, "no unit is known to be better when lower or when higher")
	} else if passed > 0 {
		g.Add(decide.Passed, fmt.Sprintf("%d of %d are not worse by more than %g %%", passed, looked, 100*limit))
	}
	return g
}

// gateAbsent leaves the gate undecided if a column lacks what the base has, in a unit that the gate would have judged.
func (c *Flags) gateAbsent(g *gate.Gate, units, columns map[label]bool, alone []absence) {
	lost, named := map[string][]string{}, map[[2]string]bool{}
	var order []string
	for _, a := range alone {
		if len(a.values[0]) == 0 || !c.gated(&a.row, a.better, units) { // new results are no loss
			continue
		}
		name := strings.TrimSpace(a.table + " " + a.name)
		if columns[label{a.table, a.name, a.lacks}] {
			name += " " + a.unit // the benchmark is there, this unit is not
		}
		if lost[a.lacks] == nil {
			order = append(order, a.lacks)
		}
		if !named[[2]string{a.lacks, name}] {
			named[[2]string{a.lacks, name}] = true
			lost[a.lacks] = append(lost[a.lacks], name)
		}
	}
	for _, column := range order {
		names := lost[column]
		text := strings.Join(names[:min(len(names), 5)], ", ")
		if more := len(names) - 5; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		g.Add(decide.Undecided, fmt.Sprintf("missing in %s: %s", column, text))
	}
}

func (l *line) what() string {
	text := strings.TrimSpace(l.name + " " + l.unit)
	if l.several {
		text += " in " + l.column
	}
	return text
}

// judgeExact judges a fixed line. One value on each side suffices.
func (l *line) judgeExact(limit float64) (decide.Outcome, string) {
	a, b := l.medians()
	worse := b - a
	if l.better == "higher" {
		worse = -worse
	}
	allowed := limit * math.Abs(a)
	if l.better == "higher" { // a cost of limit more is 1/(1+limit) of the benefit
		allowed = limit / (1 + limit) * math.Abs(a)
	}
	text := fmt.Sprintf("%s: from %g to %g", l.what(), a, b)
	if d, ok := l.delta(); ok {
		text += fmt.Sprintf(", %+.3g %%", 100*d)
	}
	if worse > allowed {
		return decide.Failed, text
	}
	return decide.Passed, text
}

// judge judges a line, with this error on each side.
func (l *line) judge(limit, error float64) (decide.Outcome, string) {
	c := stat.Compare(l.base, l.other, 1-2*error)
	a, b := l.medians()
	switch {
	case c.Ratio.Bounded():
		ratio := c.Ratio
		if l.better == "higher" { // converted to a cost
			ratio.Center, ratio.Lo, ratio.Hi = 1/ratio.Center, 1/ratio.Hi, 1/ratio.Lo
		}
		return bench.Gate(bench.Comparison{Base: "the first", Other: l.what(), Ratio: ratio, Apart: true}, limit)
	case c.Difference.Bounded(): // the base is 0: there is a difference but no ratio
		lo, hi := c.Difference.Lo, c.Difference.Hi
		if l.better == "higher" {
			lo, hi = -hi, -lo
		}
		text := fmt.Sprintf("%s: from %g to %g", l.what(), a, b)
		switch allowed := limit * math.Abs(a); {
		case lo > allowed:
			return decide.Failed, text
		case hi <= allowed:
			return decide.Passed, text
		}
		return decide.Undecided, fmt.Sprintf("%s, a difference between %g and %g", text, lo, hi)
	}
	return decide.Undecided, fmt.Sprintf("%s: %s; run each more often, -count=10 or more", l.what(), c.Ratio.Reason)
}
