// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"strings"
)

// report says what was found about constant number i.
func (r results) report(c *constant, i int) string {
	values, at := c.values(), 0
	for values[at] != c.value() {
		at++
	}
	low, high := at, at
	for low > 0 && r.broken(i, low-1) == "" {
		low--
	}
	for high < len(values)-1 && r.broken(i, high+1) == "" {
		high++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s = %.4g, found between %.4g and %.4g\n", c.name, c.value(), values[low], values[high])
	side := func(name string, k int) {
		if k < 0 || k >= len(values) {
			end := min(max(k, 0), len(values)-1)
			fmt.Fprintf(&b, "  %-8s nothing breaks; %s\n", name, r.most(func(x result) trial { return x.families[i].values[end] }))
			return
		}
		fmt.Fprintf(&b, "  %-8s %.4g: %s\n", name, values[k], r.broken(i, k))
	}
	side("below", low-1)
	side("above", high+1)
	fmt.Fprintf(&b, "  %-8s %s: %s\n", "without", c.how, r.most(func(x result) trial { return x.families[i].off }))
	return b.String()
}

// broken says which promises value k of constant i breaks that those in use keep; it is empty if none.
func (r results) broken(i, k int) string {
	var all []string
	for _, x := range r {
		t := x.families[i].values[k]
		why := x.Broken(x.n, t.tally.Tally)
		if why == "" || x.Broken(x.n, x.now.Tally) != "" {
			continue
		}
		for _, f := range figures(x.process) {
			if f.worse(t, x.now) > 2 {
				all = append(all, x.say(f, t))
				break
			}
		}
	}
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more", len(all)-3))
	}
	return strings.Join(all, "; ")
}

func (x *result) say(f figure, t trial) string {
	return fmt.Sprintf("%s, n=%d: %s %s, with the value in use %s", x.Name, x.n, f.say(t.tally), f, f.say(x.now))
}

// most says in which cell each figure gets worse, and better, by most: what a trial costs, and what it buys.
func (r results) most(of func(result) trial) string {
	var all []string
	for _, f := range []figure{covered, caught, needless, width} {
		worst, by := "", 2.0
		best, gain := "", -2.0
		for _, x := range r {
			for _, own := range figures(x.process) {
				if own != f {
					continue
				}
				t := of(x)
				if d := f.worse(t, x.now); d > by && !math.IsInf(d, 0) {
					worst, by = x.say(f, t), d
				} else if d < gain && !math.IsInf(d, 0) {
					best, gain = x.say(f, t), d
				}
			}
		}
		if worst != "" {
			all = append(all, "worse in "+worst)
		}
		if best != "" {
			all = append(all, "better in "+best)
		}
	}
	if len(all) == 0 {
		return "no figure changes"
	}
	return strings.Join(all, ";\n           ")
}

// compare says what becomes of the figure of the constant's witness without the constant.
func (c *constant) compare(series int) string {
	now, off := c.witnessed(series)
	f := c.seen.figure
	return fmt.Sprintf("%s = %.4g: %s, n=%d: %s %s, without (%s) %s", c.name, c.value(), c.seen.process, c.seen.n, f.say(now), f, c.how, f.say(off.tally))
}

// witnessed simulates the constant's witness, with the constant in use and without it.
func (c *constant) witnessed(series int) (now tally, off trial) {
	families := []family{{off: trial{constants: c.with(c.off)}}}
	where := cellOf(c.seen)
	now = where.simulate(series, families)
	return now, families[0].off
}
