// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// unseen returns what the gate did not look at, a sentence each, so that it must not pass.
func (r *report) unseen() (reasons []string) {
	m := r.m
	if len(r.rows)+len(m.unchanged) == 0 {
		return []string{"nothing was compared: " + r.whyNothing()}
	}
	if c := m.checkout; c != nil && c.base == c.Head && c.Status == "" && len(r.rows) == 0 {
		reasons = append(reasons, fmt.Sprintf("nothing was compared: HEAD is the base itself, its own merge base with %s, and the working tree has no changes; give an earlier REV, such as HEAD~1", m.flags.Rev))
	}
	for _, f := range m.broken {
		if f.side == oldSide && !f.both {
			reasons = append(reasons, fmt.Sprintf("%s has nothing to be compared with: on the base it %s", f.name, f.why))
		}
	}
	for _, b := range m.all {
		if b.broken != "" && b.brokenSide == oldSide {
			reasons = append(reasons, fmt.Sprintf("%s.%s has nothing to be compared with: on the base it %s", b.pkg.path, b.name, b.broken))
		}
	}
	reasons = append(reasons, m.renamed...)
	for _, name := range m.flags.Require {
		if !r.compared(name) {
			reasons = append(reasons, fmt.Sprintf("no benchmark whose name contains %q was compared, as --require wants", name))
		}
	}
	if n := len(r.rows) + len(m.same); n < m.flags.MinCompared {
		reasons = append(reasons, fmt.Sprintf("%s compared, --min-compared wants %d", layout.Plural(uint64(n), "benchmark"), m.flags.MinCompared))
	}
	return reasons
}

// compared reports whether a benchmark whose name contains a text was compared, or is one of a program that is the same.
func (r *report) compared(text string) bool {
	return slices.ContainsFunc(r.rows, func(x row) bool { return strings.Contains("Benchmark"+x.name, text) }) ||
		slices.ContainsFunc(r.m.same, func(name string) bool { return strings.Contains("Benchmark"+name, text) })
}

// whyNothing says why no benchmark was compared, and what to do.
func (r *report) whyNothing() string {
	m := r.m
	var parts []string
	for side, complaints := range m.complaints {
		if len(complaints) > 0 {
			parts = append(parts, fmt.Sprintf("on %s go list says %q", sideNames[side], complaints[0]))
		}
	}
	builds := slices.ContainsFunc(m.broken, func(f fault) bool { return f.side == oldSide && !f.both })
	switch {
	case builds:
		parts = append(parts, "the base cannot be measured, as said above; give a REV whose base builds here")
	case len(m.added) > 0 && len(m.vanished) > 0:
		parts = append(parts, fmt.Sprintf("the base has %s and the working tree %s, none in common; --base-name OLD=NEW compares one that was renamed",
			layout.Plural(uint64(len(m.vanished)), "benchmark"), layout.Plural(uint64(len(m.added)), "other")))
	case len(m.vanished) > 0:
		parts = append(parts, fmt.Sprintf("%s of the base cannot be found in the working tree; if a build tag hides them, give it after --, such as -- -tags NAME",
			layout.Plural(uint64(len(m.vanished)), "benchmark")))
	case len(m.added) > 0:
		parts = append(parts, fmt.Sprintf("the base has none of the %s; from the next request on they are compared", layout.Plural(uint64(len(m.added)), "benchmark")))
	case len(parts) == 0:
		parts = append(parts, "each benchmark fails, as said above")
	}
	return strings.Join(parts, "; ")
}
