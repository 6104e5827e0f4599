// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
)

// slowTable has a line for each kind, and below it the sentences of the first ones.
func (x *report) slowTable(p *layout.Printer, rows int) {
	kinds := x.slowUnits.kinds
	if len(kinds) == 0 {
		return
	}
	t := layout.Table{Columns: []layout.Column{{Title: "slow unit", Left: true}, {Title: "cause", Left: true}, {Title: "explained"}, {Title: "beyond usual"}, {Title: "longest"}, {Title: "usual", Drop: 1}}}
	explained := 0
	for _, k := range kinds {
		explained += k.explained
	}
	shown := limit(kinds, rows)
	for _, k := range shown {
		t.Rows = append(t.Rows, []string{plain.Name(k.root, plain.Longest), plain.Name(k.cause, plain.Longest), units.Count(uint64(k.explained)),
			known(k.lost), units.Duration(float64(k.longest.Took)), known(k.longest.Usual)})
	}
	p.Printf("\n")
	p.LeftOut(p.Table(t))
	if len(shown) < len(kinds) {
		p.Wrap("", fmt.Sprintf("%d of %d; --rows -1 shows all.", len(shown), len(kinds)))
	}
	for _, k := range limit(kinds, mostNamed) {
		p.Printf("\n")
		p.Wrap("", plain.Text(k.longest.Sentence)+".")
		if k.longest.Next != "" {
			p.Wrap("", "Next: "+plain.Text(k.longest.Next)+".")
		}
	}
	p.Printf("\n")
	p.Wrap("", fmt.Sprintf("%d of %s explained; strobe capture %s shows them, with the evidence.", explained, wereSlow(max(x.slowUnits.all, uint64(explained))), x.slowUnits.folder))
}

// known writes a duration that is 0 if it is unknown.
func known(d time.Duration) string {
	if d == 0 {
		return "unknown"
	}
	return units.Duration(float64(d))
}

func wereSlow(n uint64) string {
	if n == 1 {
		return "1 slow unit was"
	}
	return units.Count(n) + " slow units were"
}

// aboutSlow says what the explanations of slow units rest on, or why there are none.
func (x *report) aboutSlow() (lines []string) {
	switch u := x.slowUnits; {
	case u.folder == "":
		if text := x.longest(); text != "" {
			return []string{text + ": --capture DIR says why"}
		}
		return nil
	case len(u.kinds) > 0:
		if len(u.degrees) > 0 {
			lines = append(lines, "slow units were explained with fewer sources: "+strings.Join(u.degrees, "; "))
		}
	case x.longest() != "":
		lines = append(lines, x.longest()+", and no slow unit was explained: it may have come before it was known what is usual, or while the flight recorder rested")
	default:
		lines = append(lines, "no slow unit was explained: one must take 1.5 times the median of more than 16 before it, and 1 ms longer; "+x.mostCalled())
	}
	if share := x.slowUnits.watching; share > 0 {
		lines = append(lines, fmt.Sprintf("looking for slow units and explaining them took %s of a processor on top of that, not counting the recording of calls", percent(share)))
	}
	return lines
}

// mostCalled names the unit that was called most.
func (x *report) mostCalled() string {
	var most function
	for _, f := range x.functions {
		if f.zone.Root && f.stats.Calls >= most.stats.Calls {
			most = f
		}
	}
	switch {
	case !most.zone.Root:
		return "none of the functions that were called is a unit; --units names some"
	case most.stats.Calls == 0:
		return "no call of a unit had ended"
	}
	return fmt.Sprintf("the unit called most, %s, was called %s", most.zone.Name, layout.Plural(most.stats.Calls, "time"))
}

// longest names the unit of which a call took so much longer than usual that capture calls it slow, the longest one; "" if there is none.
func (x *report) longest() string {
	var worst function
	median := time.Duration(0)
	for _, f := range x.functions {
		usual, ok := f.stats.Quantile(0.5)
		if ok && f.zone.Root && f.stats.Timed > leastUsual && f.stats.Max > max(usual*3/2, usual+time.Millisecond) && f.stats.Max > worst.stats.Max {
			worst, median = f, usual
		}
	}
	if worst.stats.Max == 0 {
		return ""
	}
	return fmt.Sprintf("%s took up to %s, with a median of %s", worst.zone.Name, units.Duration(float64(worst.stats.Max)), units.Duration(float64(median)))
}

const leastUsual = 16 // units after which it is known what is usual
