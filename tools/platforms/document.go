// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	begin = `# Platforms

Where the tests of strobe's packages have been run, and how. ` + "`./check platforms`" + ` runs them and writes this page; it replaces the rows of the
platforms that it could run, so each row has its own date. What is not in the table was not run.

| platform | run by | packages whose tests passed | failed | tests passed | skipped | Go | date |
|---|---|---|---|---|---|---|---|
`
	end = `
The tests are those of ` + "`go test -short`" + `, and examples count as tests. A package whose tests failed, or did not end, is in the column
"failed", and its tests are not counted. A test is skipped where a system lacks what it needs, such as processes in WebAssembly, or counters in an
emulator; ` + "`./check platforms`" + ` prints the reasons.

An emulator shows that programs compute the right thing on another processor. It shows nothing about times: how precise a clock is there,
what a span costs, or how late a wait ends.
`
)

// row returns the row of a run.
func (r run) row() string {
	list := func(names []string) string {
		if len(names) == 0 {
			return "none"
		}
		return "`" + strings.Join(names, "`, `") + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %d | %d | %s | %s |\n", r.Platform, r.By, list(r.passed), list(r.failed), r.tests, r.skipped, r.Go, r.Date)
}

// document returns the page with these rows, by platform.
func document(rows map[string]string) string {
	var b strings.Builder
	b.WriteString(begin)
	for _, platform := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(rows[platform])
	}
	b.WriteString(end)
	return b.String()
}

// parse returns the rows of a page, by platform.
func parse(page string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(page) {
		if name, ok := strings.CutPrefix(line, "| "); ok && strings.Contains(name, "/") {
			name, _, _ = strings.Cut(name, " |")
			rows[strings.Trim(name, "`")] = line
		}
	}
	return rows
}
