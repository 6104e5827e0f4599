// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

// recordLock serializes calls of Record and KeepRecording. bases are the numbers of spans that each lane had failed to record
// before.
var recordLock struct {
	sync.Mutex
	bytes   int64 // of the recording
	bases   []uint64
	keepers int
	kept    bool // the recording ends with the last keeper
}

// Record starts recording spans and marks and keeps the latest of them in at most the given number of bytes; a span takes
// 16, and so does a goroutine that takes over the lane of one that has ended. All lanes share this memory: a lane may use what
// the others do not. Marks may use a quarter of it, in place of the oldest spans. Less than 11 kB may have no room for spans,
// which then count as lost. 0 or less ends the recording and frees the memory. The memory counts against the budget of SetBudget.
// Safe for concurrent use.
func Record(bytes int64) {
	recordLock.Lock()
	defer recordLock.Unlock()
	recordLock.kept = false
	record(bytes)
}

// KeepRecording is Record for viewers, of which a program may have several: it starts a recording only if there is none. The
// recording that it started ends when the last of those who called KeepRecording has called release, unless Record was called
// in between. 0 or less starts nothing. Safe for concurrent use; further calls of release do nothing.
func KeepRecording(bytes int64) (release func()) {
	recordLock.Lock()
	defer recordLock.Unlock()
	if recordLock.bytes == 0 && bytes > 0 {
		recordLock.kept = true
		record(bytes)
	}
	recordLock.keepers++
	return sync.OnceFunc(func() {
		recordLock.Lock()
		defer recordLock.Unlock()
		if recordLock.keepers--; recordLock.keepers == 0 && recordLock.kept {
			recordLock.kept = false
			record(0)
		}
	})
}

// record starts or ends a recording. The caller holds recordLock.
func record(bytes int64) {
	lanes.Lock()
	all := lanes.all
	if old := recording.Swap(nil); old != nil {
		old.Close()
	}
	for _, l := range all {
		l.chunk.Store(nil)
	}
	lanes.Unlock()
	recordLock.bytes = max(bytes, 0)
	if bytes <= 0 {
		return
	}
	p := recorder.New(uint64(bytes), clock.TicksOrdered(), &memory)
	lanes.Lock()
	defer lanes.Unlock()
	recordLock.bases = recordLock.bases[:0]
	for _, l := range lanes.all {
		recordLock.bases = append(recordLock.bases, l.unrecorded.Read())
		l.chunk.Store(p.Fresh())
	}
	recording.Store(p)
}

// Recording returns the number of bytes that the current recording may use; 0 while nothing is recorded. Safe for
// concurrent use.
func Recording() int64 {
	recordLock.Lock()
	defer recordLock.Unlock()
	return recordLock.bytes
}

// Message records text on the calling goroutine's lane of the timeline, if recording is on. A text of more than 4096 bytes is
// cut. Safe for concurrent use.
func Message(text string) {
	if !disabled.Load() {
		mark(recorder.Mark{Kind: profile.MessageEvent, Name: cut(text, maxMessage)})
	}
}

// TakeTimeline returns the spans and marks that have not been overwritten. It stops nothing. The result is empty while
// recording is off. Safe for concurrent use.
func TakeTimeline() Timeline {
	var r TimelineReader
	var t Timeline
	r.read(&t, true)
	return t
}

// A TimelineReader returns the spans and marks that were recorded since its previous reading, at a cost that does not depend
// on how many are kept: for live views and for recording without end. Each span that ended is returned exactly once, or
// counted as lost. Any number of TimelineReaders may be used at the same time; each is safe for concurrent use.
//
// As with a Reader, NewTimelineReader begins now, and the zero value at the beginning: its first reading returns everything that is
// kept.
type TimelineReader struct {
	mu    sync.Mutex
	pool  *recorder.Pool // that the following fields refer to
	from  recorder.Cursor
	lost  []uint64 // by lane: reported spans lost because there was no chunk
	pass  uint64   // of movements
	paths paths
	now   uint64 // ticks of the latest reading
	at    clock.Instant

	skips   bool // does not read what is kept
	held    *holding
	small   int   // readings in a row that needed little memory
	lanes   []int // of the latest reading
	marked  []int // of those, the ones with marks
	open    openSpans
	between func() // in tests: called between the reading of spans that are open and that of those that ended
}

