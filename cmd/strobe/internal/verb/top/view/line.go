// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// A Style is how a text looks. Without colours only Strong and Marked differ from Plain.
type Style uint8

// The styles.
const (
	Plain  Style = iota
	Faint        // constant texts
	Strong       // titles
	Good         // within the budget
	Warn         // over the budget, a state to notice
	Bad          // far over the budget, no connection
	Marked       // the selected row
)

// A Span is text in one style.
type Span struct {
	Text  string
	Style Style
}

// A Line is one line of the screen.
type Line []Span

// String returns the text of a line, without blanks at its end.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

func (l Line) width() int {
	n := 0
	for _, s := range l {
		n += layout.Width(s.Text)
	}
	return n
}

// cut returns the first columns of a line.
func (l Line) cut(width int) Line {
	for i, s := range l {
		n := layout.Width(s.Text)
		if n > width {
			return append(l[:i:i], Span{layout.Cut(s.Text, width), s.Style})
		}
		width -= n
	}
	return l
}

// ends returns a line of that width with one text at its left and one at its right. The left one is cut if necessary.
func ends(width int, left Line, right Span) Line {
	n := layout.Width(right.Text)
	if n+2 > width {
		return left.cut(width)
	}
	left = left.cut(width - n - 1)
	return append(left[:len(left):len(left)], Span{Text: strings.Repeat(" ", width-n-left.width())}, right)
}

// fit joins as many parts as there is room for, but at least the first. A width of 0 means unlimited.
func fit(width int, separator string, parts ...string) string {
	text := parts[0]
	for _, part := range parts[1:] {
		if part == "" {
			continue
		}
		longer := text + separator + part
		if width > 0 && layout.Width(longer) > width {
			break
		}
		text = longer
	}
	return text
}
