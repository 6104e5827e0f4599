// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostLanes  = 16      // shown separately because they came first; the rest are summed up
	mostAsked  = 8       // shown separately because somebody looks at them
	mostLoops  = 8       // that have frames
	mostPlots  = 1 << 14 // values that are kept
	mostTexts  = 1 << 10 // messages that are kept
	longestTxt = 1 << 10 // bytes of a message that are kept
)

// A model is what viewers see: frames with their call trees, made from readings of a timeline. It belongs to one goroutine
// at a time.
type model struct {
	tracks tracks
	paths  *pathTable
	loops  []*loop              // the first is the default; without a name it has slices of time
	limit  int64                // of all stores together
	more   bool                 // there are loops beyond those
	summed bool                 // there are more lanes than are shown separately
	early  map[int]bool         // lanes that came first
	asked  []int                // lanes that somebody looks at, the latest last
	latest struct{ id, as int } // result of the last lookup: spans come lane by lane

	at      clock.Instant
	off     bool // nothing is recorded
	zones   []profile.ZoneInfo
	version int // of zones and loops
	names   []laneName
	renamed int      // version of names
	called  []string // names of all lanes by ID, as of the latest reading that has them
	plots   ring[plotted]
	texts   ring[said]
	history history
	units   units
	reports reports
	divided ring[divided]
	seen    uint64 // units that package capture looked at
	lost    uint64
	scratch []byte
	marked  map[string][]clock.Instant
}

// A loop has the frames between the calls of strobe.Frame with its name.
type loop struct {
	cutter
	store
	turns
	said remarks
}

type laneName struct {
	id, version int
	name        string
}

type plotted struct {
	name  string
	at    clock.Instant
	value float64
}

type said struct {
	at   clock.Instant
	lane int
	text string
}

// newModel returns a model whose frames use at most limit bytes.
func newModel(limit int64) *model {
	m := &model{paths: newPathTable(maxPaths), limit: limit, plots: ring[plotted]{most: mostPlots}, texts: ring[said]{most: mostTexts},
		marked: make(map[string][]clock.Instant), early: make(map[int]bool), units: newUnits(limit)}
	m.reports.all.most, m.divided.most = mostReports, mostDivided
	m.latest.id = allLanes
	m.loops = []*loop{{cutter: cutter{next: 1}, store: store{limit: limit}}}
	return m
}

// read processes a reading. It does not keep t.
func (m *model) read(t profile.Timeline) {
	if m.off = len(t.Lanes)+len(t.Events)+len(t.Zones) == 0 && t.At == 0; m.off {
		m.units.read(t)
		m.restart()
		return
	}
	m.at = max(m.at, t.At)
	if !slices.Equal(m.zones, t.Zones) {
		m.zones, m.version = slices.Clone(t.Zones), m.version+1
	}
	if m.units.read(t) {
		m.version++
		m.share()
	}
	m.lost += t.Lost
	marksLost := t.Lost
	for i := range t.Lanes {
		marksLost -= min(marksLost, t.Lanes[i].Lost)
	}
	m.marks(t)
	for _, l := range m.loops {
		if marksLost > 0 {
			l.gap()
		}
		if l.loop == "" && m.tracks.begun {
			l.slice(m.tracks.at)
		} else {
			l.cut(m.marked[l.loop])
		}
		if n := t.Lost - marksLost; n > 0 {
			l.missed(n, m.tracks.at)
		}
	}
	late := m.tracks.late
	upTo := m.tracks.read(t, func(p piece) {
		n := m.paths.of(m.lane(p.lane), p.path, t.Paths)
		for _, l := range m.loops {
			if len(l.said.notes) > 0 && p.lane == l.turns.lane() {
				l.said.within(&p, p.path >= 0 && p.path < len(t.Paths) && m.root(t.Paths[p.path].Zone))
			}
			l.cutter.add(n, p.from, p.to, p.ended, p.times)
			if p.ended {
				l.cutter.holdEnded(span{int32(p.lane), n, p.start, p.to})
			}
		}
	}, m.joins(t))
	m.lost += m.tracks.late - late
	for i := range t.Lanes {
		for len(m.called) <= t.Lanes[i].ID {
			m.called = append(m.called, "")
		}
		m.called[t.Lanes[i].ID] = t.Lanes[i].Name
	}
	m.pass(upTo, t)
	for i := range t.Lanes {
		if l := &t.Lanes[i]; m.paths.lanes[l.ID] != nil {
			m.name(l.ID, l.Name)
		}
	}
	if m.summed {
		m.name(allLanes, "other lanes")
	}
}

