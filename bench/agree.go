// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// disjoint reports whether two intervals of a ratio are so far apart that they contradict each other.
func disjoint(a, b stat.Interval) bool {
	return a.Bounded() && b.Bounded() && (a.Lo > (1+negligible)*b.Hi || b.Lo > (1+negligible)*a.Hi)
}

// depends reports whether the long stretches contradict the rounds, because the cost depends on the number of calls. It does not
// if only the processor time of the long stretches contradicts them, and the elapsed time clearly agrees: then other goroutines
// were working.
func (c Comparison) depends() bool {
	return c.Long != nil && disjoint(c.Long.Ratio, c.Ratio) && !disjoint(c.Long.Elapsed, c.Long.Ratio)
}

// weigh returns the verdict on both ratios.
func (c Comparison) weigh() decide.Verdict {
	switch {
	case c.depends():
		return judge(c.Long.Ratio, c.Within)
	case c.Verdict != decide.Slower && c.unconfirmed(c.Within) != "" && (disjoint(c.Long.Ratio, c.Ratio) || c.Long.unseen(c.Within) != ""):
		return decide.Inconclusive
	}
	return c.Verdict
}

// The bounds within which long stretches confirm that a function is not slower than allowed.
const (
	confirming = 0.1      // half of the widest interval, unless the limit is larger
	negligible = 0.02     // share of the cost that does not count: after a batch of the other function the caches differ
	smallHeap  = 16 << 20 // bytes in use: in a smaller heap, what a function keeps hardly makes collections slower
)

// unconfirmed returns why the long stretches do not confirm that the other is slower by at most the limit; "" if they do, or if
// there are none.
func (c Comparison) unconfirmed(limit float64) string {
	l := c.Long
	if l == nil {
		return ""
	}
	percent := func(iv stat.Interval) string {
		return units.Change(100*(iv.Center-1), 100*(iv.Lo-1), 100*(iv.Hi-1), "%")
	}
	switch {
	case !l.Ratio.Bounded():
		return "the cost in long stretches of calls is not known: " + l.Ratio.Reason
	case l.Ratio.Center > 1+limit:
		return fmt.Sprintf("in long stretches of calls it costs %s by %s", percent(l.Ratio), costName(l.Ratio))
	case l.Elapsed.Bounded() && l.Elapsed.Lo > max(1+limit, c.Ratio.Hi):
		return fmt.Sprintf("long stretches of calls take %s longer", percent(l.Elapsed))
	case l.Ratio.Half() > max(confirming, limit):
		return fmt.Sprintf("the cost in long stretches of calls is known only as %s, which more time would improve", percent(l.Ratio))
	}
	return l.unseen(limit)
}

// unseen describes the part of the cost that cannot be attributed to one of the functions; "" if it is too small to matter.
func (l *Long) unseen(limit float64) string {
	most := max(negligible, limit/2)
	switch {
	case l.Beside.Known() && l.Beside.Center > most:
		return fmt.Sprintf("while neither function was called, this program used %.0f %% as much processor time as during the calls, and whose work that is cannot be told: measure with nothing else running",
			100*l.Beside.Center)
	case l.Collector.Known() && l.Collector.Center > most && l.Live > smallHeap:
		return fmt.Sprintf("the garbage collector took %.0f %% of the processor time for a heap of %d MB, and which function keeps it cannot be told: measure each in a program of its own, with strobe gate, or leave the collector out with debug.SetGCPercent(-1)",
			100*l.Collector.Center, l.Live>>20)
	}
	return ""
}

// dearer reports whether the long stretches show that the other is slower than allowed, whatever the rounds say.
func (c Comparison) dearer(limit float64) bool {
	if c.Long == nil || !c.Long.Ratio.Bounded() || !(c.Long.Ratio.Lo > 1+limit) {
		return false
	}
	return !c.Long.Elapsed.Bounded() || c.Long.Elapsed.Hi > 1+limit
}

// cheaper reports whether the long stretches show that the other is not slower than allowed, whatever the rounds say.
func (c Comparison) cheaper(limit float64) bool {
	return c.Long != nil && c.Long.Ratio.Bounded() && c.Long.Elapsed.Bounded() && math.Max(c.Long.Ratio.Hi, c.Long.Elapsed.Hi) <= 1+limit
}
