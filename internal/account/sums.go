// SPDX-License-Identifier: BSD-3-Clause

package account

import "time"

// sums are the parts of an account while they are added up.
type sums struct {
	window  *Window
	parts   map[Key]*building
	late    map[lateKey]*building
	child   int64         // the goroutine whose time is added; 0 for the unit's own
	stopped []Interval    // when the process was stopped
	absent  time.Duration // as in Account
	ran     time.Duration // how long goroutines ran around the unit, and for how much of it they were off a processor unseen
	hidden  Bounds
	takers  Cause // what had the processors then
}

// A building is a part while it is added up.
type building struct {
	took    time.Duration
	times   int // that something else came between
	spans   []Interval
	longest Interval // wait
	by      int64
	byWhere string
}

// put adds time to a part.
func (k *sums) put(key Key, i Interval) *building {
	key.Goroutine = k.child
	b := k.parts[key]
	if b == nil {
		b = new(building)
		k.parts[key] = b
	}
	b.took += i.length()
	if n := len(b.spans); n > 0 && b.spans[n-1].To == i.From {
		b.spans[n-1].To = i.To
	} else {
		if b.times++; n < 64 {
			b.spans = append(b.spans, i)
		}
	}
	return b
}

// add adds time of goroutine g.
func (k *sums) add(g int64, i Interval, c Cause, where string) {
	k.window.inZones(g, i, func(zone int, part Interval) { k.put(Key{Cause: c, Zone: zone, Where: where}, part) })
}

// wait adds a wait of goroutine g, which by ended.
func (k *sums) wait(g int64, i Interval, c Cause, at place, by int64, byWhere string) {
	k.window.inZones(g, i, func(zone int, part Interval) {
		key := Key{Cause: c, Zone: zone, Where: at.where}
		if c == Lock {
			key.Object = at.object
		}
		if b := k.put(key, part); by != 0 && part.length() > b.longest.length() {
			b.longest, b.by, b.byWhere = part, by, byWhere
		}
	})
}
