// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

type compareCmd struct {
	Old string `arg:"" name:"OLD" help:"The base: Go benchmark text, or what strobe bench --export json or --json wrote; - is standard input."`
	New string `arg:"" name:"NEW" help:"What is judged."`

	Gate *share   `placeholder:"5%" help:"Exit 1 if something is worse by more, 3 if that is unclear."`
	Unit []string `sep:"none" placeholder:"UNIT" help:"Compare this unit alone, such as sec/op or allocs/op."`
}

// Help is the longer part of strobe compare --help.
func (compareCmd) Help() string {
	return `
A file named - is the standard input, such as what go test -bench writes into a pipe.

Medians with 95 % intervals, and the p-value of the Mann-Whitney test, as benchstat has
them. A difference stands where p is below 0.05, else ~. The ratio is that of Hodges and
Lehmann with a 95 % interval.

The gate looks at time, bytes and allocations, each with an interval so wide that all of
them together are wrong in one run of twenty at most. It wants 10 runs: -count=10.
Results of two machines, or of one machine on two days, differ for other reasons than
the code: measure both now, best in turn.
`
}

// A line is one benchmark in one unit, in both files.
type line struct {
	pkg, name, unit string
	base, other     []float64
	better          string // lower, higher, or empty: not known
	exact           bool   // does not vary: there is nothing to test

	level stat.Comparison // at 95 %
}

// Run is called by the parser.
func (c *compareCmd) Run(s *session) error {
	if c.Old == "-" && c.New == "-" {
		return errors.New("both are standard input: give one of them as a file")
	}
	base, err := readMeasured(s, c.Old)
	if err != nil {
		return err
	}
	other, err := readMeasured(s, c.New)
	if err != nil {
		return err
	}
	lines, alone := match(base, other, c.Unit)
	if len(lines) == 0 {
		return fmt.Errorf("%s and %s have no benchmark in common%s", c.Old, c.New, wanted(c.Unit))
	}
	for _, key := range []string{"cpu", "goos", "goarch"} {
		if a, b := base.config[key], other.config[key]; a != b && a != "" && b != "" {
			s.warn("%s differs, %q and %q: the machine may be the difference", key, a, b)
		}
	}
	for i := range lines {
		lines[i].compare()
	}
	g := c.gate(lines)
	if s.json {
		err = writeJSON(s.out, compareJSON(c, lines, alone, g))
	} else {
		err = writeCompared(s, c, lines, alone, g)
	}
	if err != nil {
		return err
	}
	return g.verdict()
}

func wanted(unit []string) string {
	if len(unit) == 0 {
		return ""
	}
	return fmt.Sprintf(" in %q", unit)
}

// match pairs the results of two files by package, name and unit, in the order of the first. alone are the names that are in one file only.
func match(base, other *measured, units []string) (lines []line, alone []string) {
	for _, k := range base.order {
		if len(units) > 0 && !slices.Contains(units, k.unit) {
			continue
		}
		b, ok := other.values[k]
		if !ok {
			alone = append(alone, "only in the first: "+k.String())
			continue
		}
		u := base.units[k.unit]
		for _, v := range []benchtext.Unit{other.units[k.unit], usualUnit(k.unit)} {
			if u.Better == "" {
				u.Better = v.Better
			}
			u.Exact = u.Exact || v.Exact
		}
		lines = append(lines, line{pkg: k.pkg, name: k.name, unit: k.unit, base: base.values[k], other: b, better: u.Better, exact: u.Exact})
	}
	for _, k := range other.order {
		if _, ok := base.values[k]; !ok && (len(units) == 0 || slices.Contains(units, k.unit)) {
			alone = append(alone, "only in the second: "+k.String())
		}
	}
	return lines, alone
}

// usualUnit says what is better of the units of package testing.
func usualUnit(unit string) benchtext.Unit {
	switch unit {
	case "sec/op", "B/op", "allocs/op":
		return benchtext.Unit{Better: "lower"}
	case "B/s":
		return benchtext.Unit{Better: "higher"}
	}
	return benchtext.Unit{}
}

func (l *line) compare() { l.level = stat.Compare(l.base, l.other, 0.95) }

// medians returns those of both sides.
func (l *line) medians() (base, other float64) {
	return middle(l.base), middle(l.other)
}

func middle(x []float64) float64 { return sample.Quantile(slices.Sorted(slices.Values(x)), 0.5) }

// delta returns by which share the median changed. ok is false where there is none: from zero to something else.
func (l *line) delta() (d float64, ok bool) {
	a, b := l.medians()
	switch {
	case a == b:
		return 0, true
	case a == 0:
		return 0, false
	}
	d = b/a - 1
	return d, !math.IsInf(d, 0)
}

// differs reports whether a difference is shown.
func (l *line) differs() bool {
	if l.exact {
		a, b := l.medians()
		return a != b
	}
	return l.level.Verdict == "higher" || l.level.Verdict == "lower"
}

// verdict is what JSON has: faster and slower for times, lower and higher for the rest.
func (l *line) verdict() string {
	if !l.differs() {
		if r := l.level.Ratio; r.Level > 0 && r.Lo >= 1/1.01 && r.Hi <= 1.01 || l.steady() {
			return string(bench.Same)
		}
		return string(bench.Inconclusive)
	}
	a, b := l.medians()
	up := b > a || b == a && l.level.Verdict == "higher"
	switch {
	case l.unit == "sec/op" && up:
		return string(bench.Slower)
	case l.unit == "sec/op":
		return string(bench.Faster)
	case up:
		return "higher"
	}
	return "lower"
}

// steady reports whether all values of both sides are one.
func (l *line) steady() bool {
	all := append(slices.Clone(l.base), l.other...)
	return slices.Min(all) == slices.Max(all)
}
