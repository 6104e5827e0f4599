// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostPending = 4096 // notes, of frames that have not ended
	mostTasks   = 256  // spans that work for units: the latest
	mostKeys    = 32   // notes of a frame, each with its own key: those that came first
)

// remarks are the notes of a loop's goroutine, until the frames end to which they belong. A note in a unit belongs to that.
type remarks struct {
	notes []remark
	tasks []clock.Instant // starts of spans that work for a unit
}

type remark struct {
	at        clock.Instant
	key, text string
	ofUnit    bool
}

// remark notes an event of the loop's lane, if it is a note, or the link of a span to a unit.
func (r *remarks) remark(e *profile.Event) {
	switch {
	case e.Kind == profile.NoteEvent && len(r.notes) < mostPending:
		r.notes = append(r.notes, remark{at: e.Start, key: e.Name, text: e.Text})
	case e.Kind == profile.LinkEvent:
		r.tasks = append(r.tasks[max(0, len(r.tasks)-mostTasks+1):], e.Start)
	}
}

// within notes that a part of a span is in a unit: it is that of a root zone, or was begun with the task of a unit.
func (r *remarks) within(p *piece, root bool) {
	if len(r.notes) == 0 || !root && !slices.ContainsFunc(r.tasks, func(at clock.Instant) bool { return max(at-p.start, p.start-at) <= slack }) {
		return
	}
	for i := range r.notes {
		if n := &r.notes[i]; n.at >= p.from && n.at < p.to {
			n.ofUnit = true
		}
	}
}

// of returns the notes of a frame, the latest value of each key, and forgets those from before its end.
func (r *remarks) of(f *frame) (notes []profile.Note) {
	var of []remark
	slices.SortStableFunc(r.notes, func(a, b remark) int { return cmp.Compare(a.at, b.at) })
	rest := r.notes[:0]
	for _, n := range r.notes {
		if n.at >= f.end {
			rest = append(rest, n)
			continue
		}
		if n.at < f.start || n.ofUnit {
			continue
		}
		if i := slices.IndexFunc(of, func(o remark) bool { return o.key == n.key }); i >= 0 {
			of[i] = n
		} else if len(of) < mostKeys {
			of = append(of, n)
		}
	}
	clear(r.notes[len(rest):])
	r.notes = rest
	for _, n := range of {
		notes = append(notes, profile.Note{Key: n.key, Value: n.text})
	}
	return notes
}
