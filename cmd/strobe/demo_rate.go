// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"time"

	"github.com/strobe-go/strobe/stat"
)

// rate returns the rate of the pacer's grid over the run; ok is false if it was too short for one.
func (d *demo) rate() (iv stat.Interval, ok bool) {
	p := d.pacer.Stats()
	if p.Waits < 2 || p.Slept == 0 {
		return stat.Interval{}, false
	}
	return gridRate(p.Waits-1+p.Missed, p.Elapsed, p.LatenessP99)
}

// gridRate returns the rate of a grid of which n intervals lay between the first wake-up and the last, span later, when 99 of
// 100 wake-ups are late by no more than late. Points of the grid that were missed count: they passed all the same.
//
// The interval is not that of a mean of so many samples. Each wake-up is a point of the grid plus its lateness, so the
// lateness of every one but the first and the last adds to one period what it takes from the next: the sum telescopes, and
// all that chance can do is to delay those two, each by up to late in 99 of 100 cases and never by less than nothing. Both
// keep to that in at least 98 of 100, however lateness is distributed or correlated.
func gridRate(n uint64, span, late time.Duration) (iv stat.Interval, ok bool) {
	late = max(late, time.Microsecond) // the clock is read some tens of ns later, and by steps
	if n < 1 || span <= 2*late {
		return stat.Interval{}, false
	}
	hz := float64(n) / span.Seconds()
	half := hz * late.Seconds() / (span - late).Seconds() // of the farther bound
	return stat.Interval{
		Center: hz,
		Lo:     hz - half,
		Hi:     hz + half,
		Level:  0.98,
		Method: "lateness of both ends",
		N:      n,
	}, true
}
