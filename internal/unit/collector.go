// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A Collector puts units together from the readings of one TimelineReader.
type Collector struct {
	// Whole says whether a unit is to be passed on whole: else it has no tree, spans and notes, which costs less. Without it all are, as is
	// every unit with tasks.
	Whole func(zone int, took time.Duration) bool

	limit   int64
	paths   []path
	lanes   map[int]*lane
	order   []*lane // the same, in order of arrival
	unused  []*lane
	tasks   tasks
	ended   []waiting // units of this reading that have tasks
	reading uint64
	at      clock.Instant // of the latest reading
	before  clock.Instant // of the one before
	build   builder
	work    waiting // memory for a unit that ends
	marks   loss    // marks lost in the latest reading in which some were
}

// A waiting unit has ended; the work of other lanes for it is known at the end of the reading.
type waiting struct {
	lane      *lane
	goroutine int64
	root      record
	zone      int32
	records   []record
	notes     []mark
	numbers   []uint64
	missing   []string
}

// NewCollector returns a collector that holds at most about limit bytes of spans whose unit has not ended; 0 or less means 16 MB.
// If there are more, it drops those of the lanes that have most, and their units say so.
func NewCollector(limit int64) *Collector {
	if limit <= 0 {
		limit = 16 << 20
	}
	return &Collector{limit: limit, lanes: make(map[int]*lane)}
}

// Read processes a reading, and calls each for every unit that ended before it and was not passed on before, in no particular
// order. The unit is valid during the call; Clone copies it. Read does not keep t. A reading of a recording that is off forgets
// all units that have not ended, and so does one of another reader, which has fewer paths.
func (c *Collector) Read(t profile.Timeline, each func(*profile.Unit)) {
	off := t.At == 0 && len(t.Lanes)+len(t.Events)+len(t.Zones) == 0
	if off || len(t.Paths) < len(c.paths) {
		*c = Collector{Whole: c.Whole, limit: c.limit, lanes: make(map[int]*lane)}
	}
	if off {
		return
	}
	c.paths = learn(c.paths, &t)
	c.reading++
	c.before, c.at = c.at, max(c.at, t.At)
	c.note(&t)
	for _, l := range c.order { // they ended before all of this reading
		if len(l.late) > 0 {
			c.overdue(l, each)
		}
	}
	for i := 0; i < len(t.Events); {
		j := i + 1
		for j < len(t.Events) && t.Events[j].Lane == t.Events[i].Lane && t.Events[j].Kind == t.Events[i].Kind {
			j++
		}
		if e := &t.Events[i]; e.Kind == profile.SpanEvent && e.Lane >= 0 && e.Lane < len(t.Lanes) {
			c.spans(&t.Lanes[e.Lane], t.Events[i:j], each)
		}
		i = j
	}
	c.together(each)
	c.tidy()
}

// note notes the marks of a reading, before its spans: a span that ended before the reading comes no earlier than the marks in it.
func (c *Collector) note(t *profile.Timeline) {
	lost := t.Lost
	for i := range t.Lanes {
		lost -= min(lost, t.Lanes[i].Lost)
	}
	if lost > 0 {
		c.marks = loss{c.before, c.at, lost, "notes and work on other lanes: %d marks were overwritten before they were read"}
	}
	for i := range t.Lanes {
		if n := t.Lanes[i].Lost; n > 0 {
			if l := c.lanes[t.Lanes[i].ID]; l != nil {
				l.lose(loss{c.before, c.at, n, overwritten})
			} else {
				c.lane(&t.Lanes[i]).lose(loss{c.before, c.at, n, overwritten}) // forgotten with this reading if there is nothing else
			}
		}
	}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Lane < 0 || e.Lane >= len(t.Lanes) {
			continue
		}
		switch e.Kind {
		case profile.NoteEvent:
			c.lane(&t.Lanes[e.Lane]).mark(mark{at: e.Start, key: e.Name, text: e.Text})
		case profile.TaskEvent:
			if e.Task != 0 {
				c.lane(&t.Lanes[e.Lane]).mark(mark{at: e.Start, task: e.Task})
				c.tasks.publish(e.Task)
			}
		case profile.LinkEvent:
			c.tasks.link(c.lane(&t.Lanes[e.Lane]), link{start: e.Start, task: e.Task, depth: uint8(min(max(e.Depth, 0), 255))})
		}
	}
}

const overwritten = "up to %d spans of its lane, which were overwritten before they were read: use a larger recording, strobe.Record"

// lane returns what is known of a lane.
func (c *Collector) lane(info *profile.TimelineLane) *lane {
	l := c.lanes[info.ID]
	if l == nil {
		if n := len(c.unused); n > 0 {
			l, c.unused = c.unused[n-1], c.unused[:n-1]
		} else {
			l = new(lane)
		}
		l.id, l.room = info.ID, mostRecords
		c.lanes[info.ID] = l
		c.order = append(c.order, l)
	}
	return l
}

