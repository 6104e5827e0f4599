// SPDX-License-Identifier: BSD-3-Clause

package spanvet

import (
	"go/ast"
	"go/types"
)

const strobe = "github.com/strobe-go/strobe"

// A kind is the kind of value that a call begins, the method that ends it, and the words for messages.
type kind struct{ name, end, begins, ends, ended string }

var (
	span = kind{"span", "Exit", "begins", "ends", "ended"}
	lap  = kind{"lap", "End", "begins", "ends", "ended"}
	lane = kind{"lane", "Close", "makes", "closes", "closed"}
)

// uses reports whether a method uses the value without ending it.
func (k kind) uses(method string) bool {
	switch k {
	case lap:
		return method == "Next"
	case lane:
		return method == "Enter" || method == "Lap" || method == "Add"
	}
	return false
}

// begins reports whether the result of a call is a span, a lap, or a lane made by NewLane, and which of these.
func begins(info *types.Info, call *ast.CallExpr) (k kind, ok bool) {
	if tv := info.Types[call.Fun]; tv.IsType() {
		return kind{}, false // a conversion
	}
	if f := called(info, call); f != nil && f.Pkg() != nil && f.Pkg().Path() == strobe && f.Name() == "NewLane" {
		return lane, true
	}
	return kindOf(info.TypeOf(call))
}

func called(info *types.Info, call *ast.CallExpr) *types.Func {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		fn, _ := info.Uses[f.Sel].(*types.Func)
		return fn
	case *ast.Ident: // a dot import
		fn, _ := info.Uses[f].(*types.Func)
		return fn
	}
	return nil
}

// kindOf returns the kind for a type.
func kindOf(t types.Type) (k kind, ok bool) {
	named, ok := types.Unalias(t).(*types.Named)
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
