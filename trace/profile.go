// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"io"
	"math"
	"strconv"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe"
)

// WriteProfile writes s as a gzipped pprof profile with a sample for each zone and lane: "calls" that have ended, "wall", the
// time with the spans inside, and "self", the time without. A snapshot does not know who called whom, so every zone is a
// stack of its own, and pprof's cum is its flat; see WriteStacks. The lane is the label "lane", and the zones of NewWaitZone
// have the label "kind" with the value "wait". What limits the numbers is in the comments (pprof -comments). Errors are
// those of w.
func WriteProfile(w io.Writer, s strobe.Snapshot) error {
	p := newProfile(s.Zones, "calls", "wall", "self")
	p.DurationNanos = int64(max(s.Span, 0))
	p.Comments = valids(s.Notes)
	for i, l := range s.Lanes {
		for _, z := range l.Zones {
			if z.Calls > 0 || z.Open > 0 {
				p.sample(laneName(s.Lanes, i), []int{z.Zone}, int64(min(z.Calls, math.MaxInt64)), int64(z.Total), int64(z.Self))
			}
		}
		if l.Shared && len(l.Zones) > 0 {
			p.Comments = append(p.Comments, "the lane "+valid(laneName(s.Lanes, i))+" is shared: its self times are unknown, not 0")
		}
	}
	return p.Write(w)
}

// WriteStacks writes t as a gzipped pprof profile of stacks of zones: "calls", and "self", whose flat is the time without
// the spans inside and whose cum is the time with them. Labels are those of WriteProfile. Errors are those of w.
//
// It sums up the spans of the timeline and no others. Those that had not ended count up to Timeline.At, but not as calls; calls
// that sampling left out are missing. If spans have been lost, a lane is looked at from the start of the first span that
// it still holds, so that no time is taken for self whose spans are gone. A span that had begun before Record was called
// is whole, and what had ended inside it until then is in its self time.
func WriteStacks(w io.Writer, t strobe.Timeline) error {
	p := newProfile(t.Zones, "calls", "self")
	p.Comments = valids(t.Notes)
	if t.Lost > 0 {
		p.Comments = append(p.Comments, strconv.FormatUint(t.Lost, 10)+" events were lost")
	}
	var n nester
	var first, last int64 = math.MaxInt64, math.MinInt64
	n.lanes(t.Events, func(lane int, spans []span) {
		if t.Lost > 0 {
			clip(spans)
		}
		for _, s := range spans {
			first, last = min(first, int64(s.start)), max(last, int64(s.end))
		}
		p.stacks(laneName(t.Lanes, lane), spans)
	})
	if first < last {
		p.DurationNanos = max(last-first, 0)
	}
	return p.Write(w)
}

// clip cuts off what lies before the span that ended first.
func clip(spans []span) {
	oldest := 0 // outermost first: the first that has none inside
	for oldest+1 < len(spans) && spans[oldest+1].level > spans[oldest].level {
		oldest++
	}
	for i := range spans[:oldest] {
		spans[i].start = spans[oldest].start
	}
}

type pprof struct {
	*profile.Profile
	zones     []strobe.ZoneInfo
	locations map[int]*profile.Location
	lanes     map[string]labels
}

type labels struct{ plain, wait map[string][]string }

func newProfile(zones []strobe.ZoneInfo, types ...string) *pprof {
	p := &pprof{Profile: &profile.Profile{DefaultSampleType: "self"}, zones: zones,
		locations: make(map[int]*profile.Location), lanes: make(map[string]labels)}
	for _, name := range types {
		unit := "nanoseconds"
		if name == "calls" {
			unit = "count"
		}
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	return p
}

// sample adds a stack, innermost first. It keeps values, but not stack.
func (p *pprof) sample(lane string, stack []int, values ...int64) {
	s := &profile.Sample{Value: values, Location: make([]*profile.Location, len(stack))}
	for i, zone := range stack {
		s.Location[i] = p.location(zone)
	}
	l, ok := p.lanes[lane]
	if !ok {
		name := []string{valid(lane)}
		l = labels{plain: map[string][]string{"lane": name}, wait: map[string][]string{"lane": name, "kind": {"wait"}}}
		p.lanes[lane] = l
	}
	s.Label = l.plain
	if zoneAt(p.zones, stack[0]).Wait {
		s.Label = l.wait
	}
	p.Sample = append(p.Sample, s)
}

func (p *pprof) location(zone int) *profile.Location {
	if l := p.locations[zone]; l != nil {
		return l
	}
	z := zoneAt(p.zones, zone)
	file, line := where(z)
	id := uint64(len(p.Location)) + 1
	f := &profile.Function{ID: id, Name: valid(z.Name), SystemName: valid(z.Name), Filename: valid(file), StartLine: int64(line)}
	l := &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: int64(line)}}}
	p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	p.locations[zone] = l
	return l
}

// A frame is a zone within a stack, a node of the tree of all stacks of a lane.
type frame struct{ around, zone int }

// stacks adds up the spans of a lane by their stacks.
func (p *pprof) stacks(lane string, spans []span) {
	type sums struct {
		frame
		calls int64
		self  time.Duration
	}
	ids := make(map[frame]int)
	var all []sums
	var path []int // of those around
	for _, s := range spans {
		path = path[:s.level]
		f := frame{around: -1, zone: s.zone}
		took := s.end.Sub(s.start)
		if s.level > 0 {
			f.around = path[s.level-1]
			all[f.around].self -= took
		}
		id, ok := ids[f]
		if !ok {
			id = len(all)
			ids[f] = id
			all = append(all, sums{frame: f})
		}
		if !s.open {
			all[id].calls++
		}
		all[id].self += took
		path = append(path, id)
	}
	var stack []int
	for id := range all {
		stack = stack[:0]
		for i := id; i >= 0; i = all[i].around {
			stack = append(stack, all[i].zone)
		}
		p.sample(lane, stack, all[id].calls, int64(all[id].self))
	}
}

func valids(in []string) (out []string) {
	for _, s := range in {
		out = append(out, valid(s))
	}
	return out
}
