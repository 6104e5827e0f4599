// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/units"
)

type mode int

const (
	asleep   mode = iota // the clock has not been read yet
	warming              // one anchor: the reference is served until there is a rate
	running              // the counter is served
	fallback             // the reference is served, for good
)

// An epoch is a period with one line. It never changes once published, and its successor starts where it ends, so the
// clock cannot step back. The assembly depends on the offsets of the first four words.
type epoch struct {
	line
	window uint64 // ticks after base for which the fast path is used; 0: never

	mode   mode
	end    uint64 // tick from which this line must not be used
	before line   // for readers that find this epoch before its base
	target line   // the reference as predicted when the epoch was made; the line slews towards it
	latest anchor
	oldest anchor // the baseline of the rate is from here to the latest
	middle anchor // the next oldest
	rate   float64
	err    int64 // reference minus line when the epoch was made, ns
	stage  int   // index in spans
	warmup int64 // ns of baseline that the first line waits for

	strikes  int   // disagreements that a good counter cannot explain
	jump     int64 // the latest jump that is too small for a strike, ns
	flips    int   // jumps that undid the one before
	apart    apart // what speaks for counters that differ by less
	clean    int   // anchors since the last strike or flip
	marked   int64 // when that was, in ns of the reference
	verified int64 // when the kernel was last asked for its verdict
	steps    int   // steps forward, ever
	reason   string

	electing atomic.Bool // a reader is anchoring the clock anew
}

const (
	ms = 1_000_000

	firstBaseline = 1 * ms         // before the first line: 0.45 ppm
	longBaseline  = 60 * 1000 * ms // the oldest anchor is younger: a changed NTP rate must show

	stepLimit = 1 * ms       // an error above it, and above what the gap since the last anchor explains, is a strike
	drift     = 1. / 2000    // by which the reference's rate may change: 500 ppm, the most that ntpd slews
	jumpLimit = ms / 100     // an error above it, and above what the rate explains, is a jump
	wideLimit = 2 * ms / 1e3 // an anchor in more doubt than this is used only if it proves the line wrong

	maxStrikes = 3
	maxFlips   = 6

	forgiveAfter   = 60 * 1000 * ms // this long after the last strike, and
	forgiveAnchors = 8              // after this many clean anchors, it is forgiven
)

// spans are the times between anchors, short while the rate is rough: the error of a line grows with the time for which
// it is used, relative to the baseline of its rate. A clock begins with the second; a strike returns to the first.
var spans = [...]int64{1 * ms, 2 * ms, 6 * ms, 18 * ms, 54 * ms, 162 * ms, 486 * ms, 900 * ms}

// begin returns the first running epoch, from two anchors. It starts at tick from, in the near future, and errs high by at
// most the bracket's width, so that time does not step back for readers that were given the reference.
func begin(a, b anchor, from uint64) *epoch {
	rate, _, _ := b.slope(a)
	early := line{base: b.tick - b.width/2, mult: fixed(rate), off: b.ns}
	e := &epoch{mode: running, latest: b, oldest: a, middle: b, rate: rate, stage: 1, marked: a.ns, verified: a.ns}
	e.line = line{base: from, mult: early.mult, off: early.at(from)}
	e.target = e.line
	e.size()
	return e
}

// next returns the epoch after e, given anchor q. It starts at e's end, or at q if that has passed or the counter has
// gone back.
func (e *epoch) next(q anchor) *epoch {
	n := &epoch{mode: running, latest: q, oldest: e.oldest, middle: e.middle, rate: e.rate, stage: min(e.stage+1, len(spans)-1),
		strikes: e.strikes, jump: e.jump, flips: e.flips, apart: e.apart, clean: e.clean + 1, marked: e.marked, verified: e.verified, steps: e.steps}
	back := int64(q.tick-e.base) < 0
	over := q.tick-e.base >= e.end-e.base
	held := e.at(e.end) // nothing later was handed out

	var surprise int64 // what q is off the target by
	if !back {
		n.err = q.ns - e.at(q.tick)
		surprise = q.ns - e.target.at(q.tick)
	}
	switch gap := q.ns - e.latest.ns; {
	case back || magnitude(surprise) > stepLimit+int64(drift*float64(gap)):
		n.strike(q)
	case q.doubt(e.rate) > wideLimit && magnitude(surprise) <= q.doubt(e.rate):
		n.latest, n.err = e.latest, 0
		q.ns -= surprise
	default:
		tolerance := e.tolerance(q, gap)
		n.watch(e.latest.on != 0 && e.latest.on == q.on, surprise, tolerance)
		n.apart.add(e.latest.on, q.on, surprise, tolerance)
		n.measure(q)
	}
	n.forgive(q.ns)

	n.target = line{base: q.tick, mult: fixed(n.rate), off: q.ns}
	if !over {
		n.target = line{base: e.end, mult: n.target.mult, off: n.target.at(e.end)}
	}
	n.line = n.target
	switch {
	case back: // the clock was right until then, so nothing beyond this was handed out
		n.off = min(held, n.target.off+stepLimit)
	case over || surprise > stepLimit:
		n.off = max(held, n.target.off) // forward only
	default:
		n.off = held
	}
	n.size()
	n.slew()
	return n
}

