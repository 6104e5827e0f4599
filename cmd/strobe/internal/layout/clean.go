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