// pass stores the frames that ended by upTo, the instant up to which all spans are known.
func (m *model) pass(upTo clock.Instant, t profile.Timeline) {
	since := never
	for _, l := range m.loops {
		if start, ok := l.due(upTo); ok {
			since = min(since, start)
		}
	}
	var open []openLane
	still := 0
	if since < never {
		open, still = m.open(since, upTo, t)
	}
	for _, l := range m.loops {
		l.pass(upTo, func(number uint64, f *frame) {
			l.finish(f, open, still)
			m.scratch = f.appendText(m.scratch[:0], number)
			k := &kept{number: number, end: f.end, took: f.end.Sub(f.start), text: bytes.Clone(m.scratch), notes: l.said.of(f)}
			m.scratch = f.contents.append(m.scratch[:0], f.start, m.called)
			k.spans = bytes.Clone(m.scratch)
			l.store.add(k)
		})
	}
}

// open returns the lanes on which spans were open at an instant up to which all spans are known: those on which one has begun or
// ended since another instant, and some of the others. The rest is counted.
func (m *model) open(since, at clock.Instant, t profile.Timeline) (lanes []openLane, still int) {
	room := map[bool]int{false: mostStill, true: mostStill}
	for _, l := range m.tracks.order {
		spans := l.openAt(at, nil)
		if len(spans) == 0 {
			continue
		}
		for i := range spans {
			spans[i].path = m.paths.of(m.lane(l.id), int(spans[i].path), t.Paths)
		}
		o := openLane{waiting(spans[len(spans)-1].path, m.paths.all, m.zones) >= 0, spans}
		if l.moved < since {
			if room[o.waits]--; room[o.waits] < 0 {
				still++
				continue
			}
		}
		lanes = append(lanes, o)
	}
	return lanes, still + m.tracks.crowd.size
}

// restart forgets everything that has begun but not ended, because the next reading does not continue the last.
func (m *model) restart() {
	m.tracks.reset()
	for _, l := range m.loops {
		l.restart()
	}
}

// forget drops all frames.
func (m *model) forget() {
	for _, l := range m.loops {
		l.store.clear()
	}
	m.units.keeper.Forget()
}

// marks processes the events that are not spans.
func (m *model) marks(t profile.Timeline) {
	clear(m.marked)
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case profile.FrameEvent:
			if m.known(e.Name) {
				m.marked[e.Name] = append(m.marked[e.Name], e.Start)
				m.turn(e, t.Lanes)
			}
		case profile.NoteEvent, profile.LinkEvent:
			for _, l := range m.loops {
				if e.Lane >= 0 && e.Lane < len(t.Lanes) && l.loop != "" && t.Lanes[e.Lane].ID == l.turns.lane() {
					l.said.remark(e)
				}
			}
		case profile.PlotEvent:
			m.plots.add(plotted{e.Name, e.Start, e.Value})
		case profile.MessageEvent:
			s := said{e.Start, -1, shorten(e.Name)}
			if e.Lane >= 0 && e.Lane < len(t.Lanes) {
				s.lane = t.Lanes[e.Lane].ID
				m.name(s.lane, t.Lanes[e.Lane].Name)
			}
			m.texts.add(s)
		}
	}
}

// root reports whether a zone is a root zone.
func (m *model) root(zone int) bool { return zone >= 0 && zone < len(m.zones) && m.zones[zone].Root }

// turn notes the lane on which a frame is marked. The lane of a loop is shown separately.
func (m *model) turn(e *profile.Event, lanes []profile.TimelineLane) {
	id := -1
	if e.Lane >= 0 && e.Lane < len(lanes) {
		id = lanes[e.Lane].ID
	}
	l := m.find(e.Name)
	before := l.turns.lane()
	l.turns.mark(id)
	if now := l.turns.lane(); now != before {
		m.version++
		if now >= 0 {
			m.tellApart(now)
		}
	}
}

