// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// A function is one in a file of the program.
type function struct {
	name     string // in its package, as the compiler writes it: (*T).M
	position token.Position
	decl     *ast.FuncDecl
	brace    token.Pos // of the body; none if it has no body
	reason   string    // why it gets no zone; "" if it may
	unit     string    // why its zone is a root zone; "" if it is none
	waits    []shape.Blocking
}

// isSmall is the reason why the compiler's choice counts: its calls cost nothing, and its zone would.
const isSmall = "inlined by the compiler"

// functions returns the functions that a file declares, in their order.
func functions(set *token.FileSet, file *ast.File) (all []function) {
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := function{name: nameOf(d), decl: d, position: set.Position(d.Name.Pos())}
		f.reason = unfit(d)
		if d.Body != nil {
			f.brace = d.Body.Lbrace
		}
		all = append(all, f)
	}
	return all
}

// nameOf returns the name of a function as the compiler writes it.
func nameOf(d *ast.FuncDecl) string {
	name := d.Name.Name
	if d.Type.TypeParams != nil {
		name += "[...]"
	}
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return name
	}
	t, pointer := d.Recv.List[0].Type, false
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, pointer = x.X, true
			continue
		case *ast.ParenExpr:
			t = x.X
			continue
		}
		break
	}
	receiver := ""
	switch x := t.(type) {
	case *ast.Ident:
		receiver = x.Name
	case *ast.IndexExpr:
		receiver = ident(x.X) + "[...]"
	case *ast.IndexListExpr:
		receiver = ident(x.X) + "[...]"
	}
	if pointer {
		receiver = "(*" + receiver + ")"
	}
	return receiver + "." + name
}

func ident(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// pragmas are the directives whose functions run where no others may be called.
var pragmas = []string{"//go:nosplit", "//go:systemstack", "//go:nowritebarrier", "//go:nowritebarrierrec", "//go:yeswritebarrierrec", "//go:norace", "//go:uintptrescapes", "//go:uintptrkeepalive", "//export"}

// unfit returns why a function cannot have a zone, or "".
func unfit(d *ast.FuncDecl) string {
	switch {
	case d.Body == nil:
		return "has no body in Go"
	case d.Recv == nil && d.Name.Name == "init":
		return "runs once, before main"
	case d.Name.Name == "_":
		return "cannot be called"
	}
	if d.Doc != nil {
		for _, c := range d.Doc.List {
			for _, p := range pragmas {
				if c.Text == p || strings.HasPrefix(c.Text, p+" ") {
					return "has the directive " + p[2:]
				}
			}
		}
	}
	return ""
}
