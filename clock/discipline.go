// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// hardware is a counter and the operating system's clock, which it is compared with.
type hardware interface {
	start()                            // once, before anything else
	counter() uint64                   // fenced on both sides
	reference() int64                  // ns, monotonic
	processor() int                    // number of the one that runs the caller, from 1; 0 if unknown
	trusted() (ok bool, reason string) // asked at the start, after each strike and every verifyAfter
}

// verifyAfter is the greatest age of the kernel's verdict, in ns. Asking takes system calls.
const verifyAfter = 10 * 1000 * ms

// A discipline keeps a counter in step with a reference. Nothing happens before the first reading, and it has no
// goroutine: the reader that finds the window of the epoch over compares the clocks again. No reader waits for another.
type discipline struct {
	cur     *epoch // first: the assembly reads it through the address of master
	hw      hardware
	started sync.Once
}

// boot is the epoch before the first reading; its zero window sends every reader to the slow path.
var (
	boot   epoch
	master = discipline{cur: &boot, hw: machine{}}
)

//lint:ignore U1000 called by the assembly
func nowSlow() Instant { return Instant(master.now()) }

//lint:ignore U1000 called by the assembly
func ticksSlow() uint64 { return master.ticks() }

func (d *discipline) load() *epoch {
	return (*epoch)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&d.cur))))
}

func (d *discipline) swap(old, new *epoch) bool {
	return atomic.CompareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&d.cur)), unsafe.Pointer(old), unsafe.Pointer(new))
}

// now returns the time in ns. The assembly does the same for the common case only.
func (d *discipline) now() int64 {
	for {
		e := d.load()
		switch e.mode {
		case asleep:
			d.wake()
			continue
		case fallback:
			return max(d.hw.reference(), e.off)
		case warming:
			ns := d.hw.reference()
			if ns-e.latest.ns >= e.warmup && e.electing.CompareAndSwap(false, true) {
				d.swap(e, d.warm(e))
			} else if d.load() == e { // then ns lies before the first line
				return ns
			}
			continue
		}
		t := d.hw.counter()
		switch past := t - e.base; {
		case past < e.window:
			return e.at(t)
		case past < e.end-e.base:
			if !e.electing.CompareAndSwap(false, true) {
				return e.at(t)
			}
			d.swap(e, d.judge(e))
			continue
		case int64(past) < 0 && e.before.mult != 0: // before the base: the previous line applies
			if int64(t-e.before.base) >= 0 {
				return min(e.before.at(t), e.off)
			}
		case int64(past) < 0 && e.base-t <= 2*e.window: // before the first base: the reference applies
			ns := d.hw.reference()
			if int64(d.hw.counter()-e.base) < 0 {
				return ns
			}
			continue // the base has passed meanwhile
		}
		if d.load() == e {
			d.swap(e, d.judge(e)) // e is over, or the counter has gone back: all readers try, the first one wins
		}
	}
}

// wake takes the first anchor, or chooses the reference for good.
func (d *discipline) wake() {
	d.started.Do(func() {
		d.hw.start()
		e := &epoch{mode: warming, warmup: firstBaseline}
		if ok, reason := d.hw.trusted(); ok {
			e.latest = d.anchor()
		} else {
			e.mode, e.reason = fallback, reason
		}
		d.swap(d.load(), e)
	})
}

// warm returns the epoch that follows e, which is warming: the first line, or a longer wait if the anchors are too wide
// for a rate. Readers get the reference until the line's base, 50 µs later.
func (d *discipline) warm(e *epoch) *epoch {
	q := d.anchor()
	rate, open, ok := q.slope(e.latest)
	switch {
	case !ok:
		return &epoch{mode: fallback, reason: "the counter stands still"}
	case open > 1e-3:
		return &epoch{mode: warming, latest: e.latest, warmup: 2 * e.warmup}
	}
	return begin(e.latest, q, d.hw.counter()+uint64(50_000/rate))
}

// judge compares the clocks and returns the epoch that follows e: a better line, or the reference if the counter is bad or
// the kernel no longer trusts it.
func (d *discipline) judge(e *epoch) *epoch {
	n := e.next(d.anchor())
	n.before = e.line
	if n.strikes > e.strikes || n.latest.ns-e.verified >= verifyAfter {
		n.verified = n.latest.ns
		if ok, reason := d.hw.trusted(); !ok {
			return e.abandon(n, reason)
		}
	}
	if reason := n.verdict(); reason != "" {
		return e.abandon(n, reason)
	}
	return n
}

// anchor reads the reference between two readings of the counter, 64 times, and returns the mean of the tightest brackets.
// The mean of points on a line lies on the line, and is finer than the steps of either clock.
func (d *discipline) anchor() anchor {
	var first, best anchor // best holds sums over n brackets, relative to first
	n, on := int64(0), d.hw.processor()
	for range 64 {
		a := d.hw.counter()
		ns := d.hw.reference()
		b := d.hw.counter()
		if w := b - a; n == 0 || w < best.width {
			first, best, n = anchor{tick: a, ns: ns}, anchor{width: w}, 0
		} else if w > best.width {
			continue
		}
		best.tick += a - first.tick
		best.ns += ns - first.ns
		n++
	}
	if d.hw.processor() != on {
		on = 0
	}
	return anchor{
		tick:  first.tick + best.width/2 + best.tick/uint64(n),
		ns:    first.ns + best.ns/n,
		width: best.width,
		on:    on,
	}
}

// ticks returns the counter, or the reference in the counter's units.
func (d *discipline) ticks() uint64 {
	for {
		switch e := d.load(); {
		case e.mode == asleep:
			d.wake()
		case e.mode == warming:
			d.now() // so that the clock starts even if only ticks are read
			return d.hw.counter()
		case e.mode == running:
			return d.hw.counter()
		case e.rate == 0: // never had a counter: a tick is a nanosecond
			return uint64(d.hw.reference())
		default: // continue from its last value, at its rate
			return e.latest.tick + uint64(float64(d.hw.reference()-e.latest.ns)/e.rate)
		}
	}
}

// rate returns the ns per tick of ticks. If it is not known yet, rate measures it, for at most a millisecond.
func (d *discipline) rate() float64 {
	for {
		switch e := d.load(); {
		case e.mode == asleep:
			d.wake()
		case e.mode == warming:
			d.now()
		case e.rate == 0:
			return 1
		default:
			return e.rate
		}
	}
}

// machine is the real hardware.
type machine struct{}

func (machine) start()           { startCounter(); startReference() }
func (machine) counter() uint64  { return fenceCounter() }
func (machine) reference() int64 { return reference() }
func (machine) processor() int   { return onWhich() }

func (machine) trusted() (ok bool, reason string) {
	for _, ask := range [...]func() (bool, string){referenceTells, steadyCounter, kernelTrusts} {
		if ok, reason = ask(); !ok {
			return false, reason
		}
	}
	return true, ""
}
