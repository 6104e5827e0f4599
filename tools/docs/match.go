// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// Tokens that may differ between the output shown and the actual output: figures with their sign and unit of time, the width
// of columns, bars and sparklines, and anything shown as "...". Exit codes may not differ.
var tokens = regexp.MustCompile(`exit (?:status|code) \d+|\.\.\.|…|[ \t]+|[▀-▟⠀-⣿]+|` +
	`[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?(?:\s?(?:ns|us|µs|ms|s)\b)?`)

const (
	anyNumber = `[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?`
	anyUnit   = `\s*(?:ns|us|µs|ms|s)\b`
	anyBar    = `[▀-▟⠀-⣿ ]*`
)

// lineExpr returns the expression for a line shown in a document. Figures that are part of a word, as in p99 or amd64, are
// matched literally.
func lineExpr(line string) (*regexp.Regexp, error) {
	line = strings.TrimSpace(line)
	var expr strings.Builder
	last := 0
	for _, at := range tokens.FindAllStringIndex(line, -1) {
		token := line[at[0]:at[1]]
		digits := strings.IndexAny(token, "0123456789")
		if digits == 0 && at[0] > 0 && isLetter(line[at[0]-1]) {
			continue
		}
		expr.WriteString(regexp.QuoteMeta(line[last:at[0]]))
		last = at[1]
		switch {
		case token == "..." || token == "…":
			expr.WriteString(`.*`)
		case strings.TrimSpace(token) == "":
			expr.WriteString(`\s+`)
		case strings.HasPrefix(token, "exit "): // a code is not a measurement
			expr.WriteString(regexp.QuoteMeta(token))
		case digits < 0:
			expr.WriteString(anyBar)
		default:
			if at[0] > 0 && isLetter(line[at[0]-1]) {
				expr.WriteString(regexp.QuoteMeta(token[:digits])) // the hyphen of a name: x86-64
			}
			expr.WriteString(anyNumber)
			if strings.TrimRight(token, "0123456789.,") == token { // the token ends in a unit
				expr.WriteString(anyUnit)
			}
		}
	}
	expr.WriteString(regexp.QuoteMeta(line[last:]))
	return regexp.Compile(`^` + expr.String() + `$`)
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// Match compares the output shown with the actual output. A line "..." matches any lines.
func Match(want, got string) error {
	wants, gots := trimmedLines(want), trimmedLines(got)
	exprs := make([]*regexp.Regexp, len(wants))
	for i, line := range wants {
		if line == "..." || line == "…" {
			continue // nil: any lines
		}
		var err error
		if exprs[i], err = lineExpr(line); err != nil {
			return fmt.Errorf("the line %q: %w", line, err)
		}
	}
	// reach[j]: the lines of want so far match the first j lines of got.
	reach := make([]bool, len(gots)+1)
	reach[0] = true
	for i, expr := range exprs {
		next := make([]bool, len(gots)+1)
		some := false
		for j := range next {
			if expr == nil {
				next[j] = reach[j] || j > 0 && next[j-1]
			} else {
				next[j] = j > 0 && reach[j-1] && expr.MatchString(gots[j-1])
			}
			some = some || next[j]
		}
		if !some {
			return fmt.Errorf("nothing printed matches the line shown:\n  %s\nprinted:\n%s", wants[i], indent(gots))
		}
		reach = next
	}
	if !reach[len(gots)] {
		return fmt.Errorf("more is printed than shown:\n%s", indent(gots))
	}
	return nil
}

func trimmedLines(text string) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func indent(lines []string) string { return "  " + strings.Join(lines, "\n  ") }
