// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Sound type-checks every package of the modules at root and its tests, as each platform sees them, and vets those with files that no
// earlier platform has. It needs no compiled packages, so each platform takes little time. It does not find errors that only the
// compiler detects.
func Sound(root string, policy *Policy) ([]Violation, error) {
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	c := &checker{policy: policy, tree: tree, loader: newLoader(tree)}
	seen := fresh{}
	for _, platform := range policy.Platforms {
		packages, err := tree.listWithTests(platform)
		if err != nil {
			return nil, err
		}
		c.loader.on(platform, packages)
		ours, tested := c.importedFirst(packages), map[string]*types.Package{}
		vets := map[string]func(token.Position, string){}
		failed := func(p *listed, err error) { c.report(c.tree.rel(p.Dir), "types", "on %s: %v", platform, err) }
		for _, p := range ours {
			if seen.any(p.Dir, slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles, p.SFiles)) {
				vets[p.ImportPath] = func(pos token.Position, message string) {
					c.report(c.tree.rel(pos.Filename), "vet", "line %d, on %s: %s", pos.Line, platform, message)
				}
			}
			if pkg, err := c.loader.inside(p, vets[p.ImportPath]); err != nil {
				failed(p, err)
			} else {
				tested[p.ImportPath] = pkg
			}
		}
		for _, p := range ours {
			if pkg := tested[p.ImportPath]; pkg != nil {
				if err := c.loader.outside(p, pkg, vets[p.ImportPath]); err != nil {
					failed(p, err)
				}
			}
		}
	}
	return c.sorted(), nil
}

// importedFirst returns the packages of the tree, each after those that it and its internal tests import.
func (c *checker) importedFirst(packages map[string]*listed) (sorted []*listed) {
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		p := packages[path]
		if _, ours := c.tree.name(path); !ours || p == nil || p.DepOnly || seen[path] {
			return
		}
		seen[path] = true
		for _, imp := range slices.Concat(p.Imports, p.TestImports) {
			add(imp)
		}
		sorted = append(sorted, p)
	}
	for _, path := range sortedKeys(packages) {
		add(path)
	}
	return sorted
}

// listWithTests is like list, with the dependencies of tests.
func (t *tree) listWithTests(platform string) (map[string]*listed, error) {
	packages, err := t.list(platform, t.workspace.patterns()...)
	if err != nil {
		return nil, err
	}
	more := map[string]bool{}
	for _, p := range packages {
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if !p.DepOnly && packages[imp] == nil {
				more[imp] = true
			}
		}
	}
	if len(more) == 0 {
		return packages, nil
	}
	ofTests, err := t.list(platform, sortedKeys(more)...)
	if err != nil {
		return nil, fmt.Errorf("what tests import: %w", err)
	}
	for path, p := range ofTests {
		if packages[path] == nil {
			p.DepOnly = true
			packages[path] = p
		}
	}
	return packages, nil
}

// inside type-checks a package with its internal tests, and vets it unless vet is nil.
func (l *loader) inside(p *listed, vet func(token.Position, string)) (*types.Package, error) {
	inside := *p
	inside.GoFiles = slices.Concat(p.GoFiles, p.TestGoFiles)
	return l.soundOne(&inside, p.ImportPath, vet)
}

// outside type-checks the external tests of a package, which may use declarations of its internal ones, and vets them unless vet
// is nil.
func (l *loader) outside(p *listed, tested *types.Package, vet func(token.Position, string)) error {
	if len(p.XTestGoFiles) == 0 {
		return nil
	}
	plain := l.types
	defer func() { l.types = plain }()
	l.types = maps.Clone(plain)
	seen := map[string]bool{p.ImportPath: true}
	// Importers of the package must also use the one with tests.
	maps.DeleteFunc(l.types, func(path string, _ *types.Package) bool { return l.leads(path, seen) })
	l.types[p.ImportPath] = tested
	outside := *p
	outside.GoFiles, outside.SFiles = p.XTestGoFiles, nil
	_, err := l.soundOne(&outside, p.ImportPath+"_test", vet)
	return err
}

func (l *loader) soundOne(p *listed, path string, vet func(token.Position, string)) (*types.Package, error) {
	conf, info := config(l.platform), newInfo()
	conf.GoVersion = "go" + p.Module.GoVersion
	if vet == nil {
		info = nil
	}
	pkg, err := l.check(p, path, conf, info)
	if err != nil || vet == nil {
		return pkg, err
	}
	for _, f := range l.filesOf(p) {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil && len(p.SFiles) == 0 { // which the compiler finds
				vet(l.fset.Position(f.Pos()), f.Name.Name+" has no body, and the package no assembly")
			}
		}
	}
	return pkg, l.vet(pkg, info, p, vet)
}

// leads reports whether a package's imports lead to a package marked true in known, to which it adds its results.
func (l *loader) leads(path string, known map[string]bool) bool {
	yes, ok := known[path]
	if p := l.listed[path]; !ok && p != nil && !p.Standard {
		yes = slices.ContainsFunc(p.Imports, func(imp string) bool { return l.leads(imp, known) })
		known[path] = yes
	}
	return yes
}
