// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checkFile checks the size of one file, and that importing its package does no work.
func (c *checker) checkFile(f *file) {
	if f.lines > c.policy.Lines && !f.generated {
		c.report(f.path, "lines", "%d lines, at most %d: one idea a file", f.lines, c.policy.Lines)
	}
	if f.test || f.standalone {
		return
	}
	for _, decl := range f.ast.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				c.report(f.path, "init", "func init: work belongs to the first use")
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				for _, spec := range d.Specs {
					c.checkVariable(f, spec.(*ast.ValueSpec))
				}
			}
		}
	}
}

// checkVariable checks the initialiser of a package-level variable, and whether the variable is shared state.
func (c *checker) checkVariable(f *file, spec *ast.ValueSpec) {
	allowed := everyoneAnd(c.policy.Initialisers, f.name)
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if _, literal := n.(*ast.FuncLit); literal {
				return false // its body runs later, if at all
			}
			if ok && !c.harmless(f, call.Fun) && !covers(allowed, types.ExprString(call.Fun)) && !covers(allowed, f.name+"."+types.ExprString(call.Fun)) {
				c.report(f.path, "initialiser", "%s is initialised by a call of %s: use sync.OnceValue or a literal",
					spec.Names[0].Name, types.ExprString(call.Fun))
			}
			return true
		})
	}
	for i, name := range spec.Names {
		kind := spec.Type
		if kind == nil && i < len(spec.Values) {
			kind = spec.Values[i]
		}
		if what := shared(kind); what != "" && !covers(c.policy.State, f.name) && !slices.Contains(c.policy.State, f.name+"."+name.Name) {
			c.report(f.path, "state", "%s is a package-level %s: shared state belongs to a value somebody holds", name.Name, what)
		}
	}
}

// harmless reports whether calling fun does nothing at run time: a conversion, or a builtin that
// the compiler evaluates.
func (c *checker) harmless(f *file, fun ast.Expr) bool {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.ArrayType, *ast.MapType, *ast.FuncType, *ast.InterfaceType, *ast.ChanType, *ast.StarExpr:
		return true
	case *ast.IndexExpr: // a generic function or type
		return c.harmless(f, fun.X)
	case *ast.Ident:
		switch universe := types.Universe.Lookup(fun.Name).(type) {
		case *types.TypeName:
			return true
		case *types.Builtin:
			return !slices.Contains([]string{"make", "append", "panic", "print", "println"}, universe.Name())
		}
		return c.tree.declaresType(f.dir, fun.Name)
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		if !ok {
			return false
		}
		for _, imp := range f.imports() {
			name, ours := c.tree.name(imp)
			if path.Base(imp) != x.Name {
				continue
			}
			if ours && name == path.Base(c.tree.module) {
				name = "."
			}
			return imp == "unsafe" || ours && c.tree.declaresType(name, fun.Sel.Name)
		}
	}
	return false
}

// declaresType reports whether the package in a folder has a type of that name.
func (t *tree) declaresType(dir, name string) bool {
	for _, f := range t.sources(dir) {
		for _, decl := range f.ast.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				if spec.(*ast.TypeSpec).Name.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// shared names the mutable state that an expression, a type or a value, is or contains: a mutex or a map.
func shared(expr ast.Expr) string {
	found := ""
	if expr == nil {
		return found
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncType:
			return false
		case *ast.MapType:
			found = "map"
		case *ast.SelectorExpr:
			if s := types.ExprString(n); strings.HasSuffix(s, "Mutex") && strings.HasPrefix(s, "sync.") || s == "sync.Map" {
				found = s
			}
		}
		return true
	})
	return found
}

// on returns the files that are compiled on a platform.
func (t *tree) on(platform string, files []*file) []*file {
	context := build.Default
	context.GOOS, context.GOARCH, _ = strings.Cut(platform, "/")
	context.CgoEnabled = false
	var match []*file
	for _, f := range files {
		path := filepath.Join(t.root, filepath.FromSlash(f.path))
		if ok, err := context.MatchFile(filepath.Dir(path), filepath.Base(path)); err == nil && ok {
			match = append(match, f)
		}
	}
	return match
}

// internal reports whether a folder's package can be imported only by this module, or is a tool, which nobody imports.
func internal(dir string) bool {
	folders := strings.Split(dir, "/")
	return folders[0] == "tools" || slices.Contains(folders, "internal")
}
