// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer reports spans and laps that are not ended, with a fix for the deferred ones. It has no flags.
var Analyzer = &analysis.Analyzer{
	Name:     "spanvet",
	Doc:      "find spans and laps of strobe that are begun and not ended\n\nSee the documentation of the package.",
	URL:      "https://pkg.go.dev/github.com/strobe-go/strobe/contrib/spanvet",
	Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer},
	Run:      run,
}

const strobe = "github.com/strobe-go/strobe"

// A kind is what a call begins.
type kind struct{ name, end string }

var (
	span = kind{"span", "Exit"}
	lap  = kind{"lap", "End"}
)

func run(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	in.WithStack([]ast.Node{(*ast.CallExpr)(nil)}, func(n ast.Node, push bool, stack []ast.Node) bool {
		if push {
			checkDropped(pass, n.(*ast.CallExpr), stack[:len(stack)-1])
		}
		return true
	})
	graphs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	in.Preorder([]ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}, func(n ast.Node) {
		f := &function{pass: pass, node: n}
		switch n := n.(type) {
		case *ast.FuncDecl:
			f.typ, f.graph = n.Type, graphs.FuncDecl(n)
		case *ast.FuncLit:
			f.typ, f.graph = n.Type, graphs.FuncLit(n)
		}
		if f.graph != nil { // a function without a body has none
			f.check()
		}
	})
	return nil, nil
}

// begins reports whether the call's result is a span or a lap, and which.
func begins(info *types.Info, call *ast.CallExpr) (k kind, ok bool) {
	if tv := info.Types[call.Fun]; tv.IsType() {
		return kind{}, false // a conversion
	}
	named, ok := types.Unalias(info.TypeOf(call)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != strobe {
		return kind{}, false
	}
	switch named.Obj().Name() {
	case "Span":
		return span, true
	case "Lap":
		return lap, true
	}
	return kind{}, false
}

// checkDropped reports a call whose result nobody can end. The stack is what encloses it.
func checkDropped(pass *analysis.Pass, call *ast.CallExpr, stack []ast.Node) {
	k, ok := begins(pass.TypesInfo, call)
	if !ok {
		return
	}
	text := types.ExprString(call)
	var outer ast.Expr = call
	for len(stack) > 0 {
		paren, ok := stack[len(stack)-1].(*ast.ParenExpr)
		if !ok {
			break
		}
		outer, stack = paren, stack[:len(stack)-1]
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.DeferStmt:
		if parent.Call == call {
			pass.Report(analysis.Diagnostic{
				Pos: parent.Pos(), End: parent.End(),
				Message:        "the deferred " + text + " begins a " + k.name + " as the function returns, and nothing ends it; write defer " + text + "." + k.end + "()",
				SuggestedFixes: deferFix(call, k),
			})
		}
	case *ast.GoStmt:
		if parent.Call == call {
			pass.ReportRangef(parent, "the %s that %s begins on a new goroutine is dropped: nothing ends it", k.name, text)
		}
	case *ast.ExprStmt:
		pass.ReportRangef(call, "the %s that %s begins is dropped: nothing ends it; keep it and call its %s", k.name, text, k.end)
	case *ast.AssignStmt:
		for i, x := range parent.Rhs {
			if x == outer && len(parent.Lhs) == len(parent.Rhs) && blank(parent.Lhs[i]) {
				pass.ReportRangef(call, "the %s that %s begins is dropped: nothing ends it; keep it and call its %s", k.name, text, k.end)
			}
		}
	case *ast.ValueSpec:
		for i, x := range parent.Values {
			if x == outer && len(parent.Names) == len(parent.Values) && blank(parent.Names[i]) {
				pass.ReportRangef(call, "the %s that %s begins is dropped: nothing ends it; keep it and call its %s", k.name, text, k.end)
			}
		}
	}
}

// deferFix ends a deferred span. A lap ends through a pointer, so it needs a variable: that is for a person to name.
func deferFix(call *ast.CallExpr, k kind) []analysis.SuggestedFix {
	if k != span {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "End the span",
		TextEdits: []analysis.TextEdit{{Pos: call.End(), End: call.End(), NewText: []byte(".Exit()")}},
	}}
}

func blank(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && id.Name == "_"
}
