// SPDX-License-Identifier: BSD-3-Clause

package account

import "time"

// waker returns what ended the longest wait of a part, and what that did meanwhile. If it mostly waited for another goroutine itself, as one of many
// that wait for the same lock, it also returns what ended the first of these waits.
func (w *Window) waker(b *building) Waker {
	by, most := w.wakerOf(b)
	first := by
	for by.Waits < mostWaits && waited(first, b, most) {
		b = most
		first, most = w.wakerOf(b)
		by.Waits++
	}
	if by.Waits > 0 {
		by.First = &first
	}
	return by
}

// mostWaits is how many waits are followed of which each ended the next.
const mostWaits = 64

// waited reports whether what ended a wait of b had waited for another goroutine in most of it, of which most is a part.
func waited(by Waker, b, most *building) bool {
	return most != nil && (by.Main.Cause == Lock || by.Main.Cause == Channel) && 2*most.longest.length() >= b.longest.length()
}

// wakerOf returns what ended the longest wait of a part, and the part in which that spent most of it; nil if it is not known.
func (w *Window) wakerOf(b *building) (Waker, *building) {
	by := Waker{Goroutine: b.by, Where: b.byWhere}
	most := w.mainly(b.by, b.longest, &by)
	return by, most
}

// mainly tells what a goroutine did in most of a time, and returns that part; nil if nothing is known.
func (w *Window) mainly(g int64, i Interval, by *Waker) (part *building) {
	k := walker{sums: sums{window: w, parts: make(map[Key]*building), late: make(map[lateKey]*building)}}
	k.walk(g, i)
	var took time.Duration
	for key, b := range k.parts {
		if b.took > took || b.took == took && key.Where < by.Main.Where {
			by.Main, took, part = key, b.took, b
		}
	}
	by.Took = took
	return part
}
