// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
)

// text returns the report as text, with at most that many rows in each table; fewer than 0 is no limit.
func (x *report) text(p *layout.Printer, rows int) {
	if !x.known {
		p.Wrap("strobe:", "nothing is known of what the program did: "+x.whyNothing())
		return
	}
	x.functionTable(p, rows)
	x.waitTable(p, rows)
	x.goroutineTable(p, rows)
	x.slowTable(p, rows)
	p.Printf("\n")
	for _, line := range x.sentences() {
		p.Wrap("strobe:", plain.Text(line))
	}
}

func (x *report) whyNothing() string {
	if x.end.signal != "" {
		return "it was ended by " + x.end.signal + " before it sent anything" + x.end.cause()
	}
	return "it ended before package main was initialised, or closed its connection to strobe, or may not connect to the loopback interface"
}

func (x *report) functionTable(p *layout.Printer, rows int) {
	shown := limit(x.functions, rows)
	if len(shown) == 0 {
		p.Wrap("strobe:", "no function with a zone was called; --zones chooses others")
		return
	}
	t := layout.Table{Columns: []layout.Column{{Title: "function", Left: true}, {Title: "self"}, {Title: "share"}, {Title: "calls"}, {Title: "mean", Drop: 2},
		{Title: "total", Drop: 3}, {Title: "99 %", Drop: 1}, {Title: "", Left: true, Drop: 4}}}
	covered := 0.0
	for _, f := range shown {
		covered += f.share
		t.Rows = append(t.Rows, append([]string{plain.Name(f.zone.Name, plain.Longest), self(f), share(f)}, f.cells()...))
	}
	p.LeftOut(p.Table(t))
	text := fmt.Sprintf("%d of %d functions that were called, with %s of their self time", len(shown), len(x.functions), percent(covered))
	if len(shown) < len(x.functions) {
		text += "; --rows -1 shows all"
	}
	if x.idle > 0 {
		text += fmt.Sprintf("; %d more were not called", x.idle)
	}
	p.Wrap("", text+".")
}

// cells returns what the table of functions has on the right.
func (f function) cells() []string {
	z := f.stats
	mean, quantile, note := "", "", ""
	if ns, ok := z.Mean(); ok {
		mean = units.Duration(ns)
	}
	if d, ok := z.Quantile(0.99); ok {
		quantile = units.Duration(float64(d))
	}
	if z.Timed < z.Calls {
		note = fmt.Sprintf("estimate from %s calls", units.Count(z.Timed))
		switch {
		case f.err >= 1:
			note += ", mean ± 100 % or more"
		case f.err > 0:
			note += fmt.Sprintf(", mean ± %s", percent(f.err))
		}
	}
	if z.Open > 0 {
		note = strings.TrimPrefix(note+fmt.Sprintf(", %d open", z.Open), ", ")
	}
	return []string{units.Count(z.Calls), mean, units.Duration(float64(z.Total)), quantile, note}
}

func self(f function) string {
	if f.stats.SelfUnknown {
		return "unknown"
	}
	return units.Duration(float64(f.stats.Self))
}

func share(f function) string {
	if f.stats.SelfUnknown {
		return ""
	}
	return percent(f.share)
}

func (x *report) waitTable(p *layout.Printer, rows int) {
	shown := limit(x.waits, rows)
	if len(shown) == 0 {
		return
	}
	t := layout.Table{Columns: []layout.Column{{Title: "waiting", Left: true}, {Title: "total"}, {Title: "calls"}, {Title: "mean"}, {Title: "99 %", Drop: 1}, {Title: "", Left: true, Drop: 2}}}
	for _, f := range shown {
		c := f.cells()
		t.Rows = append(t.Rows, []string{plain.Name(f.zone.Name, plain.Longest), c[2], c[0], c[1], c[3], c[4]})
	}
	p.Printf("\n")
	p.LeftOut(p.Table(t))
	if len(shown) < len(x.waits) {
		p.Wrap("", fmt.Sprintf("%d of %d; --rows -1 shows all.", len(shown), len(x.waits)))
	}
}

// mostFunctions is how many functions of a goroutine are shown.
const mostFunctions = 3

