// SPDX-License-Identifier: BSD-3-Clause

// Package arch holds the tree to policy.txt: who may import whom, what a program that imports
// the core links, how large a package's surface and a file may be, and that importing does no work.
//
// Everything is a function of a root folder, so that its own tests can plant a violation of each
// rule in a small module and see it named.
package arch

import (
	"fmt"
	"slices"
	"strings"
)

// A Violation is one breach of the policy.
type Violation struct {
	Where string // file or folder, relative to the root
	Rule  string // the rule's name
	What  string // what is wrong and what to do
}

// String returns "where: rule: what".
func (v Violation) String() string { return v.Where + ": " + v.Rule + ": " + v.What }

// Check returns every violation of the policy in the module at root, sorted. The error says why the
// tree could not be read at all.
func Check(root string, policy *Policy) ([]Violation, error) {
	tree, err := readTree(root)
	if err != nil {
		return nil, err
	}
	c := &checker{policy: policy, tree: tree}
	for _, file := range tree.files {
		c.checkFile(file)
	}
	for _, dir := range tree.packages() {
		c.checkSurface(dir)
	}
	for _, platform := range policy.Platforms {
		packages, err := list(root, platform)
		if err != nil {
			return nil, err
		}
		c.checkImports(platform, packages)
		c.checkWeight(platform, packages)
	}
	c.checkGolden()
	slices.SortFunc(c.found, func(a, b Violation) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(c.found), nil
}

type checker struct {
	policy *Policy
	tree   *tree
	found  []Violation
}

func (c *checker) report(where, rule, format string, args ...any) {
	c.found = append(c.found, Violation{where, rule, fmt.Sprintf(format, args...)})
}
