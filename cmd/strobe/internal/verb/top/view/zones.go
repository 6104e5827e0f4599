// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/internal/units"
)

// A column of the table of zones.
type column struct {
	layout.Column
	text func(program.Zone) string
	than func(a, b program.Zone) int // orders rows, the greatest first
}

const byShare = 2

var columns = [...]column{
	{layout.Column{Title: "zone", Left: true}, name, func(a, b program.Zone) int { return strings.Compare(a.Name, b.Name) }},
	{layout.Column{Title: "calls/s", Min: 9}, func(z program.Zone) string { return short(z.PerSec) }, func(a, b program.Zone) int { return cmp.Compare(b.PerSec, a.PerSec) }},
	{layout.Column{Title: "share", Min: 8}, func(z program.Zone) string { return percent(z.Share) }, func(a, b program.Zone) int { return cmp.Compare(b.Share, a.Share) }},
	{layout.Column{Title: "self", Min: 8, Drop: 3}, selfText, func(a, b program.Zone) int { return cmp.Compare(self(b), self(a)) }},
	{layout.Column{Title: "per frame", Min: 9, Drop: 2}, func(z program.Zone) string { return orDash(float64(z.PerFrame)) }, func(a, b program.Zone) int { return cmp.Compare(b.PerFrame, a.PerFrame) }},
	{layout.Column{Title: "mean", Min: 9}, func(z program.Zone) string { return orDash(float64(z.Mean)) }, func(a, b program.Zone) int { return cmp.Compare(b.Mean, a.Mean) }},
	{layout.Column{Title: "calls", Min: 10, Drop: 1}, func(z program.Zone) string { return fmt.Sprint(z.Calls) }, func(a, b program.Zone) int { return cmp.Compare(b.Calls, a.Calls) }},
}

// name returns the name of a zone in the table, which is never empty.
func name(z program.Zone) string {
	switch {
	case z.Wait:
		return z.Name + " (wait)"
	case z.Name == "":
		return `""`
	}
	return z.Name
}

func short(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

func selfText(z program.Zone) string {
	if z.Self == nil {
		return "-"
	}
	return percent(*z.Self)
}

// self returns the self time by which rows are ordered; rows with an unknown one come last.
func self(z program.Zone) float64 {
	if z.Self == nil {
		return -1
	}
	return *z.Self
}

// orDash formats a duration, and 0 as a dash.
func orDash(ns float64) string {
	if ns == 0 {
		return "-"
	}
	return units.Duration(ns)
}

// Table returns a table of zones in the order given. A width of 0 means that nothing is cut.
func Table(zones []program.Zone, width int) layout.Table {
	return table(zones, width, longest(zones), -1, false)
}

// longest returns the width of the longest name.
func longest(zones []program.Zone) (n int) {
	for _, z := range zones {
		n = max(n, layout.Width(name(z)))
	}
	return n
}

// table returns a table of some rows. The column of names is as wide as the longest name, if there is room.
func table(rows []program.Zone, width, longest, sorted int, reverse bool) layout.Table {
	const others = 65 // columns, all of them
	wide, least := longest, 15
	if width > 0 {
		wide = max(15, min(width-others, longest))
		least = max(wide, min(width-others, 40))
	}
	t := layout.Table{Cut: true}
	for i, c := range columns {
		if i == 0 {
			c.Min = least
		}
		if i == sorted {
			c.Title += map[bool]string{false: "↓", true: "↑"}[reverse]
		}
		t.Columns = append(t.Columns, c.Column)
	}
	for _, z := range rows {
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = c.text(z)
		}
		row[0] = layout.Tail(row[0], max(wide, least))
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rows returns the zones that are shown, in order.
func (m Model) rows() []program.Zone {
	rows := slices.DeleteFunc(m.shown().Zones(), func(z program.Zone) bool {
		return !m.idle && z.Idle() || m.filter != "" && !contains(z.Name, m.filter)
	})
	slices.SortStableFunc(rows, func(a, b program.Zone) int {
		d := columns[m.column].than(a, b)
		if m.reverse {
			d = -d
		}
		return d
	})
	return rows
}

// at returns the index of the selected zone in rows; -1 if it is not there.
func (m Model) at(rows []program.Zone) int {
	return slices.IndexFunc(rows, func(z program.Zone) bool { return name(z) == m.selected })
}

// zoneLines returns the table: its titles and at most that many rows.
func (m Model) zoneLines(rows []program.Zone, height int) []Line {
	last := min(len(rows), m.first+height)
	some := rows[min(m.first, last):last]
	p := layout.Printer{Width: m.width}
	p.Table(table(some, m.width, longest(m.shown().Zones()), m.column, m.reverse))
	var lines []Line
	for text := range strings.Lines(p.String()) {
		text = strings.TrimSuffix(text, "\n")
		style := Plain
		switch at := len(lines) - 1; {
		case at < 0:
			style = Strong
		case name(some[at]) == m.selected:
			style = Marked
			text += strings.Repeat(" ", max(0, m.width-layout.Width(text)))
		case m.search != "" && contains(some[at].Name, m.search):
			style = Warn
		case some[at].Wait:
			style = Faint
		}
		lines = append(lines, Line{{text, style}})
	}
	return lines
}

func contains(name, text string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(text))
}
