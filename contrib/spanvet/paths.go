// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
)

// A function is one body of code that is looked through.
type function struct {
	pass  *analysis.Pass
	node  ast.Node // *ast.FuncDecl or *ast.FuncLit
	typ   *ast.FuncType
	graph *cfg.CFG
}

// A beginning is a statement that puts a new span or lap into a variable of the function.
type beginning struct {
	stmt ast.Node
	call *ast.CallExpr
	v    *types.Var
	kind kind
}

// check follows every span and lap that the function keeps in a variable of its own.
func (f *function) check() {
	for _, b := range f.graph.Blocks {
		if !b.Live {
			continue
		}
		for i, n := range b.Nodes {
			for _, begun := range f.beginnings(n) {
				if at := f.lost(begun, b, i); at != nil {
					f.report(begun, at)
				}
			}
		}
	}
}

func (f *function) beginnings(stmt ast.Node) (all []beginning) {
	add := func(left, right ast.Expr) {
		call, ok := ast.Unparen(right).(*ast.CallExpr)
		id, named := ast.Unparen(left).(*ast.Ident)
		if !ok || !named {
			return
		}
		v, ok := f.pass.TypesInfo.ObjectOf(id).(*types.Var)
		if k, begun := begins(f.pass.TypesInfo, call); begun && ok && f.owns(v, stmt.Pos()) {
			all = append(all, beginning{stmt, call, v, k})
		}
	}
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		for i := range stmt.Rhs {
			if len(stmt.Lhs) == len(stmt.Rhs) {
				add(stmt.Lhs[i], stmt.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i := range stmt.Values {
			if len(stmt.Names) == len(stmt.Values) {
				add(stmt.Names[i], stmt.Values[i])
			}
		}
	}
	return all
}

// owns reports whether v is the function's own, and what happens to it can be seen: it is no result, and neither its
// address nor a function literal that uses it was taken before pos.
func (f *function) owns(v *types.Var, pos token.Pos) bool {
	if v.Name() == "_" || v.Pos() < f.node.Pos() || v.Pos() >= f.node.End() {
		return false
	}
	if results := f.typ.Results; results != nil && results.Pos() <= v.Pos() && v.Pos() < results.End() {
		return false
	}
	mine := true
	ast.Inspect(f.node, func(n ast.Node) bool {
		if n == nil || n.Pos() >= pos || !mine {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != f.node && f.mentions(n, v) {
				mine = false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && f.mentions(n.X, v) {
				mine = false
			}
		}
		return mine
	})
	return mine
}

func (f *function) mentions(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.pass.TypesInfo.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// lost returns where the span is lost that node i of block b begins: a return, or a statement that overwrites it. Nil if
// it is ended, or handed on, on every path.
func (f *function) lost(begun beginning, b *cfg.Block, i int) ast.Node {
	seen := map[*cfg.Block]bool{}
	var search func(b *cfg.Block, from int) ast.Node
	search = func(b *cfg.Block, from int) ast.Node {
		for _, n := range b.Nodes[from:] {
			ended, overwritten := f.effect(n, begun)
			if ended {
				return nil
			}
			if overwritten {
				return n
			}
			if ret, ok := n.(*ast.ReturnStmt); ok {
				return ret
			}
		}
		for _, next := range b.Succs {
			if seen[next] {
				continue
			}
			seen[next] = true
			if at := search(next, 0); at != nil {
				return at
			}
		}
		return nil
	}
	return search(b, i+1)
}

// effect says what a node does to the span in a variable. Any use but a lap's Next is taken to end it.
func (f *function) effect(n ast.Node, begun beginning) (ended, overwritten bool) {
	written := map[ast.Node]bool{}
	if a, ok := n.(*ast.AssignStmt); ok {
		for _, left := range a.Lhs {
			if id, ok := ast.Unparen(left).(*ast.Ident); ok && f.pass.TypesInfo.ObjectOf(id) == begun.v {
				written[id], overwritten = true, true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Sel.Name == "Next" && f.pass.TypesInfo.Uses[id] == begun.v {
				return false
			}
		case *ast.Ident:
			if !written[n] && f.pass.TypesInfo.Uses[n] == begun.v {
				ended = true
			}
		}
		return !ended
	})
	return ended, overwritten || n == begun.stmt
}

func (f *function) report(begun beginning, at ast.Node) {
	line := f.pass.Fset.Position(at.Pos()).Line
	what := fmt.Sprintf("the %s %s is not ended on every path: ", begun.kind.name, begun.v.Name())
	end := begun.v.Name() + "." + begun.kind.end + "()"
	if _, ok := at.(*ast.ReturnStmt); ok {
		what += fmt.Sprintf("line %d may be reached without %s", line, end)
	} else {
		what += fmt.Sprintf("line %d may begin the next one before %s", line, end)
	}
	f.pass.Report(analysis.Diagnostic{Pos: begun.call.Pos(), End: begun.call.End(), Message: what})
}
