// SPDX-License-Identifier: BSD-3-Clause

package guide

import "strings"

// nearest returns the topic whose name, or a word of whose name or question, needs the fewest changes of a letter to become name.
func nearest(name string) Topic {
	var best Topic
	least := -1
	for _, t := range Topics() {
		words := append(strings.FieldsFunc(strings.ToLower(t.Question), func(r rune) bool { return r < 'a' || r > 'z' }), strings.Split(t.Name, "-")...)
		for _, word := range append(words, t.Name) {
			if n := changes(name, word); least < 0 || n < least {
				best, least = t, n
			}
		}
	}
	return best
}

// changes returns how many bytes must be inserted, deleted or replaced to turn a into b (Levenshtein's distance). Of a, the first
// bytes count: no topic is nearly as long.
func changes(a, b string) int {
	a = a[:min(len(a), 100)]
	row := make([]int, len(b)+1) // of the part of a so far, for each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