// NewTimelineReader returns a reader whose first reading covers the time from now on.
func NewTimelineReader() *TimelineReader {
	r := &TimelineReader{skips: true}
	r.Read()
	r.skips = false
	return r
}

// Read returns the spans that ended and the marks that were set since the previous reading, and the spans that are open.
// Lanes without any of these are left out, and so are those whose open spans have not changed since a reading in which
// TimelineLane.Parked was set: a goroutine that waits inside a span for long is read only once. A span that ended just after
// Timeline.At may already be included. In rare cases a span that ended just before it is missing, both as ended and as open;
// the next reading then includes it. Paths contains all paths since the first reading, with the same indices. The result is
// empty while recording is off; the first reading after another call of Record returns everything that is kept.
func (r *TimelineReader) Read() Timeline {
	var t Timeline
	r.ReadInto(&t)
	return t
}

// ReadInto is like Read, but replaces the contents of t and reuses its slices, so that frequent readings need not allocate.
func (r *TimelineReader) ReadInto(t *Timeline) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read(t, false)
}

// read reads what is new; if whole is set, it leaves out spans that ended after Timeline.At and lists all lanes.
func (r *TimelineReader) read(into *Timeline, whole bool) {
	recordLock.Lock()
	defer recordLock.Unlock()
	*into = Timeline{Zones: into.Zones[:0], Lanes: into.Lanes[:0], Events: into.Events[:0], Notes: into.Notes[:0]}
	p := recording.Load()
	if p == nil {
		r.pool = nil
		return
	}
	if p != r.pool {
		r.pool, r.from, r.lost, r.pass = p, recorder.Cursor{}, slices.Clone(recordLock.bases), 0
	}
	t := timelineTaker{Timeline: into, rate: nsPerTick(), paths: &r.paths, numbered: stamp.Numbered()}
	if whole && stamp.HasGoroutine && !numbered() {
		t.Notes = append(t.Notes, hidden)
	}
	t.now, t.At = moment()
	if at := r.at + clock.Instant(math.Round(float64(t.now-r.now)*t.rate)); r.now != 0 && max(at-t.At, t.At-at) < unsure {
		t.At = at
	}
	r.now, r.at = t.now, t.At
	r.lanes, r.pass = movements.lanes(r.lanes[:0], r.pass, t.At)
	marks, lost := p.Marks(&r.from) // before the spans, so that spans that ended before a mark come no later than the mark
	r.list(marks, whole)
	all := allLanes()
	r.open.read(r.lanes, all, t.now) // before the ended spans, so that a span that ends in between is in both rather than in neither
	if r.between != nil {
		r.between()
	}
	if r.skips {
		p.Skip(&r.from)
	}
	readings := p.Read(r.lanes, func(id int) *recorder.Chunk { return all[id].chunk.Load() }, &r.from)
	all = allLanes() // including new ones
	events := len(marks) + len(r.open.spans)
	for i := range readings {
		events += len(readings[i].Spans)
	}
	if cap(t.Events) < events { // nothing is in it that would have to be copied
		t.Events = make([]profile.Event, 0, events+events/4)
	}
	for i := range readings {
		read := &readings[i]
		l := all[read.ID]
		if whole {
			read.Spans = slices.DeleteFunc(read.Spans, func(s recorder.Span) bool { return int64(s.Start+s.Ticks-t.now) > 0 })
		}
		open := stillOpen(r.open.of(read.ID), read.Spans, p.Since)
		for len(r.lost) <= read.ID {
			r.lost = append(r.lost, 0)
		}
		missed := l.unrecorded.Read()
		read.Lost += missed - r.lost[read.ID]
		r.lost[read.ID] = missed
		if _, marked := slices.BinarySearch(r.marked, read.ID); whole || marked || len(read.Spans)+len(open) > 0 || read.Lost > 0 {
			t.lane(l, read, open)
			t.Lanes[len(t.Lanes)-1].Parked = !whole && len(open) > 0 && movements.rests(l)
		}
	}
	t.marks(marks, lost)
	t.Paths = slices.Clip(r.paths.all)
	zones.Lock() // after the spans, so that all their zones are included
	for _, z := range zones.all {
		t.Zones = append(t.Zones, z.info())
	}
	zones.Unlock()
	if !whole {
		r.shrink()
		r.keep()
	}
}

