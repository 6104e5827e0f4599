// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// hardware is what a discipline disciplines: the counter, against the operating system's clock.
type hardware interface {
	start()                            // once, before anything else
	counter() uint64                   // fenced on both sides
	reference() int64                  // ns, monotonic
	trusted() (ok bool, reason string) // asked at the start and at every strike
}

// A discipline keeps a counter on the time of a reference. Nothing happens before the first reading and no goroutine
// runs: whoever passes when an epoch's window is over anchors it anew. No reader ever waits for another.
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

//lint:ignore U1000 the assembly goes on here
func nowSlow() Instant { return Instant(master.now()) }

//lint:ignore U1000 the assembly goes on here
func ticksSlow() uint64 { return master.ticks() }

func (d *discipline) load() *epoch {
	return (*epoch)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Pointer(&d.cur))))
}

func (d *discipline) swap(old, new *epoch) bool {
	return atomic.CompareAndSwapPointer((*unsafe.Pointer)(unsafe.Pointer(&d.cur)), unsafe.Pointer(old), unsafe.Pointer(new))
}

// now returns the time in ns. It is the whole clock; the assembly is a short cut through it.
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
			if ns-e.near.ns < warmup {
				return ns
			}
			d.warm(e)
			continue
		}
		t := d.hw.counter()
		switch past := t - e.base; {
		case past < e.window:
			return e.at(t)
		case int64(past) < 0: // ahead of the base: the epoch before still rules
			if ns, ok := d.early(e, t); ok {
				return ns
			}
		case past < e.end-e.base:
			if !e.electing.CompareAndSwap(false, true) {
				return e.at(t)
			}
			d.swap(e, d.judge(e))
			continue
		}
		if d.load() == e {
			d.swap(e, d.judge(e)) // e is over: all who pass try, the first wins
		}
	}
}

// early serves tick t, which lies before e's base. Not ok means that the counter is wrong or has moved on.
func (d *discipline) early(e *epoch, t uint64) (int64, bool) {
	if e.before.mult != 0 {
		return min(e.before.at(t), e.off), int64(t-e.before.base) >= 0
	}
	if e.base-t > 2*e.window {
		return 0, false
	}
	ns := d.hw.reference() // e is the first epoch; the reference is what it follows on
	return ns, int64(d.hw.counter()-e.base) < 0
}

// wake takes the first anchor, or decides for the reference.
func (d *discipline) wake() {
	d.started.Do(func() {
		d.hw.start()
		e := &epoch{mode: warming}
		if ok, reason := d.hw.trusted(); ok {
			e.near = d.anchor()
		} else {
			e.mode, e.reason = fallback, reason
		}
		d.swap(d.load(), e)
	})
}

// warm opens the first line. Readers are served the reference until its base, a little ahead, has passed.
func (d *discipline) warm(e *epoch) {
	if !e.electing.CompareAndSwap(false, true) {
		return // the winner needs some 10 us; going round again serves the reference
	}
	q := d.anchor()
	if q.tick == e.near.tick || q.ns <= e.near.ns {
		d.swap(e, &epoch{mode: fallback, reason: "the counter stands still"})
		return
	}
	lead := uint64(50_000 * float64(q.tick-e.near.tick) / float64(q.ns-e.near.ns)) // 50 us
	d.swap(e, open(e.near, q, d.hw.counter()+lead))
}

// judge anchors anew and returns the epoch that follows e: a better line, or the reference after three strikes.
func (d *discipline) judge(e *epoch) *epoch {
	n := e.next(d.anchor())
	n.before = e.line
	if n.strikes == e.strikes || n.clean > 0 {
		return n
	}
	ok, reason := d.hw.trusted()
	if ok && n.strikes < maxStrikes {
		return n
	}
	if ok {
		reason = "the counter and " + referenceName + " disagreed three times by more than 1 ms"
	}
	return &epoch{mode: fallback, line: line{base: n.base, off: e.at(e.end)}, rate: e.rate, near: n.near,
		strikes: n.strikes, steps: n.steps, reason: reason}
}

// anchor sees both clocks at once: the tightest of 64 brackets, about 6 us.
func (d *discipline) anchor() anchor {
	best := anchor{width: ^uint64(0)}
	for range 64 {
		a := d.hw.counter()
		ns := d.hw.reference()
		b := d.hw.counter()
		if w := b - a; w < best.width {
			best = anchor{tick: a + w/2, ns: ns, width: w}
		}
	}
	return best
}

// ticks returns the counter, or the reference in the counter's units.
func (d *discipline) ticks() uint64 {
	for {
		switch e := d.load(); {
		case e.mode == asleep:
			d.wake()
		case e.mode == warming:
			d.now() // so that the clock starts up even if only ticks are read
			return d.hw.counter()
		case e.mode == running:
			return d.hw.counter()
		case e.rate == 0: // never had a counter: a tick is a nanosecond
			return uint64(d.hw.reference())
		default: // lost it: carry on where it stood, at its rate
			return e.near.tick + uint64(float64(d.hw.reference()-e.near.ns)/e.rate)
		}
	}
}

// rate returns the ns per tick of ticks. If nobody has measured it yet it does, for at most a millisecond.
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
