// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
)

// widest is the number of characters of a name that are shown.
const widest = 40

// String returns a table of the zones that were entered, summed over all lanes, sorted by self time, or by total where the
// self time is unknown, the largest first, followed by the notes. Total is the time in the zone including the spans inside,
// and self the time without them; "-" is an unknown value. Names longer than 40 characters are cut in the middle, and
// characters that would control a terminal become "?".
func (s Snapshot) String() string {
	all := s.Totals()
	slices.SortStableFunc(all, func(a, b ZoneStats) int { return cmp.Compare(b.weight(), a.weight()) })
	all = slices.DeleteFunc(all, func(z ZoneStats) bool { return z.Calls == 0 && z.Open == 0 })
	width := len("zone")
	for _, z := range all {
		width = max(width, utf8.RuneCountInString(plain.Name(s.Zones[z.Zone].Name, widest)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %12s %11s %11s %11s %11s\n", width, "zone", "calls", "total", "self", "mean", "p99")
	for _, z := range all {
		fmt.Fprintf(&b, "%-*s %12d %11s %11s %11s %11s\n", width, plain.Name(s.Zones[z.Zone].Name, widest), z.Calls, text(z.Total, true), text(z.Self, !z.SelfUnknown),
			text(z.Mean()), text(z.Quantile(0.99)))
	}
	for _, n := range s.Notes {
		b.WriteString(plain.Text(n) + "\n")
	}
	return b.String()
}

// weight is by what zones are ordered.
func (z ZoneStats) weight() time.Duration {
	if z.SelfUnknown {
		return z.Total
	}
	return z.Self
}

func text[T time.Duration | float64](ns T, known bool) string {
	if !known {
		return "-"
	}
	return units.Duration(float64(ns))
}
