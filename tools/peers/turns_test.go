// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"cmp"
	"slices"
	"testing"
	"time"
)

// A duel measures a loop and its base in turns of about 100 µs, so that whatever slows the machine down affects both.
type duel struct {
	name       string
	base, loop func(n int) // do it n times
	perTurn    int         // n in a turn
	spans      int         // spans in one of n; 0 means 1
	prepare    func(b *testing.B)
	before     func(loop bool) // called before each turn of the loop or the base, not timed
	turns      int             // 0 means duelTurns
}

// duelTurns is the number of turns of loop and base in a round.
const duelTurns = 101

// run returns the row of a duel. Its metrics are medians over the turns: ns of a span, that of the base, and their ratio.
func (d duel) run() row {
	return row{d.name, func(b *testing.B) {
		if d.prepare != nil {
			d.prepare(b)
		}
		once(b, func() map[string]float64 {
			ratio, ns, base := inTurns(cmp.Or(d.turns, duelTurns), d.perTurn, d.base, d.loop, d.before)
			per := float64(d.perTurn * max(1, d.spans))
			return map[string]float64{"ratio": ratio, "ns": ns / per, "base-ns": base / per}
		})
	}}
}

// inTurns returns the median ratio of loop(n) to base(n) and the median of each, in ns. They take turns in beginning.
func inTurns(turns, n int, base, loop func(n int), before func(loop bool)) (ratio, loopNs, baseNs float64) {
	turn := func(loops bool) float64 {
		f := base
		if loops {
			f = loop
		}
		if before != nil {
			before(loops)
		}
		return timed(f, n)
	}
	turn(false)
	turn(true)
	var ratios, loops, bases []float64
	for i := range turns {
		var x, y float64
		if i%2 == 0 {
			x = turn(false)
			y = turn(true)
		} else {
			y = turn(true)
			x = turn(false)
		}
		ratios, loops, bases = append(ratios, y/x), append(loops, y), append(bases, x)
	}
	return median(ratios), median(loops), median(bases)
}

// timed returns the duration of f(n) in ns.
func timed(f func(n int), n int) float64 {
	begin := time.Now()
	f(n)
	return float64(time.Since(begin))
}

// median returns the median of v, which it sorts; 0 if there is none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
