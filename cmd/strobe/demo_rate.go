// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/sim"
	"github.com/strobe-go/strobe/stat"
)

// rate returns the rate of ticks over the run; ok is false if it was too short for one.
func (d *demo) rate() (iv stat.Interval, ok bool) {
	g := d.gauges[sim.Tick]
	return gridRate(g.n, g.last.Sub(g.first), d.pacer.Stats().LatenessP99)
}

// gridRate returns how many of n ticks began per second between the first beginning and the last, span later, when 99 of 100
// ticks are late by no more than late.
//
// The interval is not that of a mean of so many samples. Each tick begins at a point of the grid plus its lateness, so the
// lateness of every tick but the first and the last adds to one interval what it takes from the next: the sum telescopes,
// and all that chance can do is to delay those two, each by up to late in 99 of 100 cases and never by less than nothing.
// Both keep to that in at least 98 of 100, however lateness is distributed or correlated. The interval says how well the
// rate of this run is known; missed ticks lower the rate, and are counted apart.
func gridRate(n uint64, span, late time.Duration) (iv stat.Interval, ok bool) {
	late = max(late, time.Microsecond) // a tick begins some tens of ns after the pacer has looked at the clock
	if n < 2 || span <= 2*late {
		return stat.Interval{}, false
	}
	hz := float64(n-1) / span.Seconds()
	half := hz * late.Seconds() / (span - late).Seconds() // of the farther bound
	return stat.Interval{
		Center: hz,
		Lo:     hz - half,
		Hi:     hz + half,
		Level:  0.98,
		Method: "lateness of both ends",
		N:      n - 1,
	}, true
}
