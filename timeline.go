// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/profile"
)

// recordLock makes calls of Record follow one another. bases are how many spans each lane had failed to record before.
var recordLock struct {
	sync.Mutex
	bases []uint64
}

// Record starts recording spans and marks and keeps the latest of them in at most the given number of bytes; a span takes
// 16. All lanes share this memory: a lane may use what the others do not. 0 or less ends the recording and frees the
// memory. It also counts against the budget of SetBudget. Safe for concurrent use.
func Record(bytes int64) {
	recordLock.Lock()
	defer recordLock.Unlock()
	lanes.Lock()
	all := lanes.all
	if old := recording.Swap(nil); old != nil {
		old.Close()
	}
	for _, l := range all {
		l.chunk.Store(nil)
	}
	lanes.Unlock()
	if bytes <= 0 {
		return
	}
	p := recorder.New(uint64(bytes), clock.TicksOrdered(), &memory)
	lanes.Lock()
	defer lanes.Unlock()
	recordLock.bases = recordLock.bases[:0]
	for _, l := range lanes.all {
		recordLock.bases = append(recordLock.bases, l.unrecorded.Read())
		l.chunk.Store(p.None())
	}
	recording.Store(p)
}

// Message records text on the calling goroutine's lane of the timeline, if recording is on. Safe for concurrent use.
func Message(text string) {
	if !disabled.Load() {
		mark(profile.MessageEvent, text, 0)
	}
}

// TakeTimeline returns the spans and marks that have not been overwritten. Nothing is stopped for it. It is empty while
// recording is off. Safe for concurrent use.
func TakeTimeline() Timeline {
	recordLock.Lock()
	defer recordLock.Unlock()
	lanes.Lock()
	all := slices.Clip(lanes.all)
	lanes.Unlock()
	p := recording.Load()
	if p == nil {
		return Timeline{At: clock.NowOrdered()}
	}
	current := make([]*recorder.Chunk, len(all))
	for i, l := range all {
		current[i] = l.chunk.Load()
	}
	r := timelineReader{rate: nsPerTick(), now: clock.TicksOrdered(), since: p.Since}
	r.t.At = clock.NowOrdered()
	read := p.Read(len(all), current)
	for i, l := range all {
		lost := read[i].Lost + l.unrecorded.Read()
		if i < len(recordLock.bases) {
			lost -= recordLock.bases[i]
		}
		r.lane(l, read[i].Spans, lost)
	}
	r.marks(p)
	zones.Lock() // after the spans: they are of no zone that is not there
	for _, z := range zones.all {
		r.t.Zones = append(r.t.Zones, z.info())
	}
	zones.Unlock()
	return r.t
}

// A timelineReader turns what was recorded into plain data.
type timelineReader struct {
	t          profile.Timeline
	rate       float64
	now, since uint64 // ticks
}

func (r *timelineReader) lane(l *Lane, spans []recorder.Span, lost uint64) {
	r.t.Lanes = append(r.t.Lanes, profile.TimelineLane{LaneInfo: l.info(), Lost: lost})
	r.t.Lost += lost
	if lost > 0 {
		r.t.Notes = append(r.t.Notes, r.t.Lanes[l.id].Name+": "+strconv.FormatUint(lost, 10)+" spans were overwritten or did not fit")
	}
	if l.shared {
		return
	}
	for _, s := range spans {
		if int64(s.Start+s.Ticks-r.now) <= 0 { // what ended since r.now is open in this timeline, or has not begun
			r.add(l, s, false)
		}
	}
	for _, s := range l.unfinished(r.since, r.now) { // after the spans that ended: what ends in between is missing, not there twice
		r.add(l, s, true)
	}
}

func (r *timelineReader) add(l *Lane, s recorder.Span, open bool) {
	n := l.tree.node(uint64(s.Node))
	r.t.Events = append(r.t.Events, profile.Event{Kind: profile.SpanEvent, Lane: l.id, Zone: int(n.zone.id), Depth: s.Depth - 1, Open: open,
		Start: r.t.At - clock.Instant(float64(int64(r.now-s.Start))*r.rate), Took: time.Duration(float64(s.Ticks) * r.rate)})
}

func (r *timelineReader) marks(p *recorder.Pool) {
	all, lost := p.Marks()
	r.t.Lost += lost
	if lost > 0 {
		r.t.Notes = append(r.t.Notes, strconv.FormatUint(lost, 10)+" frames, plot values and messages were overwritten by later ones")
	}
	for _, m := range all {
		r.t.Events = append(r.t.Events, profile.Event{Kind: m.Kind, Lane: m.Lane, Zone: -1, Start: m.At, Name: m.Name, Value: m.Value})
	}
}

// unfinished returns the spans that are open at tick now, innermost first, none of them from before since. They are read
// twice while the lane goes on: those that have not changed lie around those that have.
func (l *Lane) unfinished(since, now uint64) []recorder.Span {
	first := l.openAt(now)
	second := l.openAt(now)
	n := 0
	for n < len(first) && n < len(second) && first[n] == second[n] {
		n++
	}
	open := first[:n]
	for i := range open {
		s := &open[i]
		if int64(s.Start-since) < 0 {
			s.Start = since
		}
		s.Ticks = now - s.Start
	}
	slices.Reverse(open)
	return open
}

// openAt returns the open spans that have begun by tick now, outermost first.
func (l *Lane) openAt(now uint64) []recorder.Span {
	var open []recorder.Span
	for id := range l.tree.count.Read() { // parents come before their children
		n := l.tree.node(id)
		_, _, start := n.read()
		if start == 0 || int64(now-start) < 0 {
			continue
		}
		if len(open) > 0 && int(n.parent.id) != open[len(open)-1].Node || len(open) == 0 && n.parent.parent != nil {
			continue // the lane has moved on
		}
		open = append(open, recorder.Span{Start: start, Depth: int(n.depth), Node: int(id)})
	}
	return open
}
