// SPDX-License-Identifier: BSD-3-Clause

// Package enum is for enumerations whose values print, and are written to JSON, as words.
package enum

import (
	"fmt"
	"slices"
)

// Word returns the word of v: words has those of 0, 1, 2 and so on. For other values it returns a text such as "stat.Finding(9)".
func Word[T ~int](v T, words []string) string {
	if v < 0 || int(v) >= len(words) {
		return fmt.Sprintf("%T(%d)", v, int(v))
	}
	return words[v]
}

// Parse sets v to the value of a word. The error names the type and lists its words, and v stays as it is.
func Parse[T ~int](v *T, words []string, text []byte) error {
	i := slices.Index(words, string(text))
	if i < 0 {
		return fmt.Errorf("%T: %q is not one of %q", *v, text, words)
	}
	*v = T(i)
	return nil
}
