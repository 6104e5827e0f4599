// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"go/ast"
	"go/token"
	"strconv"
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
	closure  bool // a function literal
	named    bool // the user asks for it by name, or it is main
}

// compiled returns the name by which the compiler's remarks about a function are found.
func (f *function) compiled() string {
	if f.closure {
		return anyClosure
	}
	return f.name
}

// small reports whether a function has no zone only because it does so little.
func (f *function) small() bool { return f.reason == isSmall || f.reason == isBrief }

// constructor returns the function that makes the function's zone.
func (f *function) constructor() string {
	if f.unit != "" {
		return "NewRootZone"
	}
	return "NewZone"
}

// byName is why a function is a unit that the user has named.
const byName = "named by --units"

// isSmall is the reason why the compiler's choice counts: its calls cost nothing, and its zone would.
const isSmall = "inlined by the compiler"

// isUnasked is the reason for functions that the user does not ask for.
const isUnasked = "matches no pattern"

// isBrief is the reason for other functions that take less time than their zone would.
const isBrief = "a few instructions that call nothing"

// functions returns the functions that a file declares, in their order.
func functions(set *token.FileSet, file *ast.File, closures bool) (all []function) {
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
		if closures && d.Body != nil {
			all = append(all, literals(set, f.name+".func", d.Body)...)
		}
	}
	return all
}

// literals returns the function literals in a body, whose names begin with a prefix, each before those in it.
func literals(set *token.FileSet, prefix string, body *ast.BlockStmt) (all []function) {
	n := 0
	ast.Inspect(body, func(x ast.Node) bool {
		lit, ok := x.(*ast.FuncLit)
		if !ok {
			return true
		}
		n++
		name := prefix + strconv.Itoa(n)
		all = append(all, function{name: name, closure: true, decl: &ast.FuncDecl{Name: ast.NewIdent("_"), Type: lit.Type, Body: lit.Body},
			position: set.Position(lit.Pos()), brace: lit.Body.Lbrace})
		all = append(all, literals(set, name+".", lit.Body)...)
		return false
	})
	return all
}

// brief is the most statements of a function that calls nothing and gets no zone.
const brief = 8

// isLeaf reports whether a body has few statements, without calls and loops.
func isLeaf(body *ast.BlockStmt) bool {
	n, leaf := 0, true
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.FuncLit:
			leaf = false
		case *ast.UnaryExpr:
			leaf = leaf && x.Op != token.ARROW
		case *ast.CallExpr:
			leaf = leaf && isInstruction(ident(x.Fun))
		case *ast.BlockStmt:
		case ast.Stmt:
			n++
		}
		return leaf
	})
	return leaf && n <= brief
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

// isInstruction reports whether a name is that of a built-in function or type whose calls are few instructions.
func isInstruction(name string) bool {
	switch name {
	case "len", "cap", "min", "max", "real", "imag", "panic", "bool", "byte", "rune", "int", "int8", "int16", "int32", "int64",
		"uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64":
		return true
	}
	return false
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
