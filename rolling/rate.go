// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"math"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// DefaultWindow is the default window of a Rate.
const DefaultWindow = time.Second

const (
	slots = 256         // checkpoints kept besides the newest, a power of two
	mask  = slots - 1   // index of a checkpoint from its number
	steps = slots/2 - 2 // parts of a window that checkpoints distinguish; see mark
	calm  = 1.5         // mean periods without an event that a steady source may have
	quiet = 1e9         // shortest silence that reads as 0, in ns
)

// A Rate is the number of events per second over the most recent window, at any moment. It is correct one window after the
// rate of events has changed, and falls to zero when they stop. The zero value is ready to use, with a window of
// DefaultWindow. A Rate takes 4 KiB whatever the rate of events. It is not safe for concurrent use.
type Rate struct {
	// Window is how far back events count; zero or negative means DefaultWindow. Set it before the first Mark, or with Reset. A
	// short window follows changes sooner, a long one varies less. The rate of sources slower than one event per window is
	// computed from their last interval.
	Window time.Duration

	last  clock.Instant     // latest event: with n it is the newest checkpoint, number used
	n     uint64            // events ever marked
	limit clock.Instant     // the newest checkpoint takes in events before this
	ring  [slots]checkpoint // the older checkpoints in the order of time; number i is ring[i&mask]
	used  uint64            // checkpoints ever written to the ring
}

// A checkpoint is a real event: when it was, and how many events there had been by then. Events closer together than a small
// part of the window share one, which then stands for the latest of them. So counts and stamps stay exact, and only the edge
// of the window is coarse.
type checkpoint struct {
	at clock.Instant
	n  uint64
}

// Mark counts one event at instant t. Several events may have the same stamp. An earlier stamp counts as equal to the latest,
// so clocks that step back and goroutines that mark out of order do no harm. Mark takes constant time and does not allocate.
func (r *Rate) Mark(t clock.Instant) {
	if t >= r.last && t < r.limit {
		r.last = t
		r.n++
	} else {
		r.mark(t)
	}
}

// Reset forgets all events; the window stays.
func (r *Rate) Reset() { *r = Rate{Window: r.Window} }

// mark counts an event that may need a checkpoint.
//
// Checkpoints must span the window however events fall. One that follows a pause of a step or more holds a single event, so
// that the pause is known exactly; any other covers a step. Two neighbours therefore span a step at least, and the ring a
// window. The last representable instant has no step after it: its events share one checkpoint.
func (r *Rate) mark(t clock.Instant) {
	if r.n == 0 {
		r.last, r.n, r.limit = t, 1, never
		return
	}
	if t = max(t, r.last); t >= r.limit && (t > r.last || r.limit < math.MaxInt64) {
		r.ring[r.used&mask] = checkpoint{r.last, r.n}
		r.used++
		if step := r.window()/steps + 1; ahead(t, r.last) < step {
			if r.limit = t + clock.Instant(step); r.limit < t {
				r.limit = math.MaxInt64
			}
		}
	}
	r.last = t
	r.n++
}

// never is the limit of a checkpoint that takes in no further event.
const never = clock.Instant(math.MinInt64)

// checkpoint returns the checkpoint of a number.
func (r *Rate) checkpoint(i uint64) checkpoint {
	if i == r.used {
		return checkpoint{r.last, r.n}
	}
	return r.ring[i&mask]
}

// PerSecond returns the events per second as of now. An instant before the last Mark counts as that Mark. It is 0 when
// there were fewer than two events, or none for as long as the window (and at least a second, and at least twice the last
// interval between events: a slow source has not stopped). PerSecond changes nothing, and its result is never negative,
// infinite or NaN.
//
// The rate is k/d: k events after the newest one outside the window, d the time from that one to the latest. If the latest
// event was more than 1.5 mean periods ago, d extends to now. If there was no event in the whole window, the rate is one
// event in the time since the last. Of an interval longer than the window, the part before the window is ignored.
func (r *Rate) PerSecond(now clock.Instant) float64 {
	if r.used == 0 {
		return 0
	}
	last := checkpoint{r.last, r.n}
	now = max(now, last.at)
	gap, window := ahead(now, last.at), r.window()
	if gap >= window {
		before := r.checkpoint(r.used - 1)
		period := float64(ahead(last.at, before.at)) / float64(last.n-before.n)
		switch silence := float64(gap); {
		case silence <= calm*period:
			return 1e9 / period
		case silence < max(quiet, float64(window), 2*period):
			return 1e9 / silence
		}
		return 0
	}
	i := r.outside(now, window)
	from, next := r.checkpoint(i), r.checkpoint(i+1)
	k, d := float64(last.n-from.n), float64(ahead(last.at, from.at))
	if long := ahead(next.at, from.at); long > window { // leave out what lies before the window
		before := float64(ahead(now, from.at) - window)
		k -= before / float64(long)
		d -= before
	}
	if silence := float64(gap); silence > calm*d/k {
		d += silence
	}
	if d <= 0 {
		return 0 // all events carry one stamp
	}
	return k / d * 1e9
}

// outside returns the number of the newest checkpoint that is at least a window old, or of the oldest there is.
// There are two checkpoints at least and the newest is inside.
func (r *Rate) outside(now clock.Instant, window uint64) uint64 {
	lo, hi := uint64(0), r.used // lo is outside or the oldest, hi is inside
	if r.used > slots {
		lo = r.used - slots
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; ahead(now, r.checkpoint(mid).at) >= window {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func (r *Rate) window() uint64 {
	if r.Window <= 0 {
		return uint64(DefaultWindow)
	}
	return uint64(r.Window)
}

// ahead returns a-b for a >= b. It is unsigned because instants may be further apart than an int64 reaches.
func ahead(a, b clock.Instant) uint64 { return uint64(a) - uint64(b) }
