// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"strings"
)

// A hunk is where the working tree differs from the base: lines that it has, or if there are none, the place after a line.
type hunk struct{ line, lines int }

// within reports whether a hunk is in the lines from first to last.
func (h hunk) within(first, last int) bool {
	if h.lines == 0 {
		return first <= h.line && h.line < last
	}
	return h.line <= last && h.line+h.lines > first
}

// edits are those of each file, by its path below the top of the checkout.
type edits map[string][]hunk

// edits returns how the working tree differs from the base. It is empty if git does not say.
func (c *checkout) edits(ctx context.Context) edits {
	diff, err := c.Git(ctx, "diff", "-U0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", c.base, "--")
	if err != nil {
		return nil
	}
	all := parseEdits(diff)
	if others, err := c.Git(ctx, "ls-files", "--others", "--exclude-standard"); err == nil && others != "" {
		for file := range strings.SplitSeq(others, "\n") {
			all[file] = []hunk{{1, math.MaxInt32}}
		}
	}
	return all
}

// parseEdits reads what git diff -U0 prints.
func parseEdits(diff string) edits {
	all, file := edits{}, ""
	left := 0 // lines of a hunk, which may look like a header
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case left > 0 && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
			left--
		case strings.HasPrefix(line, "+++ "):
			file, _ = strings.CutPrefix(strings.TrimSuffix(line[4:], "\t"), "b/")
		case strings.HasPrefix(line, "@@ "):
			f := strings.Fields(line)
			if len(f) < 3 {
				continue
			}
			_, before := span(f[1])
			at, after := span(f[2])
			left = before + after
			all[file] = append(all[file], hunk{at, after})
		}
	}
	return all
}

// span reads -1,2 or +1 of the header of a hunk.
func span(text string) (line, lines int) {
	lines = 1
	fmt.Sscanf(strings.TrimLeft(text, "+-"), "%d,%d", &line, &lines) // without the comma it reads the first
	return line, lines
}

// touches reports whether a function was edited that begins at this line of a file, given by its path and by that below the top.
func (e edits) touches(path, below string, line int) bool {
	edits := e[below]
	if len(edits) == 0 {
		return false
	}
	last := lastLine(path, line)
	for _, x := range edits {
		if last > 0 && x.within(line, last) {
			return true
		}
	}
	return false
}

// lastLine returns the last line of the function that begins at a line of a file, 0 if none does.
func lastLine(path string, line int) (last int) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, filepath.FromSlash(path), nil, parser.SkipObjectResolution)
	if err != nil {
		return 0
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if last == 0 && set.Position(n.Pos()).Line == line {
				last = set.Position(n.End()).Line
			}
		}
		return last == 0
	})
	return last
}
