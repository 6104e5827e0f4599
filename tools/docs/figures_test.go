// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestFiguresAreFoundInProseAlone(t *testing.T) {
	text := "Costs 12.5 ns, or 3 % of 1µs; 4 goroutines, `x: 0.43 ± 0.02 ms`.\n" +
		"```sh\n$ strobe stat\n5 ms\n```\n<!-- 6 ms\n7 ms -->\n`--gate 5%` and `--for 2s`; p99, 1.26, 60 Hz\n"
	var got []string
	for _, f := range Figures("doc.md", text) {
		got = append(got, f.Text)
	}
	if want := []string{"12.5 ns", "3 %", "1µs", "0.02 ms", "60 Hz"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFiguresNeedASourceThatHolds(t *testing.T) {
	files := map[string]string{"a.go": "const limit = 300 * time.Microsecond"}
	read := func(path string) (string, error) {
		if text, ok := files[path]; ok {
			return text, nil
		}
		return "", errors.New("no such file")
	}
	figures := Figures("doc.md", "At most 300 µs.\n")
	for _, tt := range []struct{ sources, says string }{
		{"doc.md | 300 µs | a.go | 300 * time.Microsecond", ""},
		{"# none", `doc.md:1: "300 µs" has no source`},
		{"doc.md | 300 µs | a.go | 400 * time.Microsecond", "does not contain"},
		{"doc.md | 300 µs | b.go | 300", "no such file"},
		{"doc.md | 300 µs | a.go | 300\ndoc.md | 9 ms | a.go | limit", `does not say "9 ms" any more`},
		{"other.md | 300 µs | a.go | 300", "has no source"},
		{"doc.md | 300 µs | - | an example", ""},
		{"*.md | 300 µs | a.go | limit", ""},
	} {
		sources, err := ParseSources("figures.txt", tt.sources)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(CheckFigures(figures, sources, read)...)
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: got %v, want %q", tt.sources, err, tt.says)
		}
	}
	if _, err := ParseSources("figures.txt", "doc.md | 300 µs | a.go"); err == nil {
		t.Error("a line without a text: no error")
	}
}

func TestMeasuredFiguresAreThoseOfTheBenchmarks(t *testing.T) {
	row := "| `on` | 0.971 [0.905, 0.994] | 20.6 |"
	for figure, want := range map[string]bool{"97 %": true, "97.1 %": true, "90 %": true, "99 %": true, "21 ns": true, "20.6 ns": true,
		"96 %": false, "20 ns": false, "20.7 ns": false, "1 ns": true} {
		sources := []Source{{"README.md", figure, measured, row}}
		err := errors.Join(CheckFigures([]Figure{{"README.md", 1, figure}}, sources, func(string) (string, error) { return row, nil })...)
		if (err == nil) != want {
			t.Errorf("%s: %v", figure, err)
		}
	}
}

func TestFiguresAreFoundInComments(t *testing.T) {
	const text = "// Package p costs 12.5 ns, or 3 % of what 1.x took.\n// It prints \"83 ns\", waits 300\n// µs and is 2x as fast.\npackage p\n\n" +
		"const a = 1 // 5 ms; 60 Hz\n\nvar b = \"7 ms\"\n"
	found, err := CommentFigures("p.go", []byte(text))
	var got []string
	for _, f := range found {
		got = append(got, f.String())
	}
	want := []string{`p.go:1: "12.5 ns"`, `p.go:1: "3 %"`, `p.go:2: "300 µs"`, `p.go:3: "2x"`, `p.go:6: "5 ms"`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, %v", got, want, err)
	}
	for file, want := range map[string]bool{"zone.go": true, "stat/dist/normal.go": true, "zone_test.go": false, "internal/x/x.go": false, "cmd/strobe/main.go": false, "README.md": false} {
		if Importable(file) != want {
			t.Errorf("Importable(%q) = %v", file, !want)
		}
	}
}