// spans processes the spans of a lane in a reading.
func (c *Collector) spans(info *profile.TimelineLane, events []profile.Event, each func(*profile.Unit)) {
	l := c.lanes[info.ID]
	if l == nil {
		if !slices.ContainsFunc(events, func(e profile.Event) bool { return c.level(e.Path) > 0 }) {
			return
		}
		l = c.lane(info)
	}
	if l.seen != c.reading {
		l.seen, l.open = c.reading, l.open[:0]
	}
	l.parked = info.Parked
	for i := range events {
		e := &events[i]
		if e.Path < 0 || e.Path >= len(c.paths) {
			continue
		}
		r := record{start: e.Start, took: max(0, e.Took), path: int32(e.Path), depth: uint8(min(max(e.Depth, 0), 255)), level: c.paths[e.Path].level}
		l.goroutine = e.Goroutine
		if e.Open {
			if r.level > 0 || len(l.links) > 0 {
				l.open = append(l.open, r)
			}
			continue
		}
		r.calls = 1
		switch {
		case r.level == 0 && len(l.links) == 0:
		case r.end() > c.at:
			l.late, l.lateBy = append(l.late, r), append(l.lateBy, e.Goroutine) // its marks come with the next reading
		default:
			c.span(l, r, each)
		}
	}
}

func (c *Collector) level(path int) uint8 {
	if path < 0 || path >= len(c.paths) {
		return 0
	}
	return c.paths[path].level
}

// overdue processes the spans that ended after the previous reading.
func (c *Collector) overdue(l *lane, each func(*profile.Unit)) {
	n, now := 0, l.goroutine
	for ; n < len(l.late) && l.late[n].end() <= c.at; n++ {
		l.goroutine = l.lateBy[n]
		c.span(l, l.late[n], each)
	}
	l.late, l.lateBy, l.goroutine = slices.Delete(l.late, 0, n), slices.Delete(l.lateBy, 0, n), now
}

// span processes a span that ended.
func (c *Collector) span(l *lane, r record, each func(*profile.Unit)) {
	p := &c.paths[r.path]
	if p.root {
		c.unit(l, r, p, each) // before it is part of another one: the notes in it are its own
	}
	if len(l.links) > 0 {
		if number, is := l.follow(r); is {
			c.tasks.done(l, number, r)
		}
	}
	if p.root {
		r.level--
	}
	if r.level == 0 {
		return
	}
	if l.inside = append(l.inside, r); len(l.inside) >= l.room {
		if l.inside = fold(l.inside); len(l.inside) > l.room*3/4 {
			l.room *= 2
		}
	}
}

// unit passes on a unit that ended, or keeps it until the end of the reading if other lanes may have worked for it.
func (c *Collector) unit(l *lane, root record, p *path, each func(*profile.Unit)) {
	from := len(l.inside)
	for from > 0 && l.inside[from-1].level >= p.level {
		from--
	}
	w := &c.work
	*w = waiting{lane: l, goroutine: l.goroutine, root: root, zone: p.zone, records: l.inside[from:], notes: w.notes[:0], numbers: w.numbers[:0], missing: c.missing(l, root)}
	if len(l.marks) > 0 {
		w.notes = slices.DeleteFunc(l.take(root, w.notes), func(m mark) bool {
			if m.task != 0 {
				w.numbers = append(w.numbers, m.task)
			}
			return m.task != 0
		})
	}
	if len(w.numbers) > 0 {
		k := *w
		k.records, k.notes, k.numbers = slices.Clone(w.records), slices.Clone(w.notes), slices.Clone(w.numbers)
		c.ended = append(c.ended, k)
	} else if c.Whole == nil || c.Whole(int(p.zone), root.took) {
		each(c.put(w))
	} else {
		each(c.build.outline(l, root, p.zone))
	}
	if p.level == 1 {
		l.inside = l.inside[:from]
		return
	}
	for i := from; i < len(l.inside); i++ {
		l.inside[i].level = p.level - 1
	}
}

// missing returns what is missing from a unit, in words.
func (c *Collector) missing(l *lane, root record) (words []string) {
	add := func(k *loss) {
		if k.n > 0 && k.from < root.end() && k.to > root.start {
			words = append(words, fmt.Sprintf(k.what, k.n))
		}
	}
	for i := range l.lost {
		add(&l.lost[i])
	}
	add(&c.marks)
	return words
}

// put puts a unit together.
func (c *Collector) put(w *waiting) *profile.Unit {
	b := &c.build
	b.begin(w)
	b.add(c.paths, part{lane: w.lane.id, goroutine: w.goroutine, records: w.records, top: w.root})
	if len(w.numbers) > 0 {
		c.tasks.collect(c.paths, w.numbers, w.root.end(), func(e ended) {
			b.add(c.paths, e.part)
			w.notes = append(w.notes, before(e.notes, w.root.end())...)
		}, b.misses)
		slices.SortStableFunc(w.notes, func(x, y mark) int { return cmp.Compare(x.at, y.at) })
	}
	b.note(w.notes)
	for _, m := range w.missing {
		b.misses(m)
	}
	return b.finish()
}

