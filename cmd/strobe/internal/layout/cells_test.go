// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"strings"
	"testing"
)

// wide is a text in which characters take none, one and two columns.
const wide = "e\u0301 日本 \U0001F44D\U0001F3FD!"

func TestTextsAreMeasuredInColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "µs": 2, "日本": 4, "e\u0301": 1, "\U0001F44D\U0001F3FD": 2, "⣿": 1, wide: 10} {
		if n := Width(text); n != want {
			t.Errorf("%q takes %d columns, want %d", text, n, want)
		}
	}
}

func TestTextsAreCutBetweenCharacters(t *testing.T) {
	for width, want := range []string{"", "e\u0301", "e\u0301 ", "e\u0301 ", "e\u0301 日", "e\u0301 日", "e\u0301 日本", "e\u0301 日本 ",
		"e\u0301 日本 ", "e\u0301 日本 \U0001F44D\U0001F3FD", wide, wide} {
		if got := Cut(wide, width); got != want {
			t.Errorf("in %d columns: %q, want %q", width, got, want)
		}
	}
	for width := 1; width < 12; width++ {
		if got := Tail(wide, width); Width(got) > width || Width(got) < min(width, 10)-1 || !strings.HasSuffix(wide, strings.TrimPrefix(got, "…")) {
			t.Errorf("the end in %d columns: %q", width, got)
		}
	}
}

func TestColumnsOfATableAreAlignedWhateverTheNames(t *testing.T) {
	p := Printer{Width: 80}
	p.Table(Table{Columns: []Column{{Title: "zone", Left: true}, {Title: "calls"}}, Rows: [][]string{{"plain", "1"}, {wide, "12"}, {"会議室", "3"}}})
	at := -1
	for line := range strings.Lines(p.String()) {
		if n := Width(strings.TrimSuffix(line, "\n")); at >= 0 && n != at {
			t.Errorf("%q ends in column %d, the others in %d", line, n, at)
		} else {
			at = n
		}
	}
}
