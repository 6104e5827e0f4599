// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
)

// Text writes reports as text for people. The zero value is ready to use; reports of one sequence belong to one Text.
type Text struct {
	lane, zone int // widths of the columns, which only grow
	lines      int // since the header
	notes      string
}

// The maximum width of a column of names, and the number of lines from one header to the next.
const (
	widest  = 40
	deepest = 16 // levels that are indented
	page    = 40
)

// Append appends a report made at the time now.
func (t *Text) Append(b []byte, now time.Time, r *Report) []byte {
	at := now.Format("15:04:05")
	wider := t.widen(r)
	header := wider || t.lines == 0 || t.lines+len(r.Rows) > page
	if header {
		b = t.header(b, r)
		t.lines = 0
	}
	t.lines += len(r.Rows) + 1
	for i := range r.Rows {
		b = t.row(b, at, r, &r.Rows[i])
	}
	served := r.Served()
	for i := range served {
		b = fmt.Appendf(b, "%s  %s%s\n", at, unitText(r.Zones[served[i].Zone].Name, &served[i]), r.did(served[i].Zone))
	}
	t.lines += len(served)
	say := func(text string) { b = fmt.Appendf(b, "%s  strobe: %s\n", at, text) }
	if r.Lanes > 1 {
		say(fmt.Sprintf("rows are sums over %d lanes; set ReportOptions.Lanes to show each", r.Lanes))
	}
	if r.Left > 0 {
		with := fmt.Sprintf("with %.2f ms of self time", ms(r.LeftSelf))
		if r.LeftUnknown {
			with = "some with unknown self times"
		}
		say(fmt.Sprintf("%d more rows, %s; ReportOptions.Rows sets how many are shown", r.Left, with))
	}
	if len(r.Silent) > 0 {
		say("no more spans on " + list(r.Silent))
	}
	say(overhead(r))
	for _, w := range r.Warnings {
		say(w)
	}
	if notes := strings.Join(r.Notes, "\n"); header || notes != t.notes {
		t.notes = notes
		for _, n := range r.Notes {
			say(n)
		}
	}
	return b
}

// widen widens the columns for the names of the report and reports whether that was needed.
func (t *Text) widen(r *Report) (wider bool) {
	lane, zone := t.lane, max(t.zone, len("zone"))
	for i := range r.Rows {
		zone = max(zone, utf8.RuneCountInString(zoneText(&r.Rows[i])))
		if r.Lanes == 0 {
			lane = max(lane, len("lane"), min(widest, utf8.RuneCountInString(r.Rows[i].Lane.Name)))
		}
	}
	wider = lane != t.lane || zone != t.zone
	t.lane, t.zone = lane, zone
	return wider
}

func (t *Text) header(b []byte, r *Report) []byte {
	b = fmt.Appendf(b, "%-8s  %s%-*s  %9s  %6s  %9s  %9s  %9s", "time", t.laneText(r, "lane"), t.zone, "zone", "ms in", "of ms", "share", "calls", "self ms")
	if !r.Tree {
		b = fmt.Appendf(b, "  %-26s  %9s", "mean of a call ± 95 %", "p99")
	}
	return append(b, '\n')
}

// laneText returns the cell of the column of lanes, if there is one.
func (t *Text) laneText(r *Report, name string) string {
	if t.lane == 0 {
		return ""
	}
	if r.Lanes > 0 {
		name = ""
	}
	return fmt.Sprintf("%-*s  ", t.lane, plain.Name(name, widest))
}

func (t *Text) row(b []byte, at string, r *Report, row *Row) []byte {
	self := fmt.Sprintf("%.2f", ms(row.Stats.Self))
	if row.Stats.SelfUnknown {
		self = "-"
	}
	b = fmt.Appendf(b, "%s  %s%-*s  %9.2f  %6.0f  %7.1f %%  %9d  %9s", at, t.laneText(r, row.Lane.Name), t.zone, zoneText(row), ms(row.Stats.Total),
		ms(r.Elapsed), 100*row.Share, row.Stats.Calls, self)
	if !r.Tree {
		p99 := "-"
		if d, ok := row.Stats.Quantile(0.99); ok {
			p99 = units.Duration(float64(d))
		}
		b = fmt.Appendf(b, "  %-26s  %9s", meanText(row), p99)
	}
	for _, mark := range marks(row) {
		b = append(append(b, "  "...), mark...)
	}
	return append(b, '\n')
}

func zoneText(row *Row) string {
	name := plain.Name(row.Zone.Name, widest)
	if row.Zone.Wait {
		name += " (wait)"
	}
	depth := len(row.Path) - 1
	if depth > deepest {
		name = "[" + strconv.Itoa(depth) + "] " + name
	}
	return strings.Repeat("  ", max(0, min(depth, deepest))) + name
}

func meanText(row *Row) string {
	if !row.Mean.Known() {
		return "-"
	}
	per, unit := units.Scale(row.Mean.Center)
	if !row.Mean.Bounded() {
		return units.Duration(row.Mean.Center)
	}
	return row.Mean.In(per, unit)
}

// marks returns the marks at the end of a row.
func marks(row *Row) (out []string) {
	if n := row.Stats.Open; n > 1 {
		out = append(out, strconv.Itoa(n)+" open")
	} else if n == 1 {
		out = append(out, "open")
	}
	switch {
	case row.Stats.Timed >= row.Stats.Calls:
	case row.Path != nil:
		out = append(out, fmt.Sprintf("estimate: %d calls timed, which ms in is of", row.Stats.Timed))
	default:
		text := fmt.Sprintf("estimate: %d calls timed", row.Stats.Timed)
		if row.Error > 0 {
			text += fmt.Sprintf(", times ± %.2g %%", 100*row.Error)
		}
		out = append(out, text)
	}
	return out
}

func overhead(r *Report) string {
	text := "a span costs " + units.Duration(r.Cost) + ", with a systematic error of up to " + units.Duration(float64(r.Uncertainty)) + "; measuring took "
	if r.Probe < 0.0001 {
		return text + "less than 0.01 % of any lane's time"
	}
	return text + fmt.Sprintf("%.2f %% of the time of %s, less on other lanes", 100*r.Probe, plain.Name(r.ProbeLane, widest))
}

// list names a few and counts the others.
func list(names []string) string {
	const few = 5
	var short []string
	for _, n := range names[:min(few, len(names))] {
		short = append(short, plain.Name(n, widest))
	}
	text := strings.Join(short, ", ")
	if more := len(names) - few; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
