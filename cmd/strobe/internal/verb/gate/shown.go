// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/stat/decide"
)

// mostShown is the length that lists are cut to without --all: of benchmarks, the worst ones come first.
const mostShown = 20

// shown returns the rows of the tables, those of a package together, the worst first, then what changed.
func (r *report) shown() []*row {
	all := make([]*row, len(r.rows))
	for i := range r.rows {
		all[i] = &r.rows[i]
	}
	slices.SortStableFunc(all, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.badness(), b.badness()), cmp.Compare(b.ratio(), a.ratio()))
	})
	if !r.m.flags.All {
		all = all[:min(len(all), mostShown)]
	}
	place := map[*pkg]int{}
	for i, x := range all {
		if _, ok := place[x.pkg]; !ok {
			place[x.pkg] = i
		}
	}
	slices.SortStableFunc(all, func(a, b *row) int { return cmp.Compare(place[a.pkg], place[b.pkg]) })
	return all
}

// badness orders rows by what asks for attention.
func (x *row) badness() int {
	waived := slices.ContainsFunc(x.answers, func(a answer) bool { return a.isWaived() })
	switch {
	case x.outcome == decide.Failed:
		return 0
	case x.outcome == decide.Undecided:
		return 1
	case waived || x.isWaived():
		return 2
	case x.proof == provenSlower:
		return 3
	case x.proof == provenFaster:
		return 4
	}
	return 5
}

// ratio returns the change by which rows are ordered, 0 if there is none.
func (x *row) ratio() float64 {
	if x.comparison.Ratio.Level == 0 {
		return 0
	}
	return x.comparison.Ratio.Center
}

// coverage says what the tables have, and how to see the rest.
func (r *report) coverage() string {
	shown, all := min(len(r.rows), mostShown), len(r.rows)
	if r.m.flags.All {
		shown = all
	}
	text := fmt.Sprintf("%d of %s", shown, layout.Plural(uint64(all), "benchmark"))
	if all > 1 {
		text += ", the worst first, then what changed"
	}
	if shown < all {
		return text + "; --all has the others too, and --json all figures"
	}
	return text + "; --json has all figures"
}

// some cuts a list without --all.
func (r *report) some(names []string) []string {
	if r.m.flags.All || len(names) <= mostShown {
		return names
	}
	return append(slices.Clone(names[:mostShown]), fmt.Sprintf("and %d more, which --all lists", len(names)-mostShown))
}

// list joins names, cut without --all.
func (r *report) list(names []string) string { return strings.Join(r.some(names), ", ") }
