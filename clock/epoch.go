// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// line maps counter ticks to nanoseconds: off at base, mult/2^48 ns for each tick after it. So the assembly finds the
// nanoseconds of the ticks, shifted by 16, in the upper half of the product.
type line struct {
	base uint64
	mult uint64
	off  int64
}

// at returns the time at tick t, which must not lie before base. The product has 128 bits: no overflow in 292 years.
func (l line) at(t uint64) int64 {
	hi, lo := bits.Mul64(t-l.base, l.mult)
	return l.off + int64(hi<<16|lo>>48)
}

// slope returns the line's rate in ns per tick.
func (l line) slope() float64 { return float64(l.mult) / (1 << 48) }

// An anchor is one moment seen on both clocks. The true pair lies within width/2 ticks.
type anchor struct {
	tick  uint64
	ns    int64
	width uint64
}

type mode int

const (
	asleep   mode = iota // nobody has asked for the time yet
	warming              // one anchor: the reference is served until there is a rate
	running              // the counter is served
	fallback             // the reference is served, for good
)

// An epoch is a stretch of time with one line. It never changes once published; its successor starts where it ends,
// so the clock cannot step back. The assembly knows the offsets of the first four words.
type epoch struct {
	line
	window uint64 // ticks after base for which the fast path serves; 0: never

	mode    mode
	end     uint64 // tick from which this line must not be used
	before  line   // what serves a reader that meets this epoch ahead of its base
	truth   line   // the reference as foreseen when the epoch was made; line bends towards it
	near    anchor // latest anchor
	far     anchor // oldest anchor of the baseline
	mid     anchor // the next far
	rate    float64
	err     int64 // reference minus line when the epoch was made, ns
	step    int   // which of the growing spans this is
	strikes int
	clean   int    // anchors since the last strike
	steps   int    // steps forward, ever
	reason  string // why the counter is not used

	electing atomic.Bool
}

const (
	ms = 1_000_000

	warmup      = 1 * ms         // baseline before the first line: 0.45 ppm
	baseline    = 60 * 1000 * ms // the far anchor is younger: a changed NTP rate must show
	wild        = 1 * ms         // an error that no drift explains: suspend, migration
	maxStrikes  = 3
	forgiveness = 60 // clean anchors that take a strike back
)

// spans are the times between anchors, short where the rate is rough. A clock opens at the second, a strike goes back
// to the first.
var spans = [...]int64{1 * ms, 9 * ms, 90 * ms, 900 * ms}

// open returns the line's first epoch, from two anchors. It starts at tick from, a little ahead, and errs high by at
// most the bracket's width, so that nobody who was served the reference sees time step back.
func open(a, b anchor, from uint64) *epoch {
	rate := float64(b.ns-a.ns) / float64(b.tick-a.tick)
	early := line{base: b.tick - b.width/2, mult: fixed(rate), off: b.ns}
	e := &epoch{mode: running, near: b, far: a, mid: b, rate: rate, step: 1}
	e.line = line{base: from, mult: early.mult, off: early.at(from)}
	e.truth = e.line
	e.size()
	return e
}

// next returns the epoch after e, given anchor q. It starts at e's end, or at q if that has passed or the counter has
// gone back.
func (e *epoch) next(q anchor) *epoch {
	n := &epoch{mode: running, near: q, far: e.far, mid: e.mid, rate: e.rate, step: min(e.step+1, len(spans)-1),
		strikes: e.strikes, clean: e.clean + 1, steps: e.steps}
	back := int64(q.tick-e.base) < 0
	over := q.tick-e.base >= e.end-e.base
	held := e.at(e.end) // nothing later was handed out

	surprise := q.ns - held
	if !back {
		n.err = q.ns - e.at(q.tick)
		surprise = q.ns - e.truth.at(q.tick)
	}
	if back || surprise > wild || surprise < -wild {
		n.strike(q)
	} else {
		n.measure(q)
	}
	if n.clean >= forgiveness && n.strikes > 0 {
		n.strikes, n.clean = n.strikes-1, 0
	}

	n.truth = line{base: q.tick, mult: fixed(n.rate), off: q.ns}
	if !over {
		n.truth = line{base: e.end, mult: n.truth.mult, off: n.truth.at(e.end)}
	}
	n.line = n.truth
	switch {
	case back: // the clock was right until then, so nothing beyond truth+wild was handed out
		n.off = min(held, n.truth.off+wild)
	case over || surprise > wild:
		n.off = max(held, n.truth.off) // forward only
	default:
		n.off = held
	}
	n.size()
	n.bend()
	return n
}

// measure takes the rate over the longest baseline there is.
func (e *epoch) measure(q anchor) {
	if q.tick != e.far.tick && q.ns > e.far.ns {
		e.rate = float64(q.ns-e.far.ns) / float64(q.tick-e.far.tick)
	}
	if q.ns-e.mid.ns > baseline/2 {
		e.far, e.mid = e.mid, q
	}
}

// strike drops the baseline and measures anew, in short windows, from the old rate.
func (e *epoch) strike(q anchor) {
	e.far, e.mid = q, q
	e.strikes, e.clean, e.step = e.strikes+1, 0, 0
	e.steps++
}

// size sets the window and the end. Between the two, one reader anchors anew while the others go on reading.
func (e *epoch) size() {
	e.window = uint64(float64(spans[e.step]) / e.rate)
	e.end = e.base + e.window + e.window/16
}

// bend turns the line so that half of what it is off by is gone when it ends: half, because an anchor has noise of its
// own. A clock that is far ahead runs at half speed until time has caught up.
func (e *epoch) bend() {
	ns := float64(e.end-e.base) * e.rate
	gap := float64(e.truth.off - e.off)
	by := max(-0.5, min(0.5*gap/ns, 0.5))
	if gap < -wild {
		by = max(-0.5, gap/ns)
	}
	e.mult = fixed(e.rate * (1 + by))
}

func fixed(rate float64) uint64 { return uint64(math.Round(rate * (1 << 48))) }
