// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"strconv"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// appendString appends s as a JSON string that is also safe in HTML and JavaScript. Invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c == 0x7f || c == '<' || c == '>' || c == '&':
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch r {
		case '\u2028', '\u2029': // line terminators in JavaScript before 2019
			b = append(b, `\u202`...)
			b = append(b, hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
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
