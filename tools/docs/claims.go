// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Claim is a sentence of a list in a document, or a row of a table, with the tests of it, as in <!-- test: TestName --> after the
// sentence, in the row, or on a line above the table. If several packages have a test of that name, the last element of the package's
// path precedes it: <!-- test: live.TestName -->.
type Claim struct {
	File  string
	Line  int // of the list item
	Text  string
	Tests []string
}

var (
	listItem   = regexp.MustCompile(`^\s*[*-] `)
	aboveTable = regexp.MustCompile(`^<!-- test: ([^>]*?) ?-->$`)
	heldBy     = regexp.MustCompile(`\s*<!-- test: ([^>]*?) ?-->`)
	testNames  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// Claims returns the sentences of the list items of a document and the rows of its tables, with the tests that each names.
func Claims(file, text string) []Claim {
	var claims []Claim
	item, first := "", 0
	end := func() {
		rest := item
		for _, m := range heldBy.FindAllStringSubmatchIndex(item, -1) {
			from := len(item) - len(rest)
			claims = append(claims, sentences(file, first, item[from:m[0]], strings.Fields(item[m[2]:m[3]]))...)
			rest = item[m[1]:]
		}
		claims = append(claims, sentences(file, first, rest, nil)...)
		item = ""
	}
	lines := strings.Split(text, "\n")
	var ofTable []string
	for i, line := range lines {
		if !strings.HasPrefix(line, "|") {
			ofTable = nil
		}
		switch begin := listItem.FindString(line); {
		case aboveTable.MatchString(line) && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|"):
			end()
			ofTable = strings.Fields(aboveTable.FindStringSubmatch(line)[1])
		case strings.HasPrefix(line, "|"):
			end()
			if strings.HasPrefix(line, "|-") || i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|-") {
				continue // the head
			}
			c := Claim{File: file, Line: i + 1, Text: heldBy.ReplaceAllString(line, ""), Tests: slices.Clone(ofTable)}
			for _, m := range heldBy.FindAllStringSubmatch(line, -1) {
				c.Tests = append(c.Tests, strings.Fields(m[1])...)
			}
			claims = append(claims, c)
		case begin != "":
			end()
			item, first = line[len(begin):], i+1
		case strings.TrimSpace(line) == "" || line[0] == '#':
			end()
		case item != "":
			item += " " + strings.TrimSpace(line)
		}
	}
	end()
	return claims
}

// sentences returns the sentences of a text; the last one has the tests.
func sentences(file string, line int, text string, tests []string) (claims []Claim) {
	if text = strings.TrimSpace(text); text == "" && len(tests) == 0 {
		return nil
	}
	for _, s := range strings.SplitAfter(text, ". ") {
		claims = append(claims, Claim{File: file, Line: line, Text: strings.TrimSpace(s)})
	}
	claims[len(claims)-1].Tests = tests
	return claims
}

// CheckClaims returns an error for each claim that names no test, and for each test that is not in exactly one package. tests counts
// those by name.
func CheckClaims(claims []Claim, tests map[string]int) []error {
	var faults []error
	for _, c := range claims {
		if len(c.Tests) == 0 {
			faults = append(faults, fmt.Errorf("%s:%d: no test holds %q: name one behind it, as in <!-- test: TestName -->", c.File, c.Line, c.Text))
		}
		for _, name := range c.Tests {
			if n := tests[name]; n != 1 {
				faults = append(faults, fmt.Errorf("%s:%d: %d tests are called %s, want one", c.File, c.Line, n, name))
			}
		}
	}
	return faults
}
