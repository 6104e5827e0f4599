// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Figure is a number with a unit that a document or a comment states.
type Figure struct {
	File string
	Line int
	Text string // "300 µs"
}

// String returns `file:line: "text"`.
func (f Figure) String() string { return fmt.Sprintf("%s:%d: %q", f.File, f.Line, f.Text) }

const number = `[0-9](?:[0-9.,]*[0-9])?[ \n\x{a0}]?`

var (
	quantity = regexp.MustCompile(number + `(?:(?:ns|us|µs|μs|ms|s|min|h|ppm|times|x|bytes|B|kB|KiB|MB|MiB|GB|GiB|Hz)\b|%)`)
	measure  = regexp.MustCompile(number + `(?:(?:ns|us|µs|μs|ms|x)\b|%)`)      // usual in comments
	typed    = regexp.MustCompile(`--?[a-z]+[ =]["']?[0-9][^ "'` + "`" + `)]*`) // --rate 144: typed by a user
	decimal  = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)
	quoted   = regexp.MustCompile(`"[^"]*"`) // printed or read by a program
)

// Figures returns the figures in the prose of a Markdown document, without its blocks and comments.
func Figures(file, text string) []Figure {
	var found []Figure
	block, hidden := false, false
	for i, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			block = !block
			continue
		case strings.HasPrefix(trimmed, "<!--"):
			hidden = true
		}
		if !block && !hidden {
			for _, q := range quantity.FindAllString(typed.ReplaceAllString(line, ""), -1) {
				found = append(found, Figure{file, i + 1, q})
			}
		}
		hidden = hidden && !strings.Contains(line, "-->")
	}
	return found
}

// CommentFigures returns the times, ratios and percentages in the comments of a Go file, except in quoted examples of output.
func CommentFigures(file string, text []byte) ([]Figure, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []Figure
	for _, group := range parsed.Comments {
		unquoted := quoted.ReplaceAllStringFunc(group.Text(), func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
		for _, at := range measure.FindAllStringIndex(unquoted, -1) {
			line := fset.Position(group.Pos()).Line + strings.Count(unquoted[:at[0]], "\n")
			found = append(found, Figure{file, line, strings.ReplaceAll(unquoted[at[0]:at[1]], "\n", " ")})
		}
	}
	return found, nil
}

// Importable reports whether a file, by its path from the root, belongs to a package that other modules can import, and
// is not a test.
func Importable(file string) bool {
	for _, folder := range strings.Split(path.Dir(file), "/") {
		if slices.Contains([]string{"internal", "cmd", "examples", "contrib", "tools", "testdata"}, folder) {
			return false
		}
	}
	return filepath.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go")
}

// A Source says where a figure comes from: the file Path contains Text, which changes when the figure does. A definition has
// no source: then Path is "-", and Text says what it defines or illustrates.
type Source struct {
	File, Figure, Path, Text string // File may be a pattern of path.Match, in which case no figure is required
}

func (s Source) matches(f Figure) bool {
	same, err := path.Match(s.File, f.File)
	return err == nil && (same || s.File == "*.go" && path.Ext(f.File) == ".go") && s.Figure == f.Text
}

// ParseSources reads lines "FILE | FIGURE | PATH | TEXT". Empty lines and those that begin with # are comments.
func ParseSources(name, text string) ([]Source, error) {
	var sources []Source
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.SplitN(line, " | ", 4)
		if len(f) != 4 || slices.Contains(f, "") {
			return nil, fmt.Errorf("%s:%d: want FILE | FIGURE | PATH | TEXT", name, i+1)
		}
		sources = append(sources, Source{strings.TrimSpace(f[0]), strings.TrimSpace(f[1]), strings.TrimSpace(f[2]), strings.TrimSpace(f[3])})
	}
	return sources, nil
}

// measured is the file with the results of the benchmarks.
const measured = "BENCHMARKS.md"

// rounds reports whether a figure such as "21 ns" or "97 %" is a number of the text, rounded to the figure's digits.
func rounds(figure, text string) bool {
	digits := decimal.FindString(figure)
	_, fraction, _ := strings.Cut(digits, ".")
	return slices.ContainsFunc(decimal.FindAllString(text, -1), func(n string) bool {
		v, err := strconv.ParseFloat(n, 64)
		if strings.HasSuffix(figure, "%") {
			v *= 100
		}
		return err == nil && strconv.FormatFloat(v, 'f', len(fraction), 64) == digits
	})
}

// CheckFigures returns an error for every figure without a source, every source whose file lacks its text, every source
// that no figure needs, and every figure that is not what was measured. read returns a file of the tree.
func CheckFigures(figures []Figure, sources []Source, read func(path string) (string, error)) []error {
	var faults []error
	used := make([]bool, len(sources))
	for _, f := range figures {
		i := slices.IndexFunc(sources, func(s Source) bool { return s.matches(f) })
		if i < 0 {
			faults = append(faults, fmt.Errorf("%v has no source: say in tools/docs/figures.txt where it comes from, or refer to BENCHMARKS.md instead", f))
			continue
		}
		used[i] = true
	}
	for i, s := range sources {
		if !used[i] {
			faults = append(faults, fmt.Errorf("figures.txt: %s does not say %q any more: remove the line", s.File, s.Figure))
			continue
		}
		if s.Path == "-" {
			continue
		}
		text, err := read(s.Path)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("figures.txt: the source of %q in %s: %w", s.Figure, s.File, err))
		case !strings.Contains(text, s.Text):
			faults = append(faults, fmt.Errorf("figures.txt: %s says %q, but %s does not contain %q any more", s.File, s.Figure, s.Path, s.Text))
		case s.Path == measured && !rounds(s.Figure, s.Text):
			faults = append(faults, fmt.Errorf("figures.txt: %s says %q, which is not a number of %q, rounded", s.File, s.Figure, s.Text))
		}
	}
	return faults
}
