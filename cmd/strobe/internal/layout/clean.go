// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean replaces the characters of a text from a file that could move a terminal's cursor.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// Tail returns the end of a text, cut to width characters. Paths and process names differ at the end.
func Tail(text string, width int) string {
	r := []rune(Clean(text))
	if len(r) <= width {
		return string(r)
	}
	return "…" + string(r[len(r)-width+1:])
}

// Head returns the beginning of a text, cut to width characters.
func Head(text string, width int) string {
	r := []rune(text)
	if len(r) <= width {
		return text
	}
	return string(r[:width-3]) + "..."
}
