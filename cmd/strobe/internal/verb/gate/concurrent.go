// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// concurrent adds to names the functions of test files that start goroutines, or that mention one of the same files that does.
// Methods count under their name alone.
func concurrent(files []string, names map[string]bool) {
	mentions := map[string]map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil { // then it does not build either
			continue
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				of := mentions[f.Name.Name]
				if of == nil {
					of = map[string]bool{}
					mentions[f.Name.Name] = of
				}
				ast.Inspect(f.Body, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.GoStmt:
						names[f.Name.Name] = true
					case *ast.Ident:
						of[n.Name] = true
					}
					return true
				})
			}
		}
	}
	names["RunParallel"], names["GOMAXPROCS"], names["NumCPU"] = true, true, true
	for again := true; again; {
		again = false
		for f, of := range mentions {
			for name := range of {
				if names[name] && !names[f] {
					names[f], again = true, true
				}
			}
		}
	}
}
