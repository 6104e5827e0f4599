// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"time"

	"github.com/strobe-go/strobe/clock"
)

// DefaultWindow is the window of a Rate unless told otherwise.
const DefaultWindow = time.Second

const (
	slots = 256         // checkpoints kept, a power of two
	mask  = slots - 1   // index of a checkpoint from its number
	steps = slots/2 - 2 // parts of a window that checkpoints tell apart; see Mark
	calm  = 1.5         // mean periods of silence that a steady source may show
	quiet = 1e9         // shortest silence that reads as 0, in ns
)

// A Rate is the number of events per second over the freshest window, as a float and at any moment: right one window after
// the rate of events changed, and falling to zero when they stop. The zero value is ready, with a window of DefaultWindow.
// It takes 4 KiB whatever the rate of events. It is not safe for concurrent use; see SharedRate.
type Rate struct {
	// Window is how far back events count; zero or negative means DefaultWindow. Set it before the first Mark.
	// A short window follows sooner, a long one varies less. Sources slower than one event a window are read from their last
	// interval.
	Window time.Duration

	ring [slots]checkpoint // the last of them in the order of time, ring[(used-1)&mask] the newest
	used uint64            // checkpoints ever written
	n    uint64            // events ever marked
	open clock.Instant     // first event of the newest checkpoint
	done bool              // the newest checkpoint takes no further event
}

// A checkpoint is a real event: when it was, and how many events there had been by then. Events closer together than a small
// part of the window share one, which then stands for the latest of them, so counts and stamps stay exact and only the edge
// of the window is coarse.
type checkpoint struct {
	at clock.Instant
	n  uint64
}

// Mark counts one event at instant t. A stamp equal to the one before counts; one that lies before it counts as equal, so
// a clock that steps back, or goroutines that mark out of order, do no harm. It takes constant time and does not allocate.
//
// Checkpoints must span the window however events fall. One that follows a pause of a step holds a single event, so that the
// pause is known exactly; any other covers a step. Two neighbours therefore span a step at least, and the ring a window.
func (r *Rate) Mark(t clock.Instant) {
	r.n++
	if r.used == 0 {
		r.push(t, true)
		return
	}
	newest := &r.ring[(r.used-1)&mask]
	if t < newest.at {
		t = newest.at
	}
	step := r.window()/steps + 1
	switch {
	case ahead(t, newest.at) >= step:
		r.push(t, true)
	case r.done || ahead(t, r.open) >= step:
		r.push(t, false)
	default:
		*newest = checkpoint{t, r.n}
	}
}

func (r *Rate) push(t clock.Instant, done bool) {
	r.ring[r.used&mask] = checkpoint{t, r.n}
	r.used++
	r.open, r.done = t, done
}

// PerSecond returns events per second as of now, which may be any instant from the last Mark on (an earlier one is taken for
// that). It is 0 when there were fewer than two events, or none for as long as the window (at least a second, and at least
// twice the last interval between events: a slow source has not stopped). It changes nothing and is never negative,
// infinite or NaN.
//
// The rate is k/d: k events after the newest one outside the window, d from that one to the latest. When the latest is
// longer ago than 1.5 mean periods the silence counts too and the divisor reaches up to now; when the whole window is
// silent the rate is one event in that silence. Of an interval longer than the window, the part before it is left out.
func (r *Rate) PerSecond(now clock.Instant) float64 {
	if r.used < 2 {
		return 0
	}
	last := r.ring[(r.used-1)&mask]
	if now < last.at {
		now = last.at
	}
	gap, window := ahead(now, last.at), r.window()
	if gap >= window {
		before := r.ring[(r.used-2)&mask]
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
	from, next := r.ring[i&mask], r.ring[(i+1)&mask]
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
	lo, hi := uint64(0), r.used-1 // lo is outside or the oldest, hi is inside
	if r.used > slots {
		lo = r.used - slots
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; ahead(now, r.ring[mid&mask].at) >= window {
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

// ahead returns a-b for a >= b: unsigned, because instants may be further apart than an int64 reaches.
func ahead(a, b clock.Instant) uint64 { return uint64(a) - uint64(b) }
