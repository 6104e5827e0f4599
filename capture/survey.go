// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

// A survey looks at stretches of time, to tell for all zones and units when they ran, were ready and waited. When it looks must not
// depend on what happens then: only so are the shares in those stretches also those of the rest.
type survey struct {
	looks  bool // this Capturer is the one that looks
	budget *budget
	last   time.Duration // what the latest survey took
	reads  time.Duration // what reading spans for this stretch took, of a program without units
	next   time.Time     // when the next one may begin

	length time.Duration // of the next stretch
	sized  bool          // it is known whether there are many events

	began clock.Instant // when the stretch began
	from  clock.Instant // the same, or since when no span is missing; 0: none is looked at
	until clock.Instant
	spans []span         // that ended since from
	units []profile.Unit // the same, with linked spans only
	turns []looks.Unit   // of loops, the same
	ends  []clock.Instant
}

const (
	surveyShare  = 0.2                    // of Options.Cost; the rest is for explanations
	stretch      = 500 * time.Millisecond // of time that is looked at, if there are not too many events and spans
	leastStretch = 20 * time.Millisecond
	surveyed     = 1 << 18          // bytes of the trace that are looked at: reading them takes time and memory at once
	mostPause    = 2 * time.Second  // between two stretches, at random, so that they do not keep step with the program
	noTrace      = 30 * time.Second // pause after a survey for which there was no trace
	mostGained   = 1 << 13          // spans, and units, that are looked at: the latest
	mostRead     = 4 * mostGained   // spans, until the earlier ones are left out
)

// newSurvey returns a survey that takes its share of cost.
func newSurvey(cost float64, now time.Time) survey {
	if cost > 0 {
		cost *= surveyShare
	}
	return survey{budget: newBudget(cost, now), next: now, length: stretch}
}

// measured notes how many bytes of the trace there are in a second; 0 if that is not known. Stretches only become shorter: if they became
// longer whenever there were few events, the time with few events would count more than the rest.
func (s *survey) measured(rate float64) {
	if rate > 0 {
		s.shorten(time.Duration(surveyed / rate * float64(time.Second)))
	}
}

func (s *survey) shorten(to time.Duration) { s.length = min(s.length, max(leastStretch, to)) }

// unit adds a unit that has ended.
func (s *survey) unit(u *profile.Unit) {
	if s.from == 0 {
		return
	}
	kept := profile.Unit{Zone: u.Zone, Lane: u.Lane, Goroutine: u.Goroutine, Start: u.Start, Took: u.Took}
	for _, o := range u.Spans {
		if o.Linked {
			kept.Spans = append(kept.Spans, o)
		}
	}
	s.units = append(s.units, kept)
}

// turn adds a turn of a loop.
func (s *survey) turn(loop string, t turn) {
	if s.from != 0 && t.goroutine != several {
		s.turns = append(s.turns, looks.Unit{Zone: -1, Loop: loop, Lane: t.lane, Goroutine: t.goroutine, Start: t.from, Took: t.took})
	}
}

// read adds the spans of a reading, and drops the stretch if some are missing.
func (s *survey) read(t *profile.Timeline, now time.Time) {
	if s.from == 0 {
		return
	}
	if t.Lost > 0 {
		s.drop(now, "spans were overwritten before they were read: use a larger recording")
		return
	}
	end := func(o *span) clock.Instant { return o.from + clock.Instant(o.took) }
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == profile.SpanEvent && !e.Open && e.Start+clock.Instant(e.Took) > s.from {
			s.spans = append(s.spans, spanOf(t, e))
		}
		if len(s.spans) == mostRead {
			s.from = latest(&s.spans, s.from, &s.ends, end)
		}
	}
	s.from = latest(&s.spans, s.from, &s.ends, end)
	s.from = latest(&s.units, s.from, &s.ends, func(u *profile.Unit) clock.Instant { return u.Start + clock.Instant(u.Took) })
	s.turns = s.turns[max(0, len(s.turns)-mostGained):]
}

// latest keeps what ended last, and returns from when on nothing is missing. The ends are sorted instead of what they belong to, which
// takes a fraction of the time.
func latest[T any](all *[]T, from clock.Instant, ends *[]clock.Instant, end func(*T) clock.Instant) clock.Instant {
	n := len(*all) - mostGained
	if n <= 0 {
		return from
	}
	*ends = (*ends)[:0]
	for i := range *all {
		*ends = append(*ends, end(&(*all)[i]))
	}
	slices.Sort(*ends)
	from = max(from, (*ends)[n-1])
	kept := (*all)[:0]
	for i := range *all {
		if end(&(*all)[i]) > from {
			kept = append(kept, (*all)[i])
		}
	}
	clear((*all)[len(kept):])
	*all = kept
	return from
}

// drop ends a stretch, which does not count.
func (s *survey) drop(now time.Time, reason string) {
	looks.Because(reason)
	s.rest(now)
}

// rest makes a pause.
func (s *survey) rest(now time.Time) {
	s.from, s.next, s.reads = 0, now.Add(rand.N(mostPause)), 0
	clear(s.spans)
	clear(s.units)
	s.spans, s.units, s.turns = s.spans[:0], s.units[:0], s.turns[:0]
}

// affords reports whether there is budget for the next survey.
func (s *survey) affords(now time.Time) bool {
	return s.budget.allows(now) && (s.budget.share < 0 || s.budget.saved >= min(purse, s.last))
}

