// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/clock"
)

const (
	mostMarks  = 1024 // of a lane that are waiting for the end of their span
	mostLinked = 8192 // spans of a lane in linked spans that have not ended
)

// A lane is what is known of a lane on which a unit or a linked span has not ended.
type lane struct {
	id        int
	goroutine int64    // of the span that is processed, or of open
	parked    bool     // readings leave it out while the open spans last
	seen      uint64   // number of the latest reading that has it
	inside    []record // ended spans in units that have not ended, by level
	room      int      // of inside, before it is folded
	open      []record // in the latest reading, innermost first
	late      []record // ended after the reading
	lateBy    []int64  // the goroutines of those
	marks     []mark   // notes and tasks, by time
	links     []link   // spans begun with a task, by start
	since     []record // spans that ended in linked ones
	left      uint64   // spans that did not fit into it
	lost      []loss
}

// A mark is a note or the number of a unit.
type mark struct {
	at        clock.Instant
	task      uint64 // 0 for a note
	key, text string
}

// A link is a span that is part of a unit of another lane, from when its mark is read until it ends.
type link struct {
	start clock.Instant
	task  uint64 // 0 when its unit has ended
	depth uint8
	tries int // readings in which it was neither open nor had it ended
}

// A loss is spans that were overwritten before they were read, between two readings, or dropped.
type loss struct {
	from, to clock.Instant
	n        uint64
	what     string
}

// idle reports whether nothing about the lane needs to be known any longer.
func (l *lane) idle() bool {
	return len(l.inside)+len(l.open)+len(l.late)+len(l.marks)+len(l.links) == 0
}

func (l *lane) bytes() int64 {
	return int64(cap(l.inside)+cap(l.open)+cap(l.late)+cap(l.since))*recordSize + int64(cap(l.marks))*64 + int64(cap(l.links))*32 + int64(cap(l.lateBy))*8 + 256
}

// mark adds a mark. Those of one lane come nearly in order.
func (l *lane) mark(m mark) {
	if len(l.marks) == mostMarks {
		l.marks = slices.Delete(l.marks, 0, 1)
	}
	i := len(l.marks)
	for i > 0 && l.marks[i-1].at > m.at {
		i--
	}
	l.marks = slices.Insert(l.marks, i, m)
}

// take removes the marks inside a span, which are not in an inner one, and appends them.
func (l *lane) take(r record, to []mark) []mark {
	from, _ := slices.BinarySearchFunc(l.marks, r.start-slack, func(m mark, at clock.Instant) int { return cmp.Compare(m.at, at) })
	end, _ := slices.BinarySearchFunc(l.marks, r.end()+1, func(m mark, at clock.Instant) int { return cmp.Compare(m.at, at) })
	if from < end {
		to = append(to, l.marks[from:end]...)
		l.marks = slices.Delete(l.marks, from, end)
	}
	return to
}

// during returns the marks since the start of a unit or a linked span that is open, without those in units and linked spans inside
// it that are open too.
func (l *lane) during(r record, paths []path) (marks []mark) {
	from, _ := slices.BinarySearchFunc(l.marks, r.start-slack, func(m mark, at clock.Instant) int { return cmp.Compare(m.at, at) })
	for _, m := range l.marks[from:] {
		inner := func(k record) bool {
			return k.depth > r.depth && m.at >= k.start && (k.calls == 0 || m.at <= k.end()) &&
				(paths[k.path].root || slices.ContainsFunc(l.links, func(n link) bool { return n.is(&k) }))
		}
		if !slices.ContainsFunc(l.open, inner) && !slices.ContainsFunc(l.late, inner) {
			marks = append(marks, m)
		}
	}
	return marks
}

// is reports whether a span is that of the link. The longer ago it began, the less exactly that is known.
func (k *link) is(r *record) bool {
	return k.depth == r.depth && max(r.start-k.start, k.start-r.start) <= slack+clock.Instant(r.took)/4096
}

// follow adds a span that ended to those of linked spans. If it is a linked one, follow returns its number among the links.
func (l *lane) follow(r record) (number int, is bool) {
	if r.end() < l.links[0].start {
		return 0, false
	}
	switch {
	case !slices.ContainsFunc(l.links, func(k link) bool { return k.task != 0 }):
	case len(l.since) < mostLinked:
		l.since = append(l.since, r)
	default:
		l.left++
	}
	for k := len(l.links) - 1; k >= 0; k-- {
		if l.links[k].is(&r) {
			return k, true
		}
	}
	return 0, false
}

// from returns the spans in a linked one that have ended, itself included if it has.
func (l *lane) from(start clock.Instant, depth uint8) []record {
	i := len(l.since)
	for i > 0 && l.since[i-1].within(start, depth) {
		i--
	}
	return l.since[i:]
}

// within reports whether a span that ended lies in one that began at start.
func (r *record) within(start clock.Instant, depth uint8) bool {
	return r.depth >= depth && (r.start >= start || r.start+slack >= start && r.end() > start)
}

// unlink removes a link, and the spans of which no other needs to know.
func (l *lane) unlink(k int) {
	if l.links = slices.Delete(l.links, k, k+1); k == 0 { // the others begin later, or were inside
		l.since, l.left = l.since[:0], 0
	}
}

// forget notes that a unit has ended to which spans of the lane may be linked.
func (l *lane) forget(task uint64) {
	live := false
	for k := range l.links {
		if l.links[k].task == task {
			l.links[k].task = 0
		}
		live = live || l.links[k].task != 0
	}
	if !live {
		l.since, l.left = l.since[:0], 0
	}
}

// abandon removes the links whose span was lost, in a reading at an instant. A span may be missing from one reading.
func (l *lane) abandon(at clock.Instant) {
	for k := len(l.links) - 1; k >= 0; k-- {
		n := &l.links[k]
		is := func(r record) bool { return n.is(&r) }
		if slices.ContainsFunc(l.open, is) || slices.ContainsFunc(l.late, is) {
			n.tries = 0
		} else if n.start > at {
			continue
		} else if n.tries++; n.tries > 2 {
			l.unlink(k)
		}
	}
}

// lose notes that spans are missing.
func (l *lane) lose(k loss) {
	if len(l.lost) == 8 {
		l.lost = slices.Delete(l.lost, 0, 1)
	}
	l.lost = append(l.lost, k)
}