// leisure is the number of readings after which memory that none of them needed is freed.
const leisure = 32

// shrink frees memory that was left by a large reading.
func (r *TimelineReader) shrink() {
	if r.small++; 8*len(r.lanes)+64 >= cap(r.lanes) {
		r.small = 0
	}
	if r.small == leisure {
		r.lanes, r.marked, r.open, r.small = nil, nil, openSpans{}, 0
		r.from.Shrink()
	}
}

// keep counts what is kept for each lane and path.
func (r *TimelineReader) keep() {
	if r.held == nil {
		r.held = new(holding)
		runtime.AddCleanup(r, func(h *holding) {
			recordLock.Lock()
			defer recordLock.Unlock()
			h.set(0)
		}, r.held)
	}
	r.held.set(r.from.Bytes() + uint64(cap(r.lost))*8 + r.paths.bytes())
}

// list adds the lanes of marks to those of the reading, or all lanes.
func (r *TimelineReader) list(marks []recorder.Mark, whole bool) {
	r.marked = r.marked[:0]
	for i := range marks {
		if id := int(marks[i].Lane); id >= 0 {
			r.marked = append(r.marked, id)
		}
	}
	slices.Sort(r.marked)
	r.marked = slices.Compact(r.marked)
	moving := len(r.lanes)
	r.lanes = append(r.lanes, r.marked...)
	if whole {
		for id := range allLanes() {
			r.lanes = append(r.lanes, id)
		}
	}
	if len(r.lanes) > moving {
		slices.Sort(r.lanes)
		r.lanes = slices.Compact(r.lanes)
	}
}

// unsure is how far apart the two readings of a moment may be, in ns. Within this limit, a reader extrapolates from its
// latest moment, so that a span begins at the same instant in all of its readings, except for changes of the rate.
const unsure = 200

// moment returns the ticks and the instant of one moment. It uses the closest of three pairs, so that an interruption between
// the two readings does not shift all spans.
func moment() (ticks uint64, at clock.Instant) {
	apart := uint64(math.MaxUint64)
	for range 3 {
		before, now := clock.TicksOrdered(), clock.NowOrdered()
		if d := clock.TicksOrdered() - before; d < apart {
			apart, ticks, at = d, before+d/2, now
		}
	}
	return ticks, at
}

// A timelineTaker converts the recording to plain data.
type timelineTaker struct {
	*profile.Timeline
	rate     float64
	now      uint64 // ticks
	paths    *paths
	numbered bool // goroutines are identified by their numbers
}

// lane adds a lane and its spans.
func (t *timelineTaker) lane(l *Lane, read *recorder.Lane, open []recorder.Span) {
	t.Lanes = append(t.Lanes, profile.TimelineLane{LaneInfo: l.info(), Lost: read.Lost})
	t.Lost += read.Lost
	if read.Lost > 0 {
		t.Notes = append(t.Notes, t.Lanes[len(t.Lanes)-1].Name+": "+strconv.FormatUint(read.Lost, 10)+" spans were overwritten or did not fit")
	}
	for _, s := range read.Spans {
		t.add(l, s, false)
	}
	for _, s := range open {
		t.add(l, s, true)
	}
}

func (t *timelineTaker) add(l *Lane, s recorder.Span, open bool) {
	n := l.tree.node(uint64(s.Node))
	t.Events = append(t.Events, profile.Event{Kind: profile.SpanEvent, Lane: len(t.Lanes) - 1, Zone: int(n.zone.id), Path: t.paths.of(l, n),
		Depth: s.Depth - 1, Open: open, Goroutine: t.goroutine(s.Goroutine),
		Start: t.instant(s.Start), Took: time.Duration(float64(s.Ticks) * t.rate)})
}

// goroutine returns what is known of a goroutine from what identifies it.
func (t *timelineTaker) goroutine(id uint64) int64 {
	if !t.numbered {
		return 0
	}
	return int64(id)
}

