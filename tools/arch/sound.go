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
		for _, path := range sortedKeys(packages) {
			p := packages[path]
			if _, ours := c.tree.name(path); !ours || p.DepOnly {
				continue
			}
			var vet func(token.Position, string)
			if seen.any(p.Dir, slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles, p.SFiles)) {
				vet = func(pos token.Position, message string) {
					c.report(c.tree.rel(pos.Filename), "vet", "line %d, on %s: %s", pos.Line, platform, message)
				}
			}
			if err := c.loader.sound(p, vet); err != nil {
				c.report(c.tree.rel(p.Dir), "types", "on %s: %v", platform, err)
			}
		}
	}
	return c.sorted(), nil
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

// sound type-checks a package with its internal tests, then its external tests, which may use declarations of the internal
// ones. It vets both unless vet is nil.
func (l *loader) sound(p *listed, vet func(token.Position, string)) error {
	inside, outside := *p, *p
	inside.GoFiles = slices.Concat(p.GoFiles, p.TestGoFiles)
	tested, err := l.soundOne(&inside, p.ImportPath, vet)
	if err != nil || len(p.XTestGoFiles) == 0 {
		return err
	}
	plain := l.types
	defer func() { l.types = plain }()
	l.types = maps.Clone(plain)
	seen := map[string]bool{p.ImportPath: true}
	// Importers of the package must also use the one with tests.
	maps.DeleteFunc(l.types, func(path string, _ *types.Package) bool { return l.leads(path, seen) })
	l.types[p.ImportPath] = tested
	outside.GoFiles, outside.SFiles = p.XTestGoFiles, nil
	_, err = l.soundOne(&outside, p.ImportPath+"_test", vet)
	return err
}

func (l *loader) soundOne(p *listed, path string, vet func(token.Position, string)) (*types.Package, error) {
	conf, info := &types.Config{GoVersion: "go" + p.Module.GoVersion}, newInfo()
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
