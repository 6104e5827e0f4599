// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"fmt"
	"time"

	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/stat"
)

// tickRate returns the rate at which ticks started over the run; ok is false if it was too short for one. Deadlines that were
// missed do not count.
func tickRate(p pace.Stats) (iv stat.Interval, ok bool) {
	if p.Waits < 2 || p.Slept == 0 {
		return stat.Interval{}, false
	}
	return rateOf(p.Waits-1, p.Elapsed, p.LatenessP99)
}

// deadlines says how many there were, met and missed.
func deadlines(p pace.Stats) string {
	return fmt.Sprintf("of %d deadlines, %d were met and %d missed", p.Waits+p.Missed, p.Waits, p.Missed)
}

// rateOf returns the rate of n+1 wake-ups, of which the last came span after the first, when 99 of 100 wake-ups are late by no
// more than late.
//
// The interval is not that of a mean of n samples. Each wake-up is a deadline plus its lateness, so the lateness of every one but
// the first and the last adds to one period what it takes from the next: the sum telescopes, and chance can only delay those two,
// each by up to late in 99 of 100 cases and never by less than nothing. Both keep to that in at least 98 of 100, however lateness
// is distributed or correlated.
func rateOf(n uint64, span, late time.Duration) (iv stat.Interval, ok bool) {
	late = max(late, time.Microsecond) // the clock is read some tens of ns later, and in steps
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
