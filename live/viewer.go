// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

const (
	backlogFrames = 3000    // for a new viewer, in addition to the longest
	batch         = 200     // maximum number of frames in a message of the backlog
	mostFrames    = 1000    // maximum number of frames in another message; of more frames, the oldest are left out
	mostBytes     = 1 << 20 // of the frames in a message, unless there is only one
)

// A viewer is a connection on which messages are sent. It has no queue: each message is made from the stored frames when the
// previous one has been written, so a viewer that does not read costs no memory and does not delay others.
type viewer struct {
	c      *collector
	run    string
	budget time.Duration
	want   string // the loop
	zone   int    // number of the root zone, from 1 on; anyRoot or noRoot
	every  time.Duration
	news   chan struct{} // signals a reading
	resume uint64        // number of the first frame to send; 0 if unknown

	number    uint64        // in the order of connecting
	displaced chan struct{} // closed when another viewer has taken its place
	hurry     func()        // makes a write that is blocked fail

	loop    *loop
	root    *unit.Root // whose units are sent instead of frames; nil if there is none
	name    string     // of the loop, in the latest hello
	version int        // of the latest hello
	state   uint64     // number of the latest state
	cursor  cursor
	target  uint64 // number up to which frames are the backlog
}

// wake tells the viewer of a reading.
func (v *viewer) wake() {
	select {
	case v.news <- struct{}{}:
	default:
	}
}

// hello is the data of the message "hello".
type hello struct {
	Version int                `json:"version"`
	Program string             `json:"program"`
	PID     int                `json:"pid"`
	Run     string             `json:"run"`
	Now     clock.Instant      `json:"now_ns"`
	Loops   []string           `json:"loops"`
	Loop    string             `json:"loop"`
	Roots   []int              `json:"roots,omitempty"`
	Root    *int               `json:"root,omitempty"`
	Lane    *int               `json:"lane,omitempty"`
	Slice   time.Duration      `json:"slice_ns"`
	Budget  time.Duration      `json:"budget_ns,omitempty"`
	Enabled bool               `json:"enabled"`
	Record  int64              `json:"record_bytes"`
	Zones   []profile.ZoneInfo `json:"zones"`
}

