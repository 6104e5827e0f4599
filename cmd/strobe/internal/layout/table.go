// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"slices"
	"strings"
)

// A Column is a column of a table.
type Column struct {
	Title string
	Left  bool // aligned to the left, as words are
	Drop  int  // order in which columns are left out if the terminal is too narrow: 1 first; 0 means never
	Min   int  // minimum width, so that successive tables have the same
}

// A Table has rows of cells, one per column.
type Table struct {
	Columns []Column
	Rows    [][]string
	Cut     bool // a first cell that is too long is cut at its beginning; otherwise it takes several lines
}

// gap is between columns.
const gap = 2

// Table prints a table with bold titles, and returns the titles of the columns that it left out. If the terminal is too narrow,
// Table breaks the texts of the first column at blanks and slashes, then leaves out columns, and then makes the first column as
// narrow as necessary, down to 8.
func (p *Printer) Table(t Table) (dropped []string) {
	widths := t.widths()
	kept := make([]int, len(t.Columns))
	for i := range kept {
		kept[i] = i
	}
	full := widths[0]
	if p.Width > 0 && !t.Cut {
		widths[0] = min(full, max(t.least(), full+p.Width-total(widths, kept)))
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
	if p.Width > 0 {
		widths[0] = min(full, max(8, widths[0]+p.Width-total(widths, kept)))
	}
	for _, line := range t.lines(widths, kept, func(i int) string { return t.Columns[i].Title }) {
		p.WriteString(p.Bold(line) + "\n")
	}
	for _, row := range t.Rows {
		for _, line := range t.lines(widths, kept, func(i int) string { return row[i] }) {
			p.WriteString(line + "\n")
		}
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

// readable is the width that the first column keeps while other columns can be left out.
const readable = 24

// least returns the width of the first column below which other columns are left out.
func (t Table) least() int {
	n := max(t.Columns[0].Min, readable, unbroken(t.Columns[0].Title))
	for _, row := range t.Rows {
		n = max(n, unbroken(row[0]))
	}
	return n
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

// lines returns a row. If its first cell takes several lines, the other cells are on the last one.
func (t Table) lines(widths, kept []int, cell func(int) string) []string {
	first := []string{Tail(cell(kept[0]), widths[kept[0]])}
	if !t.Cut {
		first = broken(cell(kept[0]), widths[kept[0]])
	}
	last := len(first) - 1
	var b strings.Builder
	for k, i := range kept {
		text := cell(i)
		if k == 0 {
			text = first[last]
		} else {
			b.WriteString(strings.Repeat(" ", gap))
		}
		blank := strings.Repeat(" ", max(0, widths[i]-Width(text)))
		if t.Columns[i].Left {
			b.WriteString(text + blank)
		} else {
			b.WriteString(blank + text)
		}
	}
	return append(first[:last], strings.TrimRight(b.String(), " "))
}