// tolerance returns how far q, gap ns after the latest anchor, may lie from the target if the counter is good.
func (e *epoch) tolerance(q anchor, gap int64) int64 {
	_, open, _ := e.latest.slope(e.oldest)
	return q.doubt(e.rate) + e.latest.doubt(e.rate) + int64(open*float64(gap))
}

// strike drops the baseline. The rate is kept, and measured again in short windows.
func (e *epoch) strike(q anchor) {
	e.oldest, e.middle, e.apart = q, q, apart{}
	e.strikes, e.clean, e.marked, e.stage = e.strikes+1, 0, q.ns, 0
	e.steps++
}

// watch counts jumps back and forth by the same amount, which are anchors taken on processors whose counters differ.
// Changes of the reference's rate do not alternate, or not only where the processor changes; same says that it did not.
func (e *epoch) watch(same bool, surprise, tolerance int64) {
	switch {
	case magnitude(surprise) <= jumpLimit+tolerance:
		return
	case same:
		e.jump, e.flips = 0, 0
		return
	}
	if e.jump != 0 && magnitude(surprise+e.jump) < magnitude(e.jump)/4 {
		e.flips, e.clean, e.marked = e.flips+1, 0, e.latest.ns
	}
	e.jump = surprise
}

// measure computes the rate over the longest baseline.
func (e *epoch) measure(q anchor) {
	if rate, _, ok := q.slope(e.oldest); ok {
		e.rate = rate
	}
	if q.ns-e.middle.ns > longBaseline/2 {
		e.oldest, e.middle = e.middle, q
	}
}

// forgive removes a strike after a quiet minute with several anchors: a program that reads rarely may have a minute
// between two.
func (e *epoch) forgive(now int64) {
	if e.clean >= forgiveAnchors && now-e.marked >= forgiveAfter {
		e.strikes, e.flips, e.clean, e.marked = max(e.strikes-1, 0), 0, 0, now
	}
}

// size sets the window and the end. Between the two, one reader compares the clocks while the others continue. The
// assembly uses 32-bit differences.
func (e *epoch) size() {
	e.window = uint64(min(float64(spans[e.stage])/e.rate, 1<<32-1))
	e.end = e.base + e.window + e.window/16
}

// slew changes the rate of the line so that half of its error is gone when it ends: half, because an anchor has noise. A
// clock that is far ahead runs at half speed until time has caught up.
func (e *epoch) slew() {
	ns := float64(e.end-e.base) * e.rate
	gap := float64(e.target.off - e.off)
	by := max(-0.5, min(0.5*gap/ns, 0.5))
	if gap < -stepLimit {
		by = max(-0.5, gap/ns)
	}
	e.mult = fixed(e.rate * (1 + by))
}

// abandon returns the epoch that follows e when the counter is given up, n being what would have followed.
func (e *epoch) abandon(n *epoch, reason string) *epoch {
	return &epoch{mode: fallback, line: line{base: n.base, off: e.at(e.end)}, rate: e.rate, latest: n.latest,
		strikes: n.strikes, steps: n.steps, reason: reason}
}

// verdict returns why the counter must be given up; empty if it can be used.
func (e *epoch) verdict() string {
	switch {
	case e.strikes >= maxStrikes:
		return "the counter and " + referenceName + " disagreed three times by more than 1 ms"
	case e.flips >= maxFlips:
		return "the counters of the processors differ: the time jumped back and forth"
	case e.apart.proved():
		return "the counters of the processors differ by " + units.Duration(float64(magnitude(e.apart.shift)))
	}
	return ""
}
