// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// Without --all, the tables together have mostRows rows, those that changed most, and other lists mostListed entries.
const (
	mostRows   = 60
	mostListed = 20
)

// A spot is a row of a table.
type spot struct {
	group int
	name  string
}

// A selection is the rows that are shown; all of them if rows is nil.
type selection struct {
	rows map[spot]bool
	of   int // number of all rows
}

// shown selects rows: those that differ, by the size of the difference, then the others in their order.
func (c *Flags) shown(all []group) selection {
	change := map[spot]float64{}
	var order []spot
	for i, g := range all {
		for _, l := range g.lines {
			at := spot{i, l.name}
			if _, known := change[at]; !known {
				order = append(order, at)
			}
			change[at] = max(change[at], l.size())
		}
	}
	s := selection{of: len(order)}
	if c.All || len(order) <= mostRows {
		return s
	}
	slices.SortStableFunc(order, func(a, b spot) int { return cmp.Compare(change[b], change[a]) })
	s.rows = map[spot]bool{}
	for _, at := range order[:mostRows] {
		s.rows[at] = true
	}
	return s
}

// size returns how large a difference is, as a logarithm of the ratio; 0 if none is shown.
func (l *line) size() float64 {
	if !l.differs() {
		return 0
	}
	if a, b := l.medians(); a > 0 && b > 0 {
		return math.Abs(math.Log(b / a))
	}
	return math.Inf(1)
}

// has reports whether a row is shown.
func (s selection) has(group int, name string) bool {
	return s.rows == nil || s.rows[spot{group, name}]
}

// coverage says what the tables have, and how to see the rest; "" if they have everything.
func (s selection) coverage() string {
	if s.rows == nil {
		return ""
	}
	return fmt.Sprintf("%d of %s, those that changed most; geomeans are over all. --all has the others too, and --json all figures.", len(s.rows), layout.Plural(uint64(s.of), "row"))
}

// some cuts a list without --all.
func (c *Flags) some(list []string) []string {
	if c.All || len(list) <= mostListed {
		return list
	}
	return append(slices.Clone(list[:mostListed]), fmt.Sprintf("and %d more, which --all lists", len(list)-mostListed))
}
