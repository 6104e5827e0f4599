// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
)

// A loader type-checks packages from their source, for one platform at a time. It needs no compiled
// packages, so other platforms take no longer than this one.
type loader struct {
	fset     *token.FileSet
	parsed   map[string]*ast.File // of the tree, by absolute path
	platform string
	listed   map[string]*listed
	types    map[string]*types.Package // of the platform
	facts    facts
}

// newLoader returns a loader that uses the parsed files of a tree.
func newLoader(t *tree) *loader {
	l := &loader{fset: t.fset, parsed: map[string]*ast.File{}, facts: facts{}}
	for _, f := range t.files {
		l.parsed[filepath.Join(t.root, filepath.FromSlash(f.path))] = f.ast
	}
	return l
}

// on selects the platform and its packages.
func (l *loader) on(platform string, packages map[string]*listed) {
	l.platform, l.listed = platform, packages
	l.types = map[string]*types.Package{"unsafe": types.Unsafe}
}

// Import implements types.Importer. It returns the declarations of a package, without function bodies.
func (l *loader) Import(path string) (*types.Package, error) {
	if p := l.types[path]; p != nil {
		return p, nil
	}
	listed := l.listed[path]
	if listed == nil {
		return nil, fmt.Errorf("go list does not name %s on %s", path, l.platform)
	}
	if listed.Standard {
		return outsideTrees().standard(l.platform, l.listed, path)
	}
	p, err := l.check(listed, path, bodiless(l.platform), nil)
	if p != nil {
		l.types[path], err = p, nil
	}
	return p, err
}

// check type-checks the GoFiles of p as the package of that path.
func (l *loader) check(p *listed, path string, conf *types.Config, info *types.Info) (*types.Package, error) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := l.parse(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf.Importer = importerFunc(func(imp string) (*types.Package, error) { return l.Import(p.mapped(imp)) })
	return conf.Check(path, l.fset, files, info)
}

func (l *loader) parse(path string) (*ast.File, error) {
	if f := l.parsed[path]; f != nil {
		return f, nil
	}
	return outsideTrees().parse(path)
}

// filesOf returns the GoFiles of a package that was checked.
func (l *loader) filesOf(p *listed) []*ast.File {
	var files []*ast.File
	for _, name := range p.GoFiles {
		files = append(files, l.parsed[filepath.Join(p.Dir, name)])
	}
	return files
}
