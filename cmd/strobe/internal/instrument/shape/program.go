// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	goversion "go/version"
	"io"
)

// A Program holds packages with their types. It is not safe for concurrent use.
type Program struct {
	fset     *token.FileSet
	sizes    types.Sizes
	compiled types.Importer
	packages map[string]*types.Package
	all      []*Package
	missing  error
}

// A Package is a package of a program whose functions get zones.
type Package struct {
	pkg     *types.Package
	files   []*ast.File
	info    *types.Info
	generic bool // each file may have generic functions
}

// NewProgram returns a program without packages. The files of its packages are parsed with fset, for a processor such as "amd64".
// Export returns what the compiler wrote about a package that is imported and not added, as the Export of go list names it.
func NewProgram(fset *token.FileSet, arch string, export func(path string) (io.ReadCloser, error)) *Program {
	return &Program{
		fset:     fset,
		sizes:    types.SizesFor("gc", arch),
		compiled: importer.ForCompiler(fset, "gc", export),
		packages: map[string]*types.Package{},
	}
}

// Add adds a package with its files, after those that it imports. Version is the version of the language, such as "go1.24"; "" is the
// latest. What does not type-check, for example since a package that it imports is missing, remains without a type.
func (p *Program) Add(path, version string, files []*ast.File) *Package {
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},

		FileVersions: map[*ast.File]string{},
	}
	config := types.Config{
		Importer:    (*imports)(p),
		Sizes:       p.sizes,
		GoVersion:   version,
		FakeImportC: true,
		Error:       func(error) {}, // the compiler reports what is wrong
	}
	checked, _ := config.Check(path, p.fset, files, info)
	p.packages[path] = checked
	pkg := &Package{pkg: checked, files: files, info: info, generic: true}
	for _, f := range files {
		language := info.FileVersions[f]
		pkg.generic = pkg.generic && (language == "" || goversion.Compare(language, "go1.18") >= 0)
	}
	p.all = append(p.all, pkg)
	return pkg
}

// Missing returns the first error of an import; nil if there was none. Calls of the packages that are missing are not recognised.
func (p *Program) Missing() error { return p.missing }

// imports finds the packages that are imported.
type imports Program

func (p *imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if added := p.packages[path]; added != nil {
		return added, nil
	}
	found, err := p.compiled.Import(path)
	if err != nil && p.missing == nil {
		p.missing = err
	}
	return found, err
}

// called returns the function or method that a call names; nil if it calls a value, a type or a builtin.
func (p *Package) called(call *ast.CallExpr) *types.Func {
	f := ast.Unparen(call.Fun)
	switch index := f.(type) { // of a generic function
	case *ast.IndexExpr:
		f = index.X
	case *ast.IndexListExpr:
		f = index.X
	}
	var name *ast.Ident
	switch f := f.(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return nil
	}
	if f, ok := p.info.Uses[name].(*types.Func); ok {
		return f.Origin()
	}
	return nil
}