// shorten returns the part of a message that is kept.
func shorten(text string) string {
	if len(text) <= longestTxt {
		return text
	}
	n := longestTxt
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// known reports whether a loop has frames; a new one gets them unless there are too many. The first loop replaces the slices,
// whose frames are dropped.
func (m *model) known(name string) bool {
	if name == "" { // could not be distinguished from the slices
		return false
	}
	if slices.ContainsFunc(m.loops, func(l *loop) bool { return l.loop == name }) {
		return true
	}
	if m.loops[0].loop == "" {
		first := m.loops[0]
		first.loop = name
		first.cutter.restart()
		first.store.clear()
		m.version++
		return true
	}
	if len(m.loops) == mostLoops {
		m.more = true
		return false
	}
	m.loops = append(m.loops, &loop{cutter: cutter{loop: name, next: 1}})
	m.share()
	m.version++
	return true
}

// share divides the memory for frames among the loops. Units have half of it, if there are any.
func (m *model) share() {
	limit := m.limit
	if len(m.units.keeper.Roots()) > 0 {
		limit /= 2
	}
	for _, l := range m.loops {
		l.store.limit = limit / int64(len(m.loops))
		l.store.trim()
	}
}

// lane returns the lane under which spans of a lane count.
func (m *model) lane(id int) int {
	switch id {
	case allLanes:
		return allLanes
	case m.latest.id:
		return m.latest.as
	}
	as := id
	if !m.early[id] && !slices.Contains(m.asked, id) {
		if len(m.early) < mostLanes {
			m.early[id] = true
		} else {
			m.summed, as = true, allLanes
		}
	}
	m.latest.id, m.latest.as = id, as
	return as
}

// tellApart gives a lane its own paths from now on, in place of the lane that was requested the longest ago.
func (m *model) tellApart(id int) {
	if m.early[id] {
		return
	}
	m.tracks.single(id)
	m.asked = append(slices.DeleteFunc(m.asked, func(lane int) bool { return lane == id }), id)
	if len(m.asked) > mostAsked {
		m.asked = slices.Delete(m.asked, 0, 1)
	}
	m.latest.id = allLanes
}

// joins returns which lanes may join the crowd: those that are summed up, except for as many as a frame shows of lanes on which
// nothing happens.
func (m *model) joins(t profile.Timeline) func(*track) bool {
	room := map[bool]int{false: mostStill, true: mostStill}
	return func(l *track) bool {
		if m.lane(l.id) != allLanes {
			return false
		}
		waits := waiting(m.paths.of(allLanes, l.open[0].path, t.Paths), m.paths.all, m.zones) >= 0
		room[waits]--
		return room[waits] < 0
	}
}

// name notes the name of a lane.
func (m *model) name(id int, name string) {
	i := slices.IndexFunc(m.names, func(n laneName) bool { return n.id == id })
	if i >= 0 && m.names[i].name == name {
		return
	}
	m.renamed++
	if i >= 0 {
		m.names[i].name, m.names[i].version = name, m.renamed
		return
	}
	if len(m.names) == 4*mostTexts { // lanes that sent a message
		m.names = slices.DeleteFunc(m.names, func(n laneName) bool { return n.id != allLanes && m.paths.lanes[n.id] == nil })
	}
	m.names = append(m.names, laneName{id, m.renamed, name})
}

// find returns the loop with that name, or the default.
func (m *model) find(name string) *loop {
	for _, l := range m.loops {
		if l.loop == name {
			return l
		}
	}
	return m.loops[0]
}

// A ring holds the latest items of a sequence numbered from 0.
type ring[T any] struct {
	most  int
	items []T
	first uint64 // number of the first item
}

func (r *ring[T]) add(x T) {
	r.items = append(r.items, x)
	if n := len(r.items) - r.most; n >= r.most {
		r.items = append(r.items[:0], r.items[n:]...)
		r.first += uint64(n)
	}
}

// from returns the items from a number on, at most the latest most of them, and the number of the next.
func (r *ring[T]) from(number uint64, most int) (items []T, next uint64) {
	next = r.first + uint64(len(r.items))
	n := min(next-min(number, next), uint64(min(most, r.most)), uint64(len(r.items)))
	return r.items[uint64(len(r.items))-n:], next
}