// begins reports whether a stretch is to begin.
func (s *survey) begins(now time.Time) bool {
	return s.looks && s.from == 0 && !now.Before(s.next) && s.affords(now)
}

// crowded reports whether there were more spans than are looked at. To read still more of them is of no use.
func (s *survey) crowded() bool { return s.from > s.began }

// spend notes what reading spans for a stretch took.
func (s *survey) spend(d time.Duration) {
	s.reads += d
	s.budget.spend(d)
}

// left returns how long it is until the end of the stretch; very long if there is none.
func (s *survey) left(now clock.Instant) time.Duration {
	if s.from == 0 {
		return math.MaxInt64
	}
	return max(leastStretch, s.until.Sub(now))
}

// survey begins a stretch, or looks at one that is over. resting is why the flight recorder has nothing.
func (w *watch) survey(now time.Time, resting string, begins bool) {
	s := &w.looking
	switch {
	case !s.looks && !now.Before(s.next):
		s.looks, s.next = looks.Begin(), now.Add(time.Second)
	case !s.looks:
	case resting != "":
		s.drop(now, resting)
	case begins:
		s.began, s.from = w.timeline.At, w.timeline.At
		s.until = s.from + clock.Instant(s.length)
	case s.from != 0 && (w.timeline.At >= s.until || s.crowded()):
		if !s.sized {
			w.size()
			if w.timeline.At.Sub(s.from) > 2*s.length { // it would take long to read: a shorter one follows at once
				s.rest(now)
				s.next = now
				return
			}
		}
		if s.crowded() {
			s.shorten(w.timeline.At.Sub(s.from))
		}
		s.from = max(s.from, w.timeline.At-2*clock.Instant(s.length)) // on a busy machine it may have become long
		reads := s.reads
		took := w.processorTime(func() { w.surveyNow(now) })
		w.explains += took
		s.budget.spend(took)
		s.last = reads + took
	}
}

// size finds how long a stretch may be, before the first one is read.
func (w *watch) size() {
	w.looking.sized = true
	w.explains += w.processorTime(func() { w.looking.measured(traceRate()) })
}

// surveyNow looks at the stretch.
func (w *watch) surveyNow(now time.Time) {
	l := &w.looking
	r := reach[clock.Instant]{l.from - clock.Instant(stretch), l.from, w.timeline.At, 2 * surveyed}
	s, release := w.sceneOf(r, append(slices.Clip(l.spans), openSpans(&w.timeline)...))
	defer release()
	if s.got.trace == nil {
		reason := "the runtime's flight recorder has nothing"
		if len(s.degrees) > 0 {
			reason = s.degrees[0]
		}
		l.drop(now, reason)
		l.next = now.Add(noTrace)
		return
	}
	l.measured(s.got.rate)
	window := account.Interval{From: max(s.time(l.from), s.got.trace.From), To: s.time(w.timeline.At)}
	if window.From >= window.To {
		l.drop(now, "the flight recorder does not reach back so far: there are many events; raise Options.MemoryBytes")
		return
	}
	zones, roots := make(map[int]profile.Split), make(map[int]profile.Split)
	for zone, d := range s.window.SplitZones(window) {
		zones[zone] = splitOf(*d)
	}
	var whole []looks.Unit
	for _, list := range [][]profile.Unit{l.units, w.units.Open(0, mostGained)} {
		for i := range list {
			u := &list[i]
			part, split, known := s.divide(u, window)
			roots[u.Zone] = roots[u.Zone].Plus(part)
			if known && !u.Open {
				whole = append(whole, looks.Unit{Zone: u.Zone, Lane: u.Lane, Goroutine: u.Goroutine, Start: u.Start, Took: u.Took, Split: split})
			}
		}
	}
	for _, t := range l.turns {
		u := profile.Unit{Lane: t.Lane, Goroutine: t.Goroutine, Start: t.Start, Took: t.Took}
		if _, split, known := s.divide(&u, window); known && t.Goroutine != 0 {
			t.Split = split
			whole = append(whole, t)
		}
	}
	looks.Add(time.Duration(window.To-window.From), zones, roots, !s.window.Exact(window.From))
	looks.AddUnits(whole)
	looks.Because("")
	l.rest(now)
}

// divide divides the part of a unit that lies in a window, and all of it if the trace has that.
func (s *scene) divide(u *profile.Unit, window account.Interval) (part, whole profile.Split, known bool) {
	i := s.interval(u.Start, u.Took)
	of := s.unit(u)
	of.Goroutine = s.who(u.Goroutine, account.Interval{From: max(i.From, s.got.trace.From), To: i.To})
	cut := account.Interval{From: max(i.From, window.From), To: min(i.To, window.To)}
	if cut.From < cut.To {
		one := of
		one.Interval = cut
		part = splitOf(s.window.Split(one))
	}
	switch {
	case of.Goroutine == 0 || i.From < s.got.trace.From:
		return part, whole, false
	case cut == i:
		return part, part, true
	default:
		return part, splitOf(s.window.Split(of)), true
	}
}

// openSpans returns the spans that had not ended in a reading.
func openSpans(t *profile.Timeline) (open []span) {
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == profile.SpanEvent && e.Open {
			open = append(open, spanOf(t, e))
		}
	}
	return open
}

func splitOf(s account.Split) profile.Split { return profile.Split(s) }