// goroutineTable has a line for each function of a goroutine.
func (x *report) goroutineTable(p *layout.Printer, rows int) {
	t := layout.Table{Columns: []layout.Column{{Title: "goroutine", Left: true}, {Title: "function", Left: true}, {Title: "self"}, {Title: "of it"}, {Title: "calls"}}}
	shown, covered, cut := 0, 0.0, false
	for _, g := range x.lanes {
		functions := g.functions
		if rows >= 0 {
			functions = limit(functions, mostFunctions)
		}
		if rows >= 0 && len(t.Rows)+len(functions) > rows && shown > 0 {
			break
		}
		shown, covered, cut = shown+1, covered+g.share, cut || len(functions) < len(g.functions)
		name := plain.Name(g.lane.Name, plain.Longest)
		if g.lane.ID < 0 {
			name = "others"
		}
		for _, f := range functions {
			t.Rows = append(t.Rows, []string{name, plain.Name(f.zone.Name, plain.Longest), self(f), share(f), units.Count(f.stats.Calls)})
			name = ""
		}
	}
	if shown == 0 {
		return
	}
	p.Printf("\n")
	p.LeftOut(p.Table(t))
	text := fmt.Sprintf("%d of %s with %s of the self time", shown, x.goroutines(), percent(covered))
	if cut {
		text += fmt.Sprintf("; the %d functions of each with the most", mostFunctions)
	}
	if cut || shown < len(x.lanes) {
		text += "; --rows -1 shows all"
	}
	p.Wrap("", text+".")
}

// goroutines says how many there were, and how many lanes they had if these are fewer.
func (x *report) goroutines() string {
	lanes, earlier, least := uint64(len(x.lanes)), uint64(0), ""
	for _, g := range x.lanes {
		if earlier += g.lane.Earlier; g.lane.ID < 0 { // the other lanes, of which nothing tells how many they are
			least = "at least "
		}
	}
	if earlier == 0 {
		return least + layout.Plural(lanes, "goroutine")
	}
	return fmt.Sprintf("%s%s, which %s%d goroutines had one after the other (+N stands for the N before the one named),", least, layout.Plural(lanes, "lane"), least, lanes+earlier)
}

// sentences says what the figures rest on.
func (x *report) sentences() (lines []string) {
	s := x.reading.Snapshot
	if x.missing > 0 {
		lines = append(lines, fmt.Sprintf("these are the figures of %s before the end, since %s", units.Duration(float64(x.missing.Round(time.Millisecond))), x.whyMissing()))
	}
	if x.deadlocked() {
		lines = append(lines, "the program ended because all of its goroutines waited for each other: the runtime said above where")
	}
	slow := x.slow.String()
	if x.reading.Opened {
		slow += "; the live page, which was opened, took more"
	}
	lines = append(append(lines, slow), x.aboutSlow()...)
	if n := len(x.reading.Sampled); n > 0 {
		var named []string
		for _, z := range limit(x.reading.Sampled, mostNamed) {
			if z.Zone >= 0 && z.Zone < len(s.Zones) {
				named = append(named, fmt.Sprintf("%s 1 in %d (measuring took %s of %s)", s.Zones[z.Zone].Name, z.Every, percent(z.Share), z.Of))
			}
		}
		lines = append(lines, "sampled for their cost: "+strings.Join(named, ", ")+more(n-len(named))+"; all calls are counted, and times are estimated, as are the self times of their callers")
	}
	if n := len(x.tooCostly); n > 0 {
		lines = append(lines, fmt.Sprintf("the next run leaves out %s, which slowed this one: %s; --all-functions keeps them", layout.Plural(uint64(n), "zone"), program.Costly(x.tooCostly)))
	}
	if s.Uncertainty > 0 {
		lines = append(lines, fmt.Sprintf("a mean may be off by %s, whatever the number of calls; times include waiting", units.Duration(float64(s.Uncertainty))))
	}
	return append(lines, s.Notes...)
}

func (x *report) whyMissing() string {
	if x.end.signal != "" {
		return x.end.signal + " ended the program" + x.end.cause()
	}
	if x.reading.Asleep {
		return "all goroutines waited for each other then"
	}
	return "it did not end by os.Exit or by returning from main"
}

// String says by how much the program was slowed, and how that is known.
func (d slowdown) String() string {
	switch {
	case d.processor == 0:
		return "by how much measuring slowed the program is not known: this system does not tell its processor time"
	case !d.known && d.processor >= leastProcessor:
		return fmt.Sprintf("by how much measuring slowed the program is not known: at what a call costs in a loop, its calls would have taken all of the %s of processor time that it used; on a busy machine, that cost is measured too high",
			units.Duration(float64(d.processor)))
	case !d.known:
		return fmt.Sprintf("by how much measuring slowed the program is not known: it used only %s of processor time", units.Duration(float64(d.processor)))
	}
	of := "the process"
	if d.children {
		of += " and its children"
	}
	by := percent(d.least) + " or more"
	if !math.IsInf(d.most, 1) {
		by = percent(d.least) + " to " + percent(d.most)
	}
	each := func(of time.Duration) string { return units.Duration(float64(of) / float64(max(d.calls, 1))) }
	return fmt.Sprintf("measuring slowed the program by %s: %s calls took %s to %s longer on average, and %s used %s of processor time; readings beside the program took %s",
		by, units.Count(d.calls), each(d.from), each(d.to), of, units.Duration(float64(d.processor)), units.Duration(float64(d.readings)))
}
