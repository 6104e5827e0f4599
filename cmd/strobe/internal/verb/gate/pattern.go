// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"regexp"
	"strings"
)

// A pattern is what go test -bench takes: alternatives, each a list of regular expressions for the elements of a name.
type pattern [][]string

// parsePattern splits a pattern where go test does: at bars and slashes that are in no brackets.
func parsePattern(text string) (pattern, error) {
	var p pattern
	for _, alternative := range splitOutside(text, '|') {
		elements := splitOutside(alternative, '/')
		for _, e := range elements {
			if _, err := regexp.Compile(e); err != nil {
				return nil, fmt.Errorf("--bench: %q is not a regular expression: %w", e, err)
			}
		}
		p = append(p, elements)
	}
	return p, nil
}

// String returns the pattern as go test takes it.
func (p pattern) String() string {
	alternatives := make([]string, len(p))
	for i, elements := range p {
		alternatives[i] = strings.Join(elements, "/")
	}
	return strings.Join(alternatives, "|")
}

// splitOutside splits text at a separator that is in no brackets.
func splitOutside(text string, separator byte) (parts []string) {
	square, round, start := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(0, square-1)
		case square > 0:
		case c == '(':
			round++
		case c == ')':
			round = max(0, round-1)
		case c == separator && round == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// within returns the pattern for the benchmarks below a top-level one, whose name is given without "Benchmark". ok is false if
// none of them match.
func (p pattern) within(top string) (text string, ok bool) {
	var alternatives []string
	for _, elements := range p {
		if match, err := regexp.MatchString(elements[0], "Benchmark"+top); err == nil && match {
			alternatives = append(alternatives, strings.Join(append([]string{"^Benchmark" + regexp.QuoteMeta(top) + "$"}, elements[1:]...), "/"))
		}
	}
	return strings.Join(alternatives, "|"), len(alternatives) > 0
}

// exactly returns the pattern for one benchmark, whose name is given without "Benchmark".
func exactly(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}
