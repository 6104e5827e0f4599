// SPDX-License-Identifier: BSD-3-Clause

// Package arch checks the tree against policy.txt: which package may import which, what a program that imports the core
// links, that calls between the files of a package form no cycle, that exported names are documented, told apart and the same on every
// platform, and that importing a package does no work.
//
// All checks take a root folder, so that tests can create a small module that violates each rule.
package arch

import (
	"slices"
	"strings"
)

// Check returns every violation of the policy in the modules at root, sorted. It returns an error if the tree cannot be read.
func Check(root string, policy *Policy) ([]Violation, error) {
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	c := &checker{policy: policy, tree: tree, loader: newLoader(tree)}
	for _, file := range tree.files {
		c.checkFile(file)
	}
	for _, dir := range tree.packages() {
		c.checkSurface(dir)
	}
	c.checkNames()
	for _, platform := range policy.Platforms {
		packages, err := tree.list(platform, tree.workspace.patterns()...)
		if err != nil {
			return nil, err
		}
		c.checkImports(platform, packages)
		c.checkWeight(platform, packages)
		c.loader.on(platform, packages)
		c.checkCircles(packages)
	}
	c.checkGolden()
	return c.sorted(), nil
}

// Circles returns the cycles of calls in the module at root on the first platform. The policy need not cover the module.
func Circles(root string, policy *Policy) ([]Violation, error) {
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	c := &checker{policy: policy, tree: tree, loader: newLoader(tree)}
	packages, err := tree.list(policy.Platforms[0], tree.workspace.patterns()...)
	if err != nil {
		return nil, err
	}
	for _, path := range sortedKeys(packages) {
		if p := packages[path]; !p.DepOnly && p.Error != nil { // it has no calls that could be checked
			c.report(path, "load", "%s", p.Error.Err)
		}
	}
	c.loader.on(policy.Platforms[0], packages)
	c.checkCircles(packages)
	return c.sorted(), nil
}

func (c *checker) sorted() []Violation {
	slices.SortFunc(c.found, func(a, b Violation) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(c.found)
}
