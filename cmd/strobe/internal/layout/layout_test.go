// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func widest(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n = max(n, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return n
}

func TestATableLeavesOutColumnsInTheirOrder(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "name", Left: true}, {Title: "mean ± ms"}, {Title: "sd", Drop: 1}, {Title: "p99", Drop: 3}, {Title: "share", Drop: 2, Min: 7}},
		Rows:    [][]string{{"neighbours", "1.5 ± 0.2", "0.1", "2.5", "50 %"}, {"a", "2", "", "-", "1 %"}},
	}
	for width, want := range map[int][]string{0: nil, 80: nil, 40: nil, 39: {"sd"}, 30: {"sd", "share"}, 25: {"sd", "share", "p99"}, 18: {"sd", "share", "p99"}} {
		p := Printer{Width: width}
		if got := p.Table(table); !slices.Equal(got, want) {
			t.Errorf("%d columns: %q left out, want %q\n%s", width, got, want, p.String())
		}
		if n := widest(p.String()); width > 0 && n > max(width, 19) {
			t.Errorf("%d columns wide, have %d:\n%s", n, width, p.String())
		}
	}
	var p Printer
	p.Table(table)
	const want = "name        mean ± ms   sd  p99    share\nneighbours  1.5 ± 0.2  0.1  2.5     50 %\na                   2         -      1 %\n"
	if p.String() != want {
		t.Errorf("got\n%swant\n%s", p.String(), want)
	}
}

func TestProseIsWrappedAndIndented(t *testing.T) {
	text := strings.Repeat("word ", 40)
	for width, want := range map[int]int{0: 80, 200: 80, 60: 60} {
		p := Printer{Width: width}
		p.Wrap("- ", text)
		if n := widest(p.String()); n > want || n < want-6 {
			t.Errorf("%d columns: %d wide\n%s", width, n, p.String())
		}
	}
	p := Printer{Color: true}
	p.Note("it is so")
	if p.String() != "\x1b[33mNote:\x1b[0m it is so.\n" {
		t.Errorf("%q", p.String())
	}
}

// The values of a row are beside the last line of its name.
func TestLongNamesOfATableBreakAtTheirSlashes(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "example.com/some/long/path/of/a/package sec/op", Left: true}, {Title: "old"}, {Title: "p", Drop: 1}},
		Rows: [][]string{{"Encode/size=1024/kind=small-8", "12.5 ns", "0.5"}, {"Encode/size=1024/kind=large-8", "13.5 ns", "0.1"},
			{"ANameThatHasNoPlaceToBreakAt-8", "1 ns", "0.1"}, {"Short", "2 ns", "1"}},
	}
	p := Printer{Width: 30}
	if got := p.Table(table); !slices.Equal(got, []string{"p"}) {
		t.Errorf("%q is left out", got)
	}
	const want = `example.com/some/
  long/path/of/a/
  package sec/op           old
Encode/size=1024/
  kind=small-8         12.5 ns
Encode/size=1024/
  kind=large-8         13.5 ns
ANameThatH…oBreakAt-8     1 ns
Short                     2 ns
`
	if p.String() != want {
		t.Errorf("got\n%swant\n%s", p.String(), want)
	}
	for width := 18; width < 60; width++ {
		p := Printer{Width: width}
		p.Table(table)
		if n := widest(p.String()); n > width {
			t.Errorf("%d columns wide, have %d:\n%s", n, width, p.String())
		}
	}
}

func TestNamesAreCutWhereTheyAreAlike(t *testing.T) {
	if got := Tail("captures/long/run1.csv", 10); got != "…/run1.csv" {
		t.Errorf("%q", got)
	}
	if got := Tail("captures/long/run1.csv", 12); got != "…/run1.csv" { // not "…ng/run1.csv"
		t.Errorf("%q", got)
	}
	if got := Tail("captures-of-a-long-run/1.csv", 15); got != "…long-run/1.csv" { // cutting at the slash would lose most of it
		t.Errorf("%q", got)
	}
	if got := Head("123456789", 6); got != "123..." {
		t.Errorf("%q", got)
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		Percent(0.999): "99.9", Fixed(-0.00001, 2): "0.00", Bytes(1536): "1.5 KiB", Plural(1, "line"): "1 line", Plural(2, "line"): "2 lines",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// wide is a text with characters that take zero, one and two columns.
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
