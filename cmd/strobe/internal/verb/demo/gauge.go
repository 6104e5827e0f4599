// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"fmt"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/rolling"
	"github.com/strobe-go/strobe/stat"
)

// A tally accumulates the durations of an operation.
type tally struct {
	mean stat.BatchMeans
	hist stat.Histogram
	busy time.Duration
}

func (t *tally) add(d time.Duration) {
	t.mean.Add(int64(d))
	t.hist.Record(int64(d))
	t.busy += d
}

// meanTime returns the mean duration with its interval, which does not extend below 0.
func (t *tally) meanTime() stat.Interval {
	iv := t.mean.Interval(0)
	if iv.Bounded() {
		iv.Lo = max(0, iv.Lo)
	}
	return iv
}

// A gauge measures one operation, for this second and for the whole run. It is safe for concurrent use.
type gauge struct {
	mu          sync.Mutex
	rate        rolling.Rate
	second, run *tally
	n           uint64
	first, last clock.Instant // beginnings of the first and the latest execution
}

func newGauge() *gauge { return &gauge{second: new(tally), run: new(tally)} }

func (g *gauge) observe(start, end clock.Instant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n == 0 {
		g.first, g.last = start, start
	}
	g.n++
	g.first, g.last = min(g.first, start), max(g.last, start) // goroutines that wait for the lock may overtake each other
	g.rate.Mark(start)
	d := end.Sub(start)
	g.second.add(d)
	g.run.add(d)
}

// turn returns this second's tally and begins the next.
func (g *gauge) turn(now clock.Instant) (second *tally, perSecond float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	second, g.second = g.second, new(tally)
	return second, g.rate.PerSecond(now)
}

// hertz returns the mean rate from the first beginning to the last: n beginnings bound n-1 intervals.
func (g *gauge) hertz() (rate float64, ok bool) {
	if g.n < 2 || g.last <= g.first {
		return 0, false
	}
	return float64(g.n-1) / g.last.Sub(g.first).Seconds(), true
}

// costOfObserving returns the duration of one observation, including two readings of the clock.
func costOfObserving() time.Duration {
	const n = 2000
	g := newGauge()
	start := clock.Now()
	for range n {
		t := clock.Now()
		g.observe(t, clock.Now())
	}
	return clock.Since(start) / n
}

// tickRate returns the rate at which ticks started over the run, of which 99 of 100 started late by no more than late, if that is known.
// Deadlines that were missed do not count.
func tickRate(p pace.Stats, late time.Duration, known bool) stat.Interval {
	if p.Waits < 2 || !known {
		return stat.Unknown("too few ticks")
	}
	return rateOf(p.Waits-1, p.Elapsed, late)
}

// deadlines says how many there were, met and missed.
func deadlines(p pace.Stats) string {
	return fmt.Sprintf("of %d deadlines, %d were met and %d missed", p.Waits+p.Missed, p.Waits, p.Missed)
}

// rateOf returns the rate of n+1 wake-ups. The last came span after the first, and 99 of 100 wake-ups are late by no more than
// late.
//
// The interval is not that of a mean of n samples. Each wake-up is a deadline plus its lateness, which lengthens one period and
// shortens the next. So the sum telescopes: only the lateness of the first and the last wake-up matters, which is between 0 and
// late in 99 of 100 cases for each, and for both in at least 98 of 100, however lateness is distributed or correlated.
func rateOf(n uint64, span, late time.Duration) stat.Interval {
	late = max(late, time.Microsecond) // the clock is read some tens of ns later, and in steps
	if n < 1 || span <= 2*late {
		return stat.Unknown("too short a run for so late ticks")
	}
	hz := float64(n) / span.Seconds()
	half := hz * late.Seconds() / (span - late).Seconds() // distance of the farther bound
	return stat.Interval{
		Center: hz,
		Lo:     hz - half,
		Hi:     hz + half,
		Level:  0.98,
		Method: "lateness of both ends",
		N:      n,
	}
}
