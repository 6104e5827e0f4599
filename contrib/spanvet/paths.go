// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
)

// A function is a body of code to check.
type function struct {
	pass  *analysis.Pass
	node  ast.Node // *ast.FuncDecl or *ast.FuncLit
	typ   *ast.FuncType
	graph *cfg.CFG
}

// A beginning is a statement that assigns a new span or lap to a variable of the function.
type beginning struct {
	stmt  ast.Node
	call  *ast.CallExpr
	v     *types.Var
	kind  kind
	again bool // the statement may be repeated: it is a Next
}

// check follows every span, lap and lane that the function stores in a local variable.
func (f *function) check() {
	reported := map[*types.Var]bool{} // laps begun by Next: report each only once
	for _, b := range f.graph.Blocks {
		if !b.Live {
			continue
		}
		for i, n := range b.Nodes {
			for _, begun := range f.beginnings(n) {
				if begun.again && reported[begun.v] {
					continue
				}
				if at := f.lost(begun, b, i); at != nil {
					f.report(begun, at)
					reported[begun.v] = true
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
		if k, begun := begins(f.pass.TypesInfo, call); begun && ok && f.owns(v, stmt.Pos()) && (k != lane || !f.once()) {
			all = append(all, beginning{stmt, call, v, k, false})
		}
	}
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		if call, v := f.next(stmt); v != nil && f.owns(v, stmt.Pos()) && f.zero(v) {
			all = append(all, beginning{stmt, call, v, lap, true})
		}
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

// next returns the call and the variable of a statement that calls Next of a lap; nil for other statements.
func (f *function) next(stmt *ast.ExprStmt) (*ast.CallExpr, *types.Var) {
	call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Next" {
		return nil, nil
	}
	id, ok := ast.Unparen(method.X).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	v, ok := f.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return nil, nil
	}
	if k, ok := kindOf(v.Type()); !ok || k != lap {
		return nil, nil
	}
	return call, v
}

// zero reports whether v is declared without a value, so that its lap begins with the first Next, and is not ended by a
// deferred call.
func (f *function) zero(v *types.Var) bool {
	declared, deferred := false, false
	ast.Inspect(f.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, name := range n.Names {
				declared = declared || len(n.Values) == 0 && f.pass.TypesInfo.Defs[name] == v
			}
		case *ast.DeferStmt:
			deferred = deferred || f.mentions(n, v)
		}
		return true
	})
	return declared && !deferred
}

// once reports whether the function runs once in a process, or in a test: its lanes need not be closed.
func (f *function) once() bool {
	if strings.HasSuffix(f.pass.Fset.Position(f.node.Pos()).Filename, "_test.go") {
		return true
	}
	decl, ok := f.node.(*ast.FuncDecl)
	return ok && decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "main" && f.pass.Pkg.Name() == "main")
}

// owns reports whether v belongs to the function and all its uses can be seen: it is not a result, and before pos neither was
// its address taken nor was it used in a function literal.
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

// lost returns the statement at which the span begun by node i of block b is lost: a return, or a statement that overwrites
// it. It returns nil if every path ends the span or passes it on.
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

// effect returns the effect of a node on the span in a variable. Any use is assumed to end it, except calls of methods that
// do not.
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
		case *ast.FuncLit:
			ended = ended || f.mentions(n, begun.v)
			return false
		case *ast.SelectorExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && begun.kind.uses(n.Sel.Name) && f.pass.TypesInfo.Uses[id] == begun.v {
				return false
			}
		case *ast.Ident:
			if !written[n] && f.pass.TypesInfo.Uses[n] == begun.v {
				ended = true
			}
		}
		return !ended
	})
	return ended, overwritten || n == begun.stmt && !begun.again
}

func (f *function) report(begun beginning, at ast.Node) {
	line := f.pass.Fset.Position(at.Pos()).Line
	what := fmt.Sprintf("the %s %s is not %s on every path: ", begun.kind.name, begun.v.Name(), begun.kind.ended)
	end := begun.v.Name() + "." + begun.kind.end + "()"
	if _, ok := at.(*ast.ReturnStmt); ok {
		what += fmt.Sprintf("line %d may be reached without %s", line, end)
	} else {
		what += fmt.Sprintf("line %d may "+strings.TrimSuffix(begun.kind.begins, "s")+" the next one before %s", line, end)
	}
	f.pass.Report(analysis.Diagnostic{Pos: begun.call.Pos(), End: begun.call.End(), Message: what})
}
