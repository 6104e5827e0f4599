// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

const (
	mostCauses = 3   // that a sentence names
	leastPart  = 0.1 // of the growth that a cause must have for that
	severalRun = 1.1 // processor time over elapsed time from which on several goroutines run at a time
)

// Causes returns the functions that made the benchmark slower, those that did most first.
func (c *Comparison) Causes() (all []Function) {
	growth := c.Cost.Call[New] - c.Cost.Call[Base]
	for _, f := range c.Functions {
		if f.Own.Changed && growth > 0 && f.Own.Difference.Center >= leastPart*growth && len(all) < mostCauses {
			all = append(all, f)
		}
	}
	return all
}

// Cause returns half a sentence that names the functions that made the benchmark slower, as far as the samples show; "" if they
// do not.
func (c *Comparison) Cause() string {
	growth := c.Cost.Call[New] - c.Cost.Call[Base]
	if !(growth > 0) {
		return ""
	}
	var parts []string
	for _, f := range c.Causes() {
		parts = append(parts, Short(f.Name)+": "+InTime(f.Own.Difference))
	}
	what := ""
	if c.Waiting.Changed && c.Waiting.Difference.Center >= growth/2 {
		parts = append(parts, "waiting: "+InTime(c.Waiting.Difference))
	} else if max(c.Busy[Base], c.Busy[New]) > severalRun {
		what = " of processor time"
	}
	if len(parts) == 0 {
		return ""
	}
	return "since " + join(parts) + what + ", of +" + units.Duration(growth) + " a call"
}

// Explained reports whether the claimed differences make up at least half of the growth, with an uncertainty of at most a third
// of it.
func (c *Comparison) Explained() bool {
	growth, sum, half := c.Cost.Call[New]-c.Cost.Call[Base], 0.0, 0.0
	add := func(x Change) {
		if x.Changed {
			sum += x.Difference.Center
			half = max(half, x.Difference.Half())
		}
	}
	for _, f := range c.Functions {
		if !f.Standard {
			add(f.Own)
		}
	}
	add(c.Waiting)
	return growth > 0 && sum >= growth/2 && half <= growth/3
}

// join joins a list for a sentence.
func join(parts []string) string {
	if n := len(parts); n > 1 {
		return fmt.Sprintf("%s and %s", strings.Join(parts[:n-1], ", "), parts[n-1])
	}
	return parts[0]
}

// Allocating returns the functions that certainly allocate more, those that allocate most more first.
func Allocating(all []Allocation) (more []Allocation) {
	for _, a := range all {
		if (a.Bytes.grown() || a.Objects.grown()) && len(more) < mostCauses {
			more = append(more, a)
		}
	}
	return more
}

// grown reports whether there is more on the new side.
func (c Change) grown() bool { return c.Changed && c.Difference.Center > 0 }

// Allocates returns half a sentence that names these functions; "" if there are none.
func Allocates(all []Allocation) string {
	var parts []string
	for _, a := range Allocating(all) {
		var more []string
		if a.Bytes.grown() {
			more = append(more, InCounts(a.Bytes.Difference, "B"))
		}
		if a.Objects.grown() {
			unit := "allocations"
			if a.Objects.Difference.Center == 1 {
				unit = "allocation"
			}
			more = append(more, InCounts(a.Objects.Difference, unit))
		}
		parts = append(parts, Short(a.Name)+": "+strings.Join(more, " in "))
	}
	if len(parts) == 0 {
		return ""
	}
	return "more is allocated a call by " + join(parts)
}

// InTime writes a difference in ns.
func InTime(iv stat.Interval) string {
	per, unit := units.Scale(math.Abs(iv.Center))
	return inUnit(iv, per, unit)
}

// InCounts writes a difference of counts.
func InCounts(iv stat.Interval, unit string) string { return inUnit(iv, 1, unit) }

// inUnit writes a difference with its interval, if it is not exact.
func inUnit(iv stat.Interval, per float64, unit string) string {
	switch {
	case iv.Bounded() && iv.Lo < iv.Hi:
		return units.Change(iv.Center/per, iv.Lo/per, iv.Hi/per, unit)
	case iv.Center > 0:
		return "+" + units.Approx(iv.Center/per, unit)
	}
	return units.Approx(iv.Center/per, unit)
}
