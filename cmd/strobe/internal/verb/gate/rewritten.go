// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
)

// testCode is the source of what the test files of a package declare, by name. Methods count under their name alone.
type testCode map[string][]declaration

// A declaration is its text, and the names that it mentions.
type declaration struct {
	text     string
	mentions []string
	function token.Position // where it begins, if it is a function and no method
}

// readTestCode reads test files. Those that cannot be parsed do not build either.
func readTestCode(files []string) testCode {
	all := testCode{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		add := func(name string, n ast.Node) {
			d := declaration{text: string(text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])}
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					d.mentions = append(d.mentions, id.Name)
				}
				return true
			})
			if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil {
				d.function = set.Position(f.Pos())
			}
			all[name] = append(all[name], d)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name.Name, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Name.Name, s)
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(name.Name, s)
						}
					}
				}
			}
		}
	}
	return all
}

// of returns the source of a function and of all that it mentions, directly or indirectly, in the test files.
func (c testCode) of(name string) string {
	seen, open := map[string]bool{name: true}, []string{name}
	for len(open) > 0 {
		for _, d := range c[open[0]] {
			for _, other := range d.mentions {
				if _, ok := c[other]; ok && !seen[other] {
					seen[other] = true
					open = append(open, other)
				}
			}
		}
		open = open[1:]
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		var texts []string
		for _, d := range c[name] {
			texts = append(texts, d.text)
		}
		slices.Sort(texts)
		text.WriteString(strings.Join(texts, "\n"))
	}
	return text.String()
}

// function returns where a function begins; the zero position if there is none of that name.
func (c testCode) function(name string) token.Position {
	for _, d := range c[name] {
		if d.function.IsValid() {
			return d.function
		}
	}
	return token.Position{}
}

// rewritten reports whether the source of a top-level benchmark differs between the sides.
func (p *pkg) rewritten(top string) bool {
	return p.tests[oldSide].of("Benchmark"+top) != p.tests[newSide].of("Benchmark"+top)
}
