// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// A side is one column of figures: those of a capture or of a group.
type side struct {
	titles []string // the lines above the figures
	cells  []figure
}

// A figure is a value with its interval or bound.
type figure struct{ value, bounds string }

// titleWidth is the width at which titles are cut, unless the figures below them are wider.
const titleWidth = 27

// besides prints tables of two sides each, one below the other, so that no number is cut. If two sides do not fit the terminal,
// each has its own table; if one does not fit either, intervals are left out. names has the names of the lines: of the titles
// from the second on, and of all figures.
func besides(p *layout.Printer, names []string, sides []side) {
	together, bounds := 2, true
	fits := func() bool {
		for from := 0; from < len(sides); from += together {
			if p.Width > 0 && sidesTable(names, sides[from:min(from+together, len(sides))], bounds).Width() > p.Width {
				return false
			}
		}
		return true
	}
	if !fits() {
		together = 1
	}
	bounds = fits()
	if together == 1 && len(sides) > 1 {
		p.WriteByte('\n')
		p.Wrap("", "The terminal is narrow: tables follow one below the other, in the order given.")
	}
	for from := 0; from < len(sides); from += together {
		p.WriteByte('\n')
		p.Table(sidesTable(names, sides[from:min(from+together, len(sides))], bounds))
	}
	if !bounds {
		p.WriteByte('\n')
		p.LeftOut([]string{"interval"})
	}
}

func sidesTable(names []string, sides []side, bounds bool) layout.Table {
	t := layout.Table{Columns: []layout.Column{{Left: true, Min: 20}}}
	for _, name := range names {
		t.Rows = append(t.Rows, []string{name})
	}
	for _, s := range sides {
		texts, widest := make([]string, len(s.cells)), 0
		for i, c := range s.cells {
			texts[i] = c.value
			if bounds && c.bounds != "" {
				texts[i] += "  " + c.bounds
			}
			widest = max(widest, utf8.RuneCountInString(texts[i]))
		}
		room := titleWidth
		if !bounds {
			room = min(room, max(12, widest))
		}
		room = max(room, widest)
		t.Columns = append(t.Columns, layout.Column{Title: layout.Tail(s.titles[0], room), Left: true})
		for i, title := range s.titles[1:] {
			t.Rows[i] = append(t.Rows[i], layout.Tail(title, room))
		}
		for i, text := range texts {
			row := len(s.titles) - 1 + i
			t.Rows[row] = append(t.Rows[row], text)
		}
	}
	return t
}
