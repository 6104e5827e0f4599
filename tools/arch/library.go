// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"
)

// A library is what trees import and do not contain. It is parsed once for all loaders of the process, without function bodies, and
// the standard library is type-checked once for each platform.
type library struct {
	fset   *token.FileSet // also of the trees
	mu     sync.Mutex
	parsed map[string]*ast.File                 // by absolute path
	types  map[string]map[string]*types.Package // of the standard library, by platform and path
}

var outsideTrees = sync.OnceValue(func() *library {
	return &library{fset: token.NewFileSet(), parsed: map[string]*ast.File{}, types: map[string]map[string]*types.Package{}}
})

// standard returns the declarations of a listed package of the standard library.
func (l *library) standard(platform string, packages map[string]*listed, path string) (*types.Package, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.types[platform] == nil {
		l.types[platform] = map[string]*types.Package{"unsafe": types.Unsafe}
	}
	return l.check(platform, packages, path)
}

func (l *library) check(platform string, packages map[string]*listed, path string) (*types.Package, error) {
	if p := l.types[platform][path]; p != nil {
		return p, nil
	}
	p := packages[path]
	if p == nil {
		return nil, fmt.Errorf("go list does not name %s on %s", path, platform)
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := l.read(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := bodiless(platform)
	conf.Importer = importerFunc(func(imp string) (*types.Package, error) { return l.check(platform, packages, p.mapped(imp)) })
	pkg, err := conf.Check(path, l.fset, files, nil)
	if pkg == nil {
		return nil, err
	}
	l.types[platform][path] = pkg
	return pkg, nil
}

// parse returns a file without function bodies.
func (l *library) parse(path string) (*ast.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.read(path)
}

func (l *library) read(path string) (*ast.File, error) {
	if f := l.parsed[path]; f != nil {
		return f, nil
	}
	f, err := parser.ParseFile(l.fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil // most of the memory, and nothing looks at it
		}
	}
	l.parsed[path] = f
	return f, nil
}

// config returns what type-checking for a platform needs.
func config(platform string) *types.Config {
	_, arch, _ := strings.Cut(platform, "/")
	return &types.Config{FakeImportC: true, Sizes: types.SizesFor("gc", arch)}
}

// bodiless returns a config that ignores function bodies, and errors such as those about functions in assembly.
func bodiless(platform string) *types.Config {
	conf := config(platform)
	conf.IgnoreFuncBodies, conf.Error = true, func(error) {}
	return conf
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