// before returns the notes among marks that were made up to an instant.
func before(marks []mark, end clock.Instant) (notes []mark) {
	for _, m := range marks {
		if m.task == 0 && m.at <= end {
			notes = append(notes, m)
		}
	}
	return notes
}

// together passes on the units of the reading that have tasks, now that all lanes have been read.
func (c *Collector) together(each func(*profile.Unit)) {
	for i := range c.ended {
		each(c.put(&c.ended[i]))
	}
	for i := range c.ended {
		c.tasks.retire(c.ended[i].numbers)
		c.ended[i] = waiting{}
	}
	c.ended = c.ended[:0]
}

// Open returns the units that have not ended and have taken longer than a time, the longest first, at most most of them. Their
// times are those up to the latest reading.
func (c *Collector) Open(longer time.Duration, most int) (units []profile.Unit) {
	type open struct {
		l *lane
		i int
	}
	var found []open
	for _, l := range c.order {
		for i := range l.open {
			if r := &l.open[i]; c.paths[r.path].root && c.at.Sub(r.start) > longer {
				found = append(found, open{l, i})
			}
		}
	}
	slices.SortFunc(found, func(a, b open) int { return cmp.Compare(a.l.open[a.i].start, b.l.open[b.i].start) })
	for _, o := range found[:min(len(found), max(most, 0))] {
		units = append(units, c.soFar(o.l, o.i))
	}
	return units
}

// soFar returns the unit of a root span that is open.
func (c *Collector) soFar(l *lane, i int) profile.Unit {
	sofar := func(r record) record {
		r.took = max(r.took, c.at.Sub(r.start))
		return r
	}
	root := sofar(l.open[i])
	p := &c.paths[root.path]
	w := waiting{lane: l, goroutine: l.goroutine, root: root, zone: p.zone, missing: c.missing(l, root)}
	for k := range l.inside {
		if l.inside[k].level >= p.level {
			w.records = append(w.records, l.inside[k])
		}
	}
	for _, r := range l.late {
		if r.level >= p.level && r.depth > root.depth {
			w.records = append(w.records, r)
		}
	}
	for _, r := range l.open[:i] {
		w.records = append(w.records, sofar(r))
	}
	for _, m := range l.during(l.open[i], c.paths) {
		if m.task == 0 {
			w.notes = append(w.notes, m)
		} else {
			w.numbers = append(w.numbers, m.task)
		}
	}
	return Clone(c.put(&w))
}

// tidy forgets what is no longer needed, and drops what does not fit into the limit.
func (c *Collector) tidy() {
	kept := c.order[:0]
	for _, l := range c.order {
		if l.seen != c.reading && !l.parked {
			l.open = l.open[:0]
		}
		l.abandon(c.at)
		if len(l.open) == 0 && len(l.links) == 0 && len(l.late) == 0 {
			l.marks = slices.DeleteFunc(l.marks, func(m mark) bool { return m.at < c.before }) // a root span may be missing from one reading
			if len(l.inside) > 0 && l.seen+2 < c.reading {
				l.inside = l.inside[:0]
			}
			if len(l.inside) == 0 {
				l.lost = slices.DeleteFunc(l.lost, func(k loss) bool { return k.to <= c.before })
			}
		}
		if l.idle() && len(l.lost) == 0 {
			delete(c.lanes, l.id)
			c.spare(l)
		} else {
			kept = append(kept, l)
		}
	}
	clear(c.order[len(kept):])
	c.order = kept
	c.shrink()
}

// spare keeps the memory of a lane for another one.
func (c *Collector) spare(l *lane) {
	if len(c.unused) < 256 && l.bytes() < 64<<10 {
		*l = lane{inside: l.inside[:0], open: l.open[:0], late: l.late[:0], lateBy: l.lateBy[:0], marks: l.marks[:0], links: l.links[:0], since: l.since[:0], lost: l.lost[:0]}
		c.unused = append(c.unused, l)
	}
}

// shrink drops the spans of the lanes that have most, until the rest fits into the limit.
func (c *Collector) shrink() {
	bytes := c.Bytes()
	for bytes > c.limit {
		var most *lane
		for _, l := range c.order {
			if most == nil || l.bytes() > most.bytes() {
				most = l
			}
		}
		switch {
		case c.tasks.bytes > c.limit/2:
			before := c.tasks.bytes
			c.tasks.dropOldest()
			bytes -= before - c.tasks.bytes
		case most != nil && len(most.inside)+len(most.since) > 0:
			bytes -= most.bytes()
			if n := len(most.inside); n > 0 {
				most.lose(loss{0, c.at, uint64(n), "%d spans that had ended: the memory for units was used up"})
			}
			most.left += uint64(len(most.since))
			most.inside, most.since, most.room = nil, nil, mostRecords
			bytes += most.bytes()
		default:
			return
		}
	}
}

// Bytes returns about how much memory is held for units that have not ended.
func (c *Collector) Bytes() int64 {
	bytes := c.tasks.bytes
	for _, l := range c.order {
		bytes += l.bytes()
	}
	return bytes
}
