// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Standard packages that a fragment may use without importing them.
var standard = []string{"context", "errors", "fmt", "io", "log", "log/slog", "math", "net/http", "os", "runtime/pprof", "sort", "strings", "sync", "testing", "time"}

// parses reports whether text is Go: a file, declarations or statements.
func parses(text string) bool {
	_, err := program(Block{Text: text}, nil)
	return err == nil
}

// program makes a Go file from a block. A file is unchanged, declarations get a package clause, and statements get a
// function, the imports that they need, and a use of every variable that they declare.
func program(b Block, packages map[string]string) (string, error) {
	if _, err := parse(b.Text); err == nil {
		return lineMark(b, 0) + b.Text, nil
	}
	if file, err := parse("package p;" + b.Text); err == nil {
		return "package p\n" + imports(file, packages) + lineMark(b, 0) + b.Text, nil
	}
	n := len(importLines.FindString(b.Text))
	head, body := b.Text[:n], b.Text[n:]
	wrap := func(end string) string {
		return "package p\n" + head + "func _() {\n" + lineMark(b, strings.Count(head, "\n")) + body + end + "}\n"
	}
	file, err := parse(wrap(""))
	if err != nil {
		return "", err
	}
	var uses strings.Builder
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			for _, name := range declares(f.Body.List) {
				uses.WriteString("_ = " + name + "\n")
			}
		}
	}
	text := wrap(uses.String())
	return strings.Replace(text, "package p\n", "package p\n"+imports(file, packages), 1), nil
}

func parse(text string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "block.go", text, parser.SkipObjectResolution)
}

// lineMark makes the compiler report the lines of the document.
func lineMark(b Block, skipped int) string {
	if b.File == "" {
		return ""
	}
	return fmt.Sprintf("//line %s:%d\n", b.File, b.Line+skipped)
}

var importLines = regexp.MustCompile(`^(\s*import\s+(\([^)]*\)|[^\n]*)\n)*`)

// declares returns the variables that statements declare in their own scope.
func declares(list []ast.Stmt) []string {
	var names []string
	add := func(expr ast.Expr) {
		if id, ok := expr.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, stmt := range list {
		switch s := stmt.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, lhs := range s.Lhs {
					add(lhs)
				}
			}
		case *ast.DeclStmt:
			if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// imports returns import declarations for the packages that a file uses but neither imports nor declares.
func imports(file *ast.File, packages map[string]string) string {
	known := map[string]string{}
	for _, path := range standard {
		known[path[strings.LastIndexByte(path, '/')+1:]] = path
	}
	for name, path := range packages {
		known[name] = path
	}
	taken := map[string]bool{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		taken[path[strings.LastIndexByte(path, '/')+1:]] = true
		if spec.Name != nil {
			taken[spec.Name.Name] = true
		}
	}
	named := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				named[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, lhs := range n.Lhs {
					if id, ok := lhs.(*ast.Ident); ok {
						taken[id.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				taken[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				taken[id.Name] = true
			}
		}
		return true
	})
	var lines []string
	for name := range named {
		if path := known[name]; path != "" && !taken[name] {
			lines = append(lines, fmt.Sprintf("import %s %q\n", name, path))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