// instant converts ticks. Marks are converted as spans are, so that a mark stays inside the span that it was set in.
func (t *timelineTaker) instant(ticks uint64) clock.Instant {
	return t.At - clock.Instant(float64(int64(t.now-ticks))*t.rate)
}

func (t *timelineTaker) marks(all []recorder.Mark, lost uint64) {
	t.Lost += lost
	if lost > 0 {
		t.Notes = append(t.Notes, strconv.FormatUint(lost, 10)+" frames, plot values, messages, notes and links were overwritten by later ones")
	}
	for _, m := range all {
		t.Events = append(t.Events, profile.Event{Kind: m.Kind, Lane: t.index(int(m.Lane)), Zone: -1, Path: -1, Depth: int(m.Depth), Goroutine: t.goroutine(m.Goroutine),
			Start: t.instant(m.Ticks), Name: m.Name, Text: m.Text, Value: m.Value, Task: m.Task})
	}
}

// index returns the index in Lanes of the lane with that ID; -1 if there is none.
func (t *timelineTaker) index(id int) int {
	i, found := slices.BinarySearchFunc(t.Lanes, id, func(l profile.TimelineLane, id int) int { return l.ID - id })
	if !found {
		return -1
	}
	return i
}

// openSpans are the spans that a reading found open.
type openSpans struct {
	lanes []openLane // by ID
	spans []recorder.Span
	twice []recorder.Span
}

type openLane struct{ id, from, to int }

// read reads the spans that are open at tick now.
func (o *openSpans) read(ids []int, all []*Lane, now uint64) {
	o.lanes, o.spans = o.lanes[:0], o.spans[:0]
	for _, id := range ids {
		if l := all[id]; l.opens() {
			from := len(o.spans)
			o.add(l, now)
			o.lanes = append(o.lanes, openLane{id, from, len(o.spans)})
		}
	}
}

// add adds the spans of a lane, innermost first. They are read twice while the lane keeps running: the spans that have not
// changed enclose those that have.
func (o *openSpans) add(l *Lane, now uint64) {
	from := len(o.spans)
	o.spans, o.twice = l.openAt(o.spans, now), l.openAt(o.twice[:0], now)
	first, n := o.spans[from:], 0
	for n < len(first) && n < len(o.twice) && first[n] == o.twice[n] {
		n++
	}
	open := first[:n]
	for i := range open {
		open[i].Ticks = now - open[i].Start
	}
	slices.Reverse(open)
	o.spans = o.spans[:from+n]
}

// of returns the spans of a lane.
func (o *openSpans) of(id int) []recorder.Span {
	i, found := slices.BinarySearchFunc(o.lanes, id, func(l openLane, id int) int { return l.id - id })
	if !found {
		return nil
	}
	return o.spans[o.lanes[i].from:o.lanes[i].to]
}

// longAgo is a time in ticks that is longer than an Exit takes from reading the clock to recording the span.
const longAgo = 1 << 32

// stillOpen returns the open spans that are not among those that ended. None of them begins before since.
func stillOpen(open, ended []recorder.Span, since uint64) []recorder.Span {
	open = slices.DeleteFunc(open, func(o recorder.Span) bool {
		for i := len(ended) - 1; i >= 0; i-- {
			e := &ended[i]
			if e.Start == o.Start && e.Node == o.Node {
				return true
			}
			if int64(o.Start+o.Ticks-(e.Start+e.Ticks)) > longAgo {
				break
			}
		}
		return false
	})
	for i := range open {
		if s := &open[i]; int64(s.Start-since) < 0 {
			s.Ticks -= since - s.Start
			s.Start = since
		}
	}
	return open
}

// openAt appends the open spans that have begun by tick now, outermost first.
func (l *Lane) openAt(open []recorder.Span, now uint64) []recorder.Span {
	around := -1                          // the node of the latest span
	for id := range l.tree.count.Read() { // parents come before their children
		n := l.tree.node(id)
		_, _, start := n.read()
		if start == 0 || int64(now-start) < 0 {
			continue
		}
		if around >= 0 && int(n.parent.id) != around || around < 0 && n.parent.parent != nil {
			continue // it is no longer open
		}
		open = append(open, recorder.Span{Start: start, Depth: int(n.depth), Node: int(id), Goroutine: l.number.Read()})
		around = int(id)
	}
	return open
}
