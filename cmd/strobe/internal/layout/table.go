// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"slices"
	"strings"
)

// A Column is one of a table.
type Column struct {
	Title string
	Left  bool // aligned to the left, as words are
	Drop  int  // when it is left out if the terminal is too narrow: 1 first; 0 means never
	Min   int  // least width, so that tables printed one after the other have the same
}

// A Table is rows of cells, one a column.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// gap is between columns.
const gap = 2

// Table prints a table with its titles in bold, and returns the titles of the columns that it left out. Where the terminal is
// too narrow for the columns that are never left out, the first is cut.
func (p *Printer) Table(t Table) (dropped []string) {
	widths := t.widths()
	kept := make([]int, len(t.Columns))
	for i := range kept {
		kept[i] = i
	}
	for p.Width > 0 && total(widths, kept) > p.Width {
		next := -1
		for k, i := range kept {
			if d := t.Columns[i].Drop; d > 0 && (next < 0 || d < t.Columns[kept[next]].Drop) {
				next = k
			}
		}
		if next < 0 {
			break
		}
		dropped = append(dropped, t.Columns[kept[next]].Title)
		kept = slices.Delete(kept, next, next+1)
	}
	if over := total(widths, kept) - p.Width; p.Width > 0 && over > 0 {
		widths[0] = max(8, widths[0]-over)
	}
	p.WriteString(p.Bold(t.line(widths, kept, func(i int) string { return t.Columns[i].Title })) + "\n")
	for _, row := range t.Rows {
		p.WriteString(t.line(widths, kept, func(i int) string { return row[i] }) + "\n")
	}
	return dropped
}

// LeftOut prints which columns tables left out, if any.
func (p *Printer) LeftOut(dropped []string) {
	var names []string
	for _, name := range dropped {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.Wrap("", "Omitted because the terminal is narrow: "+strings.Join(names, ", ")+".")
	}
}

func (t Table) widths() []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = max(c.Min, Width(c.Title))
		for _, row := range t.Rows {
			widths[i] = max(widths[i], Width(row[i]))
		}
	}
	return widths
}

// Width returns how many columns of a terminal the table takes if none of its own is left out.
func (t Table) Width() int {
	all := make([]int, len(t.Columns))
	for i := range all {
		all[i] = i
	}
	return total(t.widths(), all)
}

func total(widths, kept []int) int {
	sum := gap * (len(kept) - 1)
	for _, i := range kept {
		sum += widths[i]
	}
	return sum
}

func (t Table) line(widths, kept []int, cell func(int) string) string {
	var b strings.Builder
	for k, i := range kept {
		text := cell(i)
		if Width(text) > widths[i] {
			text = Tail(text, widths[i])
		}
		blank := strings.Repeat(" ", widths[i]-Width(text))
		if k > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		if t.Columns[i].Left {
			b.WriteString(text + blank)
		} else {
			b.WriteString(blank + text)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
