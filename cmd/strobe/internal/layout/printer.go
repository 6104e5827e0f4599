// SPDX-License-Identifier: BSD-3-Clause

// Package layout formats the text output of the verbs.
package layout

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/strobe-go/strobe/internal/plain"
)

// Columns is the width of prose, of help, and of text that does not go to a terminal.
const Columns = 80

// A Printer collects text for people. The zero value prints without colours and leaves nothing out.
type Printer struct {
	bytes.Buffer
	Color bool // the terminal wants colours
	Width int  // columns of the terminal; 0 means no terminal, so that tables keep all columns
}

// Printf appends formatted text.
func (p *Printer) Printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// Bold returns text in bold.
func (p *Printer) Bold(text string) string { return p.paint("\x1b[1m", text) }

// Yellow returns text in yellow.
func (p *Printer) Yellow(text string) string { return p.paint("\x1b[33m", text) }

func (p *Printer) paint(code, text string) string {
	if !p.Color {
		return text
	}
	return code + text + "\x1b[0m"
}

// Title prints text in bold, wrapped to the terminal.
func (p *Printer) Title(text string) {
	width := p.Width
	if width == 0 {
		width = Width(text)
	}
	for _, line := range broken(text, width) {
		p.WriteString(p.Bold(line) + "\n")
	}
}

// Note prints a sentence that qualifies a result.
func (p *Printer) Note(text string) { p.wrap("Note:", p.Yellow("Note:"), text+".") }

// Wrap prints text after a mark, in lines of at most [Columns] or the width of the terminal. Continuation lines are indented by
// the width of the mark.
func (p *Printer) Wrap(mark, text string) { p.wrap(mark, mark, text) }

func (p *Printer) wrap(mark, painted, text string) {
	columns := Columns
	if p.Width > 0 {
		columns = min(p.Width, Columns)
	}
	indent := 0
	if mark != "" {
		indent = Width(mark) + 1
		p.WriteString(painted + " ")
	}
	Words(p, text, indent, indent, columns)
	p.WriteByte('\n')
}

// Words writes the words of a text in lines of the given columns. The first line has at columns already; the lines that Words
// begins are indented. It returns the columns of the last line. It writes no blank before the first word unless at is beyond
// indent.
func Words(w io.StringWriter, text string, at, indent, columns int) int {
	for word := range strings.FieldsSeq(text) {
		n := Width(word)
		if at > indent && at+1+n > columns {
			w.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		}
		if at > indent {
			w.WriteString(" ")
			at++
		}
		w.WriteString(word)
		at += n
	}
	return at
}

// hanging indents all lines of a broken text but the first.
const hanging = "  "

// broken breaks a text into lines of at most width columns: between words, and in words that are too long for a line after '/',
// which paths and names of benchmarks contain. What cannot be broken is shortened in the middle.
func broken(text string, width int) []string {
	if Width(text) <= width {
		return []string{text}
	}
	text = plain.Text(text)
	var lines []string
	line := ""
	add := func(blank, part string) {
		if line != "" && line != hanging && Width(line)+Width(blank)+Width(part) > width {
			lines, line = append(lines, line), hanging
		}
		if line != "" && line != hanging {
			line += blank
		}
		line += Middle(part, width-Width(line))
	}
	for word := range strings.FieldsSeq(text) {
		if Width(word) <= width-len(hanging) {
			add(" ", word)
			continue
		}
		blank := " "
		for part := range strings.SplitAfterSeq(word, "/") {
			add(blank, part)
			blank = ""
		}
	}
	return append(lines, line)
}

// unbroken returns the smallest width for which broken shortens nothing.
func unbroken(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		for part := range strings.SplitAfterSeq(word, "/") {
			n = max(n, len(hanging)+Width(part))
		}
	}
	return n
}

// Middle returns a text without its middle, in at most width columns.
func Middle(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	head := Cut(text, width/2)
	return head + Tail(text[len(head):], width-Width(head))
}
