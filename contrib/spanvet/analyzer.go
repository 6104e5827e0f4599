// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer reports spans and laps that are not ended, with a fix for the deferred ones. It has no flags.
var Analyzer = &analysis.Analyzer{
	Name:     "spanvet",
	Doc:      "find spans and laps of strobe that are never ended, and lanes that are never closed\n\nSee the documentation of the package.",
	URL:      "https://pkg.go.dev/github.com/strobe-go/strobe/contrib/spanvet",
	Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer},
	Run:      run,
}

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
