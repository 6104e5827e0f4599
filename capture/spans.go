// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// spans are the longer ones of the latest seconds, of all goroutines: they name the zone that a goroutine was in.
type spans struct {
	ended, open []span
	zones       []profile.ZoneInfo
}

type span struct {
	lane      int
	goroutine int64
	zone      int
	depth     int
	from      clock.Instant
	took      time.Duration
}

// Shorter spans are left out, and those that had ended before what the flight recorder keeps, of which the beginning is uncertain.
const (
	shortest  = 200 * time.Microsecond
	uncertain = 3 * time.Second
	mostKept  = 1 << 15
)

// read adds the spans of a reading, and drops those that ended more than age, and what is uncertain, before it.
func (s *spans) read(t *profile.Timeline, age time.Duration) {
	s.zones = append(s.zones[:0], t.Zones...)
	before := t.At - clock.Instant(age+uncertain)
	s.ended = slices.DeleteFunc(s.ended, func(o span) bool { return o.from+clock.Instant(o.took) < before })
	s.open = s.open[:0]
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != profile.SpanEvent || e.Took < shortest {
			continue
		}
		o := spanOf(t, e)
		if e.Open {
			s.open = append(s.open, o)
		} else {
			s.ended = append(s.ended, o)
		}
	}
	if n := len(s.ended) - mostKept; n > 0 {
		s.ended = slices.Delete(s.ended, 0, n)
	}
}

func spanOf(t *profile.Timeline, e *profile.Event) span {
	return span{t.Lanes[e.Lane].ID, e.Goroutine, e.Zone, e.Depth, e.Start, e.Took}
}

// unit returns what belongs to a turn of a loop: the spans of its lane that overlap it, cut at its borders.
func (s *spans) unit(t turn) profile.Unit {
	u := profile.Unit{Zone: -1, Lane: t.lane, Goroutine: t.goroutine, Start: t.from, Took: t.took}
	for _, o := range s.ended {
		if from, to := max(o.from, t.from), min(o.from+clock.Instant(o.took), t.to()); o.lane == t.lane && from < to {
			u.Spans = append(u.Spans, profile.UnitSpan{Lane: o.lane, Zone: o.zone, Depth: o.depth, Start: from, Took: to.Sub(from)})
		}
	}
	slices.SortStableFunc(u.Spans, func(a, b profile.UnitSpan) int { return int(b.Took - a.Took) })
	const most = 512
	if n := len(u.Spans) - most; n > 0 {
		u.Spans, u.Left = u.Spans[:most], uint64(n)
	}
	slices.SortStableFunc(u.Spans, func(a, b profile.UnitSpan) int { return int(a.Start - b.Start) })
	return u
}
