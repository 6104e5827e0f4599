// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/clock"
)

// mostTasks is how many units with tasks may be open at once; of more, the linked spans of the oldest are forgotten.
const mostTasks = 1 << 14

// A task is the linked spans of a unit that has not ended.
type task struct {
	published int // units with the number that have not ended
	parts     []ended
	lanes     []*lane // with links to it
	bytes     int64
}

// An ended part is a linked span that ended before its unit did, with the notes in it.
type ended struct {
	part
	notes []mark
}

// tasks are those of all units that have not ended.
type tasks struct {
	by    map[uint64]*task
	order []uint64 // the oldest first; some are no longer there
	bytes int64
}

// publish notes that a unit has a number.
func (k *tasks) publish(number uint64) {
	if t := k.by[number]; t != nil {
		t.published++
		return
	}
	if k.by == nil {
		k.by = make(map[uint64]*task)
	}
	k.by[number] = &task{published: 1}
	k.order = append(k.order, number)
	if len(k.by) > mostTasks {
		k.dropOldest()
	}
	if len(k.order) > 2*len(k.by)+64 {
		k.order = slices.DeleteFunc(k.order, func(n uint64) bool { return k.by[n] == nil })
	}
}

// link notes that a span of a lane works for a unit. A unit is known before anything is linked to it, so a number that is not known
// is that of a unit that has ended.
func (k *tasks) link(l *lane, n link) {
	if t := k.by[n.task]; t == nil {
		n.task = 0
	} else if !slices.Contains(t.lanes, l) {
		t.lanes = append(t.lanes, l)
	}
	i := len(l.links)
	for i > 0 && l.links[i-1].start > n.start {
		i--
	}
	l.links = slices.Insert(l.links, i, n)
}

func (k *tasks) dropOldest() {
	for len(k.order) > 0 {
		n := k.order[0]
		k.order = k.order[1:]
		if k.by[n] != nil {
			k.drop(n)
			return
		}
	}
}

// drop forgets a task.
func (k *tasks) drop(number uint64) {
	t := k.by[number]
	if t == nil {
		return
	}
	k.bytes -= t.bytes
	delete(k.by, number)
	for _, l := range t.lanes {
		l.forget(number)
	}
}

// done notes a linked span that ended.
func (k *tasks) done(l *lane, number int, r record) {
	n := l.links[number]
	notes := l.take(r, nil) // they are not about the unit around the span, if there is one
	if t := k.by[n.task]; t != nil {
		records := slices.Clone(l.from(n.start, n.depth))
		e := ended{part{lane: l.id, goroutine: l.goroutine, records: records, top: r, linked: true}, notes}
		t.parts = append(t.parts, e)
		size := int64(cap(records))*recordSize + int64(len(e.notes))*64 + 128
		t.bytes, k.bytes = t.bytes+size, k.bytes+size
	}
	l.unlink(number)
}

// going returns the part of a linked span that had not ended by the latest reading; ok is false if nothing is known of it.
func (l *lane) going(n link, paths []path) (e ended, ok bool) {
	e.part = part{lane: l.id, goroutine: l.goroutine, linked: true}
	e.records = slices.Clone(l.from(n.start, n.depth))
	for i, r := range append(l.late[:len(l.late):len(l.late)], l.open...) { // from the inner spans to the outer ones
		if r.within(n.start, n.depth) {
			e.records = append(e.records, r)
		}
		if n.is(&r) {
			if i < len(l.late) {
				e.goroutine = l.lateBy[i]
			}
			if e.top = r; !paths[r.path].root { // a unit has its own notes
				e.notes = l.during(r, paths)
			}
			return e, true
		}
	}
	return ended{}, false
}

// collect calls add for the linked spans of a unit that ended at an instant, in an order that does not depend on the readings.
// miss is called with what is not known.
func (k *tasks) collect(paths []path, numbers []uint64, end clock.Instant, add func(ended), miss func(string)) {
	var all []ended
	for _, number := range numbers {
		t := k.by[number]
		if t == nil {
			continue
		}
		all = append(all, t.parts...)
		for _, l := range t.lanes {
			for _, n := range l.links {
				if n.task != number || n.start >= end {
					continue
				}
				if e, ok := l.going(n, paths); ok {
					all = append(all, e)
				} else {
					miss("work on another lane, of which nothing was read")
				}
				if l.left > 0 {
					miss("short spans on another lane: there were too many")
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b ended) int {
		return cmp.Or(cmp.Compare(a.top.start, b.top.start), cmp.Compare(a.lane, b.lane))
	})
	for i := range all {
		if all[i].top.start < end {
			add(all[i])
		}
	}
}

// retire notes that a unit with these numbers has ended.
func (k *tasks) retire(numbers []uint64) {
	for _, number := range numbers {
		if t := k.by[number]; t != nil {
			if t.published--; t.published <= 0 {
				k.drop(number)
			}
		}
	}
}
