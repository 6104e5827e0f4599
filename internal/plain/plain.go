// SPDX-License-Identifier: BSD-3-Clause

// Package plain makes text fit to be shown. Names come from programs and files, and a terminal, or what shows a log, obeys the
// control characters in them.
package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest is the number of characters of a name in logs and profiles.
const Longest = 128

// Is reports whether a character is only shown: it neither moves a cursor, nor ends a line, nor changes the direction of the
// text around it, and it is not invisible.
func Is(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return !unicode.IsControl(r) && !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Text returns text with "?" in place of each character for which Is does not hold, and of each byte that is not UTF-8.
func Text(text string) string {
	return strings.Map(func(r rune) rune {
		if !Is(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// Name returns Text of a name. If it has more than most characters, some in the middle are replaced by "…": names that begin or
// end in the same way stay distinct.
func Name(name string, most int) string {
	head, tail, n := 0, len(name), 0
	for i := range name {
		if n == most/2 {
			head = i
		}
		if n++; n > most {
			break
		}
	}
	if n <= most {
		return Text(name)
	}
	for range most - 1 - most/2 {
		_, size := utf8.DecodeLastRuneInString(name[:tail])
		tail -= size
	}
	return Text(name[:head]) + "…" + Text(name[tail:])
}

// AppendJSON appends a text in JSON, with each character for which Is does not hold in its escaped form, which means the same.
func AppendJSON(b, text []byte) []byte {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if r < ' ' || Is(r) { // control characters below that are between the values, or not JSON
			b = append(b, text[i:i+size]...)
		} else {
			b = Escape(b, r)
		}
		i += size
	}
	return b
}

// Escape appends a character in the escaped form of JSON.
func Escape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r > 0xffff {
		r -= 0x10000
		b = Escape(b, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