// program is the name of this program.
func program() string {
	if len(os.Args) == 0 {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// messages appends the messages that are due. more reports whether further ones are due immediately.
func (v *viewer) messages(b []byte) (out []byte, more bool) {
	start := clock.Now()
	v.c.mu.Lock()
	defer v.c.mu.Unlock()
	m := v.c.model
	if v.loop == nil || v.version != m.version {
		v.greet(m)
		b = v.event(b, "hello", v.hello(m))
	}
	switch {
	case v.root != nil && (m.news(&v.cursor, nil) || v.cursor.heat < v.root.N || v.cursor.behind(v.root)):
		b, more = v.units(b, m)
	case v.root == nil && m.news(&v.cursor, v.loop):
		b, more = v.frames(b, m)
	}
	if s := &v.c.state; s.number != v.state && !more {
		v.state = s.number
		if v.root != nil {
			b = v.event(b, "state", s.ofRoot(m, v.root.Zone))
		} else {
			b = v.event(b, "state", s.text(m, v.loop))
		}
	}
	v.c.busy += clock.Since(start)
	return b, more
}

// greet finds the loop or the root zone, and the first frame to send.
func (v *viewer) greet(m *model) {
	v.version = m.version
	l := m.find(v.want)
	if r := v.rootOf(m); r != nil {
		if r != v.root {
			v.root, v.loop, v.name, v.cursor.fresh = r, l, "", false
		}
		return
	}
	if l == v.loop && l.loop == v.name && v.root == nil {
		return
	}
	if v.root != nil {
		v.root, v.loop = nil, nil
	}
	v.target = l.next
	if v.loop == nil && v.resume > 0 && v.resume <= l.next {
		v.cursor.number = v.resume
	} else {
		v.cursor.number, v.cursor.fresh = 0, false
	}
	v.loop, v.name = l, l.loop
}

func (v *viewer) hello(m *model) []byte {
	h := hello{Version: 1, Program: program(), PID: os.Getpid(), Run: v.run, Now: clock.Now(), Loops: []string{}, Loop: v.name, Budget: v.budget,
		Enabled: strobe.Enabled && profile.Snapshot{Zones: m.zones}.Enabled(), Record: strobe.Recording(), Zones: m.zones}
	for _, l := range m.loops {
		if l.loop != "" {
			h.Loops = append(h.Loops, l.loop)
		}
	}
	for _, r := range m.units.keeper.Roots() {
		h.Roots = append(h.Roots, r.Zone)
	}
	lane := v.loop.turns.lane()
	switch {
	case v.root != nil:
		own := ownLane
		h.Root, h.Lane = &v.root.Zone, &own
	case v.name == "":
		h.Slice = sliceOf
	case lane >= 0:
		h.Lane = &lane
	}
	if h.Zones == nil {
		h.Zones = []profile.ZoneInfo{}
	}
	text, err := json.Marshal(h)
	if err != nil {
		return []byte("{}")
	}
	return text
}

// frames appends a message of frames: the backlog first, in several.
func (v *viewer) frames(b []byte, m *model) (out []byte, more bool) {
	c, l := &v.cursor, v.loop
	var frames []*kept
	backlog := c.number < v.target
	if backlog {
		all := l.from(c.number, backlogFrames)
		if !c.fresh && v.resume == 0 {
			all = l.backlog(backlogFrames) // the longest first
		}
		if !c.fresh {
			c.past = m.history.about(all, v.c.machine)
		}
		frames = first(all, batch, mostBytes)
	} else {
		frames = last(l.from(c.number, mostFrames), mostBytes)
	}
	c.number = l.next
	if backlog {
		if n := len(frames); n > 0 {
			c.number = frames[n-1].number + 1
		}
		more = c.number < v.target
	}
	b = append(b, "event: frames\n"...)
	b = v.id(b)
	b = append(b, "data: "...)
	b = m.appendFrames(b, c, frames, m.appendExtras(nil, c, l, nil, frames, nil), v.c.machine, backlog)
	return append(b, "\n\n"...), more
}

// units appends a message about units: those that are kept first, in several.
func (v *viewer) units(b []byte, m *model) (out []byte, more bool) {
	c := &v.cursor
	backlog := !c.fresh || c.number > 0
	text, more := m.appendUnits(nil, c, v.root, batch, mostBytes)
	if !c.fresh {
		c.past = m.history.about(stretches(v.root, m.at), v.c.machine)
	}
	c.number = 0
	if more {
		c.number = 1 // the backlog goes on
	}
	b = append(b, "event: frames\n"...)
	b = v.id(b)
	b = append(b, "data: "...)
	b = m.appendFrames(b, c, nil, text, v.c.machine, backlog)
	return append(b, "\n\n"...), more
}

// event appends a message.
func (v *viewer) event(b []byte, name string, data []byte) []byte {
	b = append(b, "event: "...)
	b = append(b, name...)
	b = append(b, '\n')
	b = v.id(b)
	b = append(b, "data: "...)
	b = plain.AppendJSON(b, data)
	return append(b, "\n\n"...)
}

// id appends the line from which a broken connection resumes.
func (v *viewer) id(b []byte) []byte {
	b = append(b, "id: "...)
	b = append(b, v.run...)
	b = append(b, ':')
	b = strconv.AppendUint(b, max(v.cursor.number, 1)-1, 10)
	return append(b, '\n')
}

const (
	firstFrames = 200      // in the page
	firstBytes  = 24 << 10 // of these frames
	firstMost   = 1000     // zones, paths and lanes; with more, the page shows nothing until the stream arrives
)

// first returns the data embedded in the page: those of the messages "hello" and "frames" with the latest frames of the
// default loop, or null.
func (s *Server) first() []byte {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model
	l := m.find("")
	if len(l.latest) == 0 || l.loop == "" && len(m.units.keeper.Roots()) > 0 || len(m.zones) > firstMost || len(m.paths.all) > firstMost || len(m.names) > firstMost {
		return []byte("null")
	}
	v := &viewer{c: c, run: s.run, budget: s.options.Budget, loop: l, name: l.loop}
	none := uint64(math.MaxUint64) // no plots or messages: they come with the stream
	cursor := cursor{plots: none, texts: none, reports: none, divided: none, lost: m.lost}
	b := append([]byte(`{"hello":`), v.hello(m)...)
	b = append(b, `,"frames":`...)
	frames := last(l.from(0, firstFrames), firstBytes)
	cursor.past = m.history.about(frames, c.machine)
	b = m.appendFrames(b, &cursor, frames, m.appendExtras(nil, &cursor, l, nil, frames, nil), nil, true)
	return append(b, '}')
}
