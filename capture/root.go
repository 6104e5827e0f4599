// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
)

// A root is a loop or a root zone, with its latest units.
type root struct {
	name   string
	loop   bool
	zone   int // index; -1 for a loop
	count  uint64
	latest [window]turn
	median time.Duration
	fresh  int // units since the median was computed

	exceeded  uint64        // slow units
	explained uint64        // those of them that have a report
	left      uint64        // those since the latest report that have none
	missed    time.Duration // what the slowest of those took beyond the median, lately

	usual []account.Account // of ordinary units, from the latest explanation that had some
}

// loopName returns the name of a loop; "" for a root zone.
func (r *root) loopName() string {
	if r.loop {
		return r.name
	}
	return ""
}

// window is how many units the median is of, warm how many it needs.
const (
	window = 256
	warm   = 16
)

// A turn is a unit that has ended.
type turn struct {
	lane      int
	goroutine int64
	from      clock.Instant
	took      time.Duration
}

func (t turn) to() clock.Instant { return t.from + clock.Instant(t.took) }

// add adds a unit.
func (r *root) add(t turn) {
	r.latest[r.count%window] = t
	r.count++
	r.fresh++
}

// known returns the units that are kept.
func (r *root) known() []turn { return r.latest[:min(r.count, window)] }

// settle computes the median, if there are new units.
func (r *root) settle() {
	if r.fresh == 0 {
		return
	}
	r.fresh = 0
	times := make([]time.Duration, 0, window)
	for _, t := range r.known() {
		times = append(times, t.took)
	}
	slices.Sort(times)
	r.median = times[len(times)/2]
}

// usually returns the median of the units until now; 0 if there are too few.
func (r *root) usually() time.Duration {
	if r.count <= warm {
		return 0
	}
	return r.median
}

// least is how much longer than the median a slow unit must take: what takes microseconds is explained by nothing that lasts.
const least = time.Millisecond

// slow reports whether a unit that took so long is to be explained. Called again, before the unit is added, it says the same.
func (r *root) slow(took time.Duration, o *Options) bool {
	if r.fresh >= window/4 || r.count <= warm {
		r.settle()
	}
	if o.Budget > 0 {
		return took > o.Budget && took >= r.median+least
	}
	return r.count > warm && float64(took) > o.Factor*float64(r.median) && took >= r.median+least
}

// ordinary returns up to most units that took about as long as usual, began after from and had ended at to, the latest first.
func (r *root) ordinary(from, to clock.Instant, most int) []turn {
	return r.between(from, to, most, func(took time.Duration) bool { return took <= r.median+r.median/4 })
}

// longer is ordinary for those that took longer, but were not slow.
func (r *root) longer(from, to clock.Instant, most int, o *Options) []turn {
	return r.between(from, to, most, func(took time.Duration) bool { return took > r.median+r.median/4 && !r.slow(took, o) })
}

func (r *root) between(from, to clock.Instant, most int, takes func(time.Duration) bool) (out []turn) {
	for i := uint64(1); i <= min(r.count, window) && len(out) < most; i++ {
		if t := r.latest[(r.count-i)%window]; t.from >= from && t.to() <= to && takes(t.took) {
			out = append(out, t)
		}
	}
	return out
}
