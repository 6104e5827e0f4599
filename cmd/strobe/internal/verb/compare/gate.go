// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/stat"
)

// gated reports whether the gate judges a line: times, bytes and allocations, throughput where there is no time, or what --unit
// names.
func (c *Flags) gated(l *line, all []line) bool {
	switch {
	case len(c.Unit) > 0:
		return l.better != ""
	case l.unit == "B/s":
		return !slices.ContainsFunc(all, func(o line) bool { return o.pkg == l.pkg && o.name == l.name && o.unit == "sec/op" })
	}
	return l.unit == "sec/op" || l.unit == "B/op" || l.unit == "allocs/op"
}

// gate returns nil if none was asked for.
func (c *Flags) gate(lines []line) *gate.Gate {
	if c.Gate == nil {
		return nil
	}
	limit := float64(*c.Gate)
	g := gate.New(limit)
	var looked []line
	for _, l := range lines {
		if c.gated(&l, lines) {
			looked = append(looked, l)
		}
	}
	passed := 0
	for _, l := range looked {
		outcome, reason := l.gate(limit, 1-0.05/float64(len(looked)))
		if outcome == bench.Passed {
			passed++
		} else {
			g.Add(outcome, reason)
		}
	}
	if len(looked) == 0 {
		g.Add(bench.Undecided, "for none of these units it is known whether lower or higher is better")
	} else if passed > 0 {
		g.Add(bench.Passed, fmt.Sprintf("%d of %d are not worse by more than %g %%", passed, len(looked), 100*limit))
	}
	return g
}

// gate judges one line, whose interval has the given level.
func (l *line) gate(limit, level float64) (bench.Outcome, string) {
	what := l.name + " " + l.unit
	a, b := l.medians()
	ratio := stat.Compare(l.base, l.other, level).Ratio
	switch {
	case l.exact || l.steady():
		ratio = stat.Interval{Center: 1, Lo: 1, Hi: 1, Level: level, N: uint64(len(l.base) + len(l.other))}
		if d, ok := l.delta(); ok {
			ratio.Center, ratio.Lo, ratio.Hi = 1+d, 1+d, 1+d
		} else {
			ratio.Level = 0
		}
	}
	if ratio.Level == 0 && (a == 0) != (b == 0) && (l.exact || l.differs()) { // there is no ratio to 0, but a direction
		if (b > a) == (l.better == "lower") {
			return bench.Failed, fmt.Sprintf("%s: from %g to %g", what, a, b)
		}
		return bench.Passed, ""
	}
	if ratio.Level == 0 && len(ratio.Warnings) == 0 {
		ratio.Warnings = []string{"no ratio"}
	}
	if l.better == "higher" && ratio.Level > 0 && ratio.Lo > 0 { // as a cost
		ratio.Center, ratio.Lo, ratio.Hi = 1/ratio.Center, 1/ratio.Hi, 1/ratio.Lo
	}
	outcome, reason := bench.Gate(bench.Comparison{Base: "the first", Other: what, Ratio: ratio}, limit)
	if ratio.Level == 0 {
		reason = fmt.Sprintf("%s: %s; run each more often, -count=10 or more", what, ratio.Warnings[0])
	}
	return outcome, reason
}
