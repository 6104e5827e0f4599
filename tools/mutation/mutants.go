// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// A mutant is a file with one change.
type mutant struct {
	file     string // absolute path
	function string // "Histogram.Record"
	at, body place  // of the change, and of the function's first statement
	old, new string // the expression or statement without and with the change, each on one line

	begin, end  int // the bytes to replace
	replacement string
}

// A place is a line and a column, both from 1.
type place struct{ line, column int }

// operators lists what each operator becomes.
const operators = `
	+ -   - +   * /   / *   % *   << >>   >> <<   & |   | &   ^ &   &^ &   && ||   || &&
	== !=   != ==   < <=   < >=   <= <   <= >   > >=   > <=   >= >   >= <
	++ --   -- ++   += -=   -= +=   *= /=   /= *=   <<= >>=   >>= <<=   &= |=   |= &=
	break continue   continue break`

// swaps returns the replacements of an operator; none if it is not changed.
func swaps(op token.Token) []string {
	var to []string
	for pair := range slices.Chunk(strings.Fields(operators), 2) {
		if pair[0] == op.String() {
			to = append(to, pair[1])
		}
	}
	return to
}

// mutants returns every mutant of a file, in the order of the source.
func mutants(path string) ([]mutant, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || ast.IsGenerated(parsed) {
		return nil, err
	}
	m := &mutator{path: path, src: string(src), fset: fset}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			m.function, m.body = name(f), m.place(f.Body.Pos())
			if len(f.Body.List) > 0 {
				m.body = m.place(f.Body.List[0].Pos())
			}
			ast.Inspect(f.Body, m.visit)
		}
	}
	slices.SortStableFunc(m.found, func(a, b mutant) int { return a.begin - b.begin })
	return m.found, nil
}

// A mutator collects the mutants of one file.
type mutator struct {
	path, src string
	function  string // being visited
	body      place
	fset      *token.FileSet
	found     []mutant
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		m.operator(n, n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT || n.Op == token.XOR {
			m.replace(n, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), "")
		}
	case *ast.IncDecStmt:
		m.operator(n, n.TokPos, n.Tok)
	case *ast.AssignStmt:
		m.operator(n, n.TokPos, n.Tok)
	case *ast.BlockStmt:
		m.removals(n.List)
	case *ast.CaseClause:
		m.removals(n.Body)
	case *ast.CommClause:
		m.removals(n.Body)
	case *ast.BranchStmt:
		if n.Label == nil {
			m.operator(n, n.TokPos, n.Tok)
		}
	case *ast.IfStmt:
		m.negate(n.Cond)
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 1 && (f.Name == "min" || f.Name == "max") {
			m.replace(n, f.Pos(), f.End(), map[string]string{"min": "max", "max": "min"}[f.Name])
		}
	}
	return true
}

func (m *mutator) operator(n ast.Node, at token.Pos, op token.Token) {
	for _, to := range swaps(op) {
		m.replace(n, at, at+token.Pos(len(op.String())), to)
	}
}

// negate negates a condition that has no operator to change.
func (m *mutator) negate(cond ast.Expr) {
	switch cond.(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		m.replace(cond, cond.Pos(), cond.End(), "!"+m.text(cond.Pos(), cond.End()))
	}
}

// removals removes the calls and assignments of a list, each with a false condition around it, so that all names stay in use.
func (m *mutator) removals(list []ast.Stmt) {
	for _, stmt := range list {
		assign, ok := stmt.(*ast.AssignStmt)
		if _, call := stmt.(*ast.ExprStmt); call || ok && assign.Tok != token.DEFINE {
			m.found = append(m.found, m.mutant(stmt.Pos(), stmt.End(),
				"if false { "+m.text(stmt.Pos(), stmt.End())+" }", m.text(stmt.Pos(), stmt.End()), "nothing"))
		}
	}
}

// replace changes a part of an expression or statement.
func (m *mutator) replace(n ast.Node, begin, end token.Pos, with string) {
	m.found = append(m.found, m.mutant(begin, end, with,
		m.text(n.Pos(), n.End()), m.text(n.Pos(), begin)+with+m.text(end, n.End())))
}

func (m *mutator) mutant(begin, end token.Pos, with, old, new string) mutant {
	return mutant{
		file: m.path, function: m.function, at: m.place(begin), body: m.body, old: oneLine(old), new: oneLine(new),
		begin: m.fset.Position(begin).Offset, end: m.fset.Position(end).Offset, replacement: with,
	}
}

func (m *mutator) place(pos token.Pos) place {
	at := m.fset.Position(pos)
	return place{at.Line, at.Column}
}

func (m *mutator) text(from, to token.Pos) string {
	return m.src[m.fset.Position(from).Offset:m.fset.Position(to).Offset]
}

// apply returns the file's text with the change.
func (m *mutant) apply() (string, error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	return string(src[:m.begin]) + m.replacement + string(src[m.end:]), nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// name returns a function's name, with its receiver's type before a dot.
func name(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	recv := f.Recv.List[0].Type
	for {
		switch t := recv.(type) {
		case *ast.StarExpr:
			recv = t.X
			continue
		case *ast.IndexExpr:
			recv = t.X
			continue
		case *ast.IndexListExpr:
			recv = t.X
			continue
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		}
		return f.Name.Name
	}
}
