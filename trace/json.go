// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"strconv"
	"unicode/utf8"

	"github.com/strobe-go/strobe/internal/plain"
)

// appendString appends s as a JSON string that is also safe in HTML, JavaScript and a terminal. Invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c == 0x7f || c == '<' || c == '>' || c == '&':
				b = plain.Escape(b, rune(c))
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if plain.Is(r) {
			b = utf8.AppendRune(b, r)
		} else {
			b = plain.Escape(b, r)
		}
		i += size
	}
	return append(b, '"')
}

// appendMicros appends ns as microseconds, exactly.
func appendMicros(b []byte, ns int64) []byte {
	n := uint64(ns)
	if ns < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1000, 10)
	n %= 1000
	return append(b, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}
