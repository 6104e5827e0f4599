// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// clean returns a name from a file as text that is safe to print.
func clean(b []byte) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, string(bytes.TrimSpace(b)))
}

// quote returns a piece of a damaged file, shortened and safe to print.
func quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%q…", b[:most])
	}
	return fmt.Sprintf("%q", b)
}

// clip shortens a message that quotes a file, to one line.
func clip(s string) string {
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return clean([]byte(s))
}
