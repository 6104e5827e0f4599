// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// checkDropped reports a call whose result cannot be ended. The stack holds the nodes that enclose the call.
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
			remedy := "write defer " + text + "." + k.end + "()"
			if k == lane {
				remedy = "store it and call its " + k.end
			}
			pass.Report(analysis.Diagnostic{
				Pos: parent.Pos(), End: parent.End(),
				Message:        "the deferred " + text + " " + k.begins + " a " + k.name + " as the function returns, and nothing " + k.ends + " it; " + remedy,
				SuggestedFixes: deferFix(call, k),
			})
		}
	case *ast.GoStmt:
		if parent.Call == call {
			pass.ReportRangef(parent, "the %s that %s %s on a new goroutine is discarded: nothing %s it", k.name, text, k.begins, k.ends)
		}
	case *ast.ExprStmt:
		pass.ReportRangef(call, "the %s that %s %s is discarded: nothing %s it; store it and call its %s", k.name, text, k.begins, k.ends, k.end)
	case *ast.AssignStmt:
		for i, x := range parent.Rhs {
			if x == outer && len(parent.Lhs) == len(parent.Rhs) && blank(parent.Lhs[i]) {
				pass.ReportRangef(call, "the %s that %s %s is discarded: nothing %s it; store it and call its %s", k.name, text, k.begins, k.ends, k.end)
			}
		}
	case *ast.ValueSpec:
		for i, x := range parent.Values {
			if x == outer && len(parent.Names) == len(parent.Values) && blank(parent.Names[i]) {
				pass.ReportRangef(call, "the %s that %s %s is discarded: nothing %s it; store it and call its %s", k.name, text, k.begins, k.ends, k.end)
			}
		}
	}
}

// deferFix ends a deferred span. A lap is ended through a pointer, so it needs a variable, whose name the programmer must
// choose.
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
