// SPDX-License-Identifier: BSD-3-Clause

// Package toll estimates what spans cost the program that they measure.
//
// What a span costs is measured in the program, see profile.Snapshot, in two ways: where spans follow each other, and, several times as
// much, where other work has displaced the data of the zone from the caches. How far a program does that between two calls is not
// known, so an estimate has bounds.
package toll

import "time"

// A Cost is an estimate in ns.
type Cost struct{ Least, Likely, Most float64 }

// Plus returns the sum of two costs.
func (c Cost) Plus(d Cost) Cost { return Cost{c.Least + d.Least, c.Likely + d.Likely, c.Most + d.Most} }

// Times returns the cost of n things.
func (c Cost) Times(n float64) Cost { return Cost{c.Least * n, c.Likely * n, c.Most * n} }

// What a call costs in times of what it costs in a loop, between functions that do nothing: the compiler does less well in a function
// with a zone, which also displaces other code and data. A test has the programs in which this was found.
const (
	least  = 0.8
	likely = 1.4
	most   = 2.3
)

// InFunctions returns the cost of zones that take whole functions of a program: the likely one is higher than in a loop.
func (c Cost) InFunctions() Cost {
	c.Likely = min(likely*c.Likely, c.Most)
	return c
}

// InALoop returns the cost of something that was measured in a loop, between functions that do nothing.
func InALoop(ns float64) Cost { return Cost{least * ns, ns, most * ns} }

// Seldom is the time between two spans of a zone on a goroutine from which on other work may have displaced the zone's data: a program
// that copies memory replaces what a first-level cache holds in a few microseconds.
const Seldom = 5 * time.Microsecond

// Span returns the cost of a span of a zone that began so many spans in a time. inALoop and cold are what a span costs where others
// directly precede it, and where its data are not in the caches. The longer the time between two spans, the likelier that is, so the
// estimate grows towards the mean of both.
func Span(inALoop, cold float64, spans uint64, in time.Duration) Cost {
	c := InALoop(inALoop)
	if warm := float64(spans) * float64(Seldom) / float64(in); spans > 0 && warm <= 1 && cold > inALoop {
		c.Likely, c.Most = inALoop+(1-warm)*(cold-inALoop)/2, max(c.Most, cold)
	}
	return c
}
