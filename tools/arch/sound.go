// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
)

// Sound type-checks every package of the modules at root and its tests, as each platform sees them. It needs no compiled
// packages, so each platform takes little time. It does not find errors that only the compiler or vet detects.
func Sound(root string, policy *Policy) ([]Violation, error) {
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	c := &checker{policy: policy, tree: tree, loader: newLoader(tree)}
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
			if err := c.loader.sound(p); err != nil {
				c.report(c.tree.rel(p.Dir), "types", "on %s: %v", platform, err)
			}
		}
	}
	return c.found, nil
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
// ones.
func (l *loader) sound(p *listed) error {
	inside, outside := *p, *p
	inside.GoFiles = slices.Concat(p.GoFiles, p.TestGoFiles)
	tested, err := l.check(&inside, p.ImportPath, &types.Config{}, nil)
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
	outside.GoFiles = p.XTestGoFiles
	_, err = l.check(&outside, p.ImportPath+"_test", &types.Config{}, nil)
	return err
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
