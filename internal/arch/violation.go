// SPDX-License-Identifier: BSD-3-Clause

package arch

import "fmt"

// A Violation is one breach of the policy.
type Violation struct {
	Where string // file or folder, relative to the root
	Rule  string // the rule's name
	What  string // what is wrong and what to do
}

// String returns "where: rule: what".
func (v Violation) String() string { return v.Where + ": " + v.Rule + ": " + v.What }

// A checker collects violations.
type checker struct {
	policy *Policy
	tree   *tree
	loader *loader
	found  []Violation
}

func (c *checker) report(where, rule, format string, args ...any) {
	c.found = append(c.found, Violation{where, rule, fmt.Sprintf(format, args...)})
}
