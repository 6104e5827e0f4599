// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"strings"

	"github.com/strobe-go/strobe/internal/plain"
)

// hanging indents the lines of a broken text after the first.
const hanging = "  "

// broken breaks a text into lines of at most width columns: between words, and in words that are too long for a line behind '/', as
// paths and names of benchmarks have it. What has no such place is shortened in the middle.
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

// unbroken returns the width of the lines that broken needs to shorten nothing.
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
