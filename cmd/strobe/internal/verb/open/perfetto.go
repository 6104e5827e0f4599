// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// Field numbers and values of Perfetto's messages that package trace writes; its file proto.go says where they are from.
const (
	tracePacket = 1 // Trace

	packetTimestamp = 8 // TracePacket
	packetSequence  = 10
	packetEvent     = 11
	packetInterned  = 12
	packetFlags     = 13
	packetTrack     = 60

	flagCleared = 1 // TracePacket.SequenceFlags

	trackUUID    = 1 // TrackDescriptor
	trackName    = 2
	trackCounter = 8

	eventCategory   = 3 // TrackEvent
	eventAnnotation = 4
	eventType       = 9
	eventNameID     = 10
	eventTrack      = 11
	eventName       = 23
	eventCounter    = 44

	typeBegin   = 1 // TrackEvent.Type
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4

	annotationUint = 3 // DebugAnnotation
	annotationText = 6
	annotationName = 10

	internedCategories = 1 // InternedData
	internedNames      = 2

	entryID   = 1 // EventCategory, EventName
	entryName = 2
)

// The root track, and the instant with what concerns the whole timeline, as package trace writes them.
const (
	rootTrack = 1
	rootName  = "strobe"
	takenName = "timeline taken"
)

// mostEvents is how many events are read of a file whose events are much shorter than what they become.
const mostEvents = 4 << 20

// isPerfetto reports whether a file begins as a trace of Perfetto does: with a packet, whose fields are no text.
func isPerfetto(text []byte) bool {
	if len(text) == 0 || text[0] != tracePacket<<3|2 {
		return false
	}
	n, size := uvarint(text[1:])
	if size == 0 || n == 0 {
		return false
	}
	packet := text[1+size:]
	packet = packet[:min(uint64(len(packet)), n, 64)]
	return len(packet) > 0 && packet[0] >= 1<<3 && slices.ContainsFunc(packet, func(b byte) bool { return b < '\t' })
}

var errForeign = errors.New("it is a trace of Perfetto that strobe did not write: ui.perfetto.dev shows it")

// A perfetto reads what package trace writes for Perfetto.
type perfetto struct {
	t          profile.Timeline
	categories map[uint64]string
	names      map[uint64]string
	lanes      map[uint64]int    // by track
	plots      map[uint64]string // their names, by track
	zones      map[zoneKey]int
	open       map[int][]int // by lane: spans that have begun
	latest     map[int]clock.Instant
	whole      bool // the last event is there
}

// A zoneKey tells zones apart.
type zoneKey struct{ name, category string }

// readPerfetto reads spans, frames, messages, notes and plots. If the file was cut off between two packets, what was open is shown up to
// the last instant of its lane.
func readPerfetto(text []byte) (profile.Timeline, error) {
	p := perfetto{categories: make(map[uint64]string), names: make(map[uint64]string), lanes: make(map[uint64]int),
		plots: make(map[uint64]string), zones: make(map[zoneKey]int), open: make(map[int][]int), latest: make(map[int]clock.Instant)}
	n := 0
	for f, err := range fields(text) {
		n++
		if err == nil && (f.number != tracePacket || f.bytes == nil) {
			err = errors.New("it is none")
		}
		if err == nil {
			err = p.packet(f.bytes, n == 1)
		}
		switch {
		case errors.Is(err, errForeign):
			return p.t, errForeign
		case err != nil:
			return p.t, fmt.Errorf("it is damaged: packet %d of its trace: %w", n, err)
		case len(p.t.Events) > mostEvents:
			return p.t, fmt.Errorf("it has more than %d events, which is the limit; record a shorter time", mostEvents)
		}
	}
	p.close()
	return p.t, nil
}

// packet reads a packet. The first one says who wrote the trace.
func (p *perfetto) packet(packet []byte, first bool) error {
	var at, sequence, flags uint64
	var event, track []byte
	for f, err := range fields(packet) {
		switch {
		case err != nil:
			return err
		case f.number == packetTimestamp:
			at = f.value
		case f.number == packetSequence:
			sequence = f.value
		case f.number == packetFlags:
			flags = f.value
		case f.number == packetInterned:
			if err := p.intern(f.bytes); err != nil {
				return err
			}
		case f.number == packetEvent:
			event = f.bytes
		case f.number == packetTrack:
			track = f.bytes
		}
	}
	switch {
	case sequence != 1, first && (flags != flagCleared || track == nil), !first && flags&flagCleared != 0:
		return errForeign
	case at > math.MaxInt64/2:
		return errors.New("its time is out of range")
	case track != nil:
		return p.track(track, first)
	case event != nil:
		return p.event(event, clock.Instant(at))
	}
	return nil
}

// intern reads names that later packets refer to.
func (p *perfetto) intern(message []byte) error {
	for f, err := range fields(message) {
		if err != nil {
			return err
		}
		table := p.names
		switch f.number {
		case internedCategories:
			table = p.categories
		case internedNames:
		default:
			continue
		}
		var id uint64
		var name string
		for f, err := range fields(f.bytes) {
			switch {
			case err != nil:
				return err
			case f.number == entryID:
				id = f.value
			case f.number == entryName:
				name = string(f.bytes)
			}
		}
		table[id] = name
	}
	return nil
}

// track reads a track: the root, then lanes and plots.
func (p *perfetto) track(message []byte, first bool) error {
	var id uint64
	var name string
	counter := false
	for f, err := range fields(message) {
		switch {
		case err != nil:
			return err
		case f.number == trackUUID:
			id = f.value
		case f.number == trackName:
			name = string(f.bytes)
		case f.number == trackCounter:
			counter = true
		}
	}
	_, known := p.lanes[id]
	switch {
	case first != (id == rootTrack && name == rootName):
		return errForeign
	case first, known: // a lane has one description
	case counter:
		p.plots[id] = name
	default:
		p.lane(id, name)
	}
	return nil
}

// lane adds a lane.
func (p *perfetto) lane(track uint64, name string) int {
	k := len(p.t.Lanes)
	p.lanes[track] = k
	p.t.Lanes = append(p.t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: k, Name: name}})
	return k
}

// event reads an event.
func (p *perfetto) event(message []byte, at clock.Instant) error {
	var kind, track, value uint64
	e := profile.Event{Lane: -1, Zone: -1, Path: -1, Start: at}
	category := ""
	var notes [][]byte
	for f, err := range fields(message) {
		switch {
		case err != nil:
			return err
		case f.number == eventType:
			kind = f.value
		case f.number == eventTrack:
			track = f.value
		case f.number == eventCategory:
			category = p.categories[f.value]
		case f.number == eventNameID:
			e.Name = p.names[f.value]
		case f.number == eventName:
			e.Name = string(f.bytes)
		case f.number == eventCounter:
			value = f.value
		case f.number == eventAnnotation:
			notes = append(notes, f.bytes)
		}
	}
	k, known := p.lanes[track]
	if known {
		p.latest[k] = max(p.latest[k], at)
		e.Lane = k
	}
	switch kind {
	case typeBegin:
		if !known { // spans without a lane
			k = p.lane(track, "no lane")
		}
		p.begin(k, e, category)
	case typeEnd:
		if !known {
			return errors.New("it ends a span that has not begun")
		}
		return p.end(k, at)
	case typeInstant:
		if track == rootTrack && category == rootName && e.Name == takenName {
			return p.taken(at, notes)
		}
		return p.mark(e, category, notes)
	case typeCounter:
		e.Kind, e.Name, e.Value = profile.PlotEvent, p.plots[track], math.Float64frombits(value)
		p.t.Events = append(p.t.Events, e)
	}
	return nil
}

func (p *perfetto) begin(lane int, e profile.Event, category string) {
	key := zoneKey{e.Name, category}
	z, known := p.zones[key]
	if !known {
		z = len(p.t.Zones)
		p.zones[key] = z
		p.t.Zones = append(p.t.Zones, profile.ZoneInfo{Name: e.Name, Every: 1, Wait: category == "wait", Root: category == "unit"})
	}
	e.Kind, e.Lane, e.Zone, e.Name, e.Depth = profile.SpanEvent, lane, z, "", min(len(p.open[lane]), 255)
	p.open[lane] = append(p.open[lane], len(p.t.Events))
	p.t.Events = append(p.t.Events, e)
}

func (p *perfetto) end(lane int, at clock.Instant) error {
	open := p.open[lane]
	n := len(open) - 1
	if n < 0 {
		return errors.New("it ends a span that has not begun")
	}
	e := &p.t.Events[open[n]]
	if e.Took = at.Sub(e.Start); e.Took < 0 {
		return errors.New("it ends a span before its beginning")
	}
	p.open[lane] = open[:n]
	return nil
}

// mark adds a frame, a message or a note.
func (p *perfetto) mark(e profile.Event, category string, notes [][]byte) error {
	switch category {
	case profile.FrameEvent.String():
		e.Kind = profile.FrameEvent
	case profile.NoteEvent.String():
		e.Kind = profile.NoteEvent
	default:
		e.Kind = profile.MessageEvent
	}
	for _, note := range notes {
		_, text, _, err := annotation(note)
		if err != nil {
			return err
		}
		e.Text = text
	}
	p.t.Events = append(p.t.Events, e)
	return nil
}

// taken reads what concerns the whole timeline. It comes last.
func (p *perfetto) taken(at clock.Instant, notes [][]byte) error {
	p.t.At, p.whole = at, true
	for _, note := range notes {
		name, text, value, err := annotation(note)
		switch {
		case err != nil:
			return err
		case name == "lost":
			p.t.Lost = value
		case name == "note":
			p.t.Notes = append(p.t.Notes, text)
		}
	}
	return nil
}

func annotation(message []byte) (name, text string, value uint64, err error) {
	for f, err := range fields(message) {
		switch {
		case err != nil:
			return "", "", 0, err
		case f.number == annotationName:
			name = string(f.bytes)
		case f.number == annotationText:
			text = string(f.bytes)
		case f.number == annotationUint:
			value = f.value
		}
	}
	return name, text, value, nil
}

// close ends the spans that the file does not end.
func (p *perfetto) close() {
	for lane, open := range p.open {
		for _, i := range open {
			e := &p.t.Events[i]
			e.Open, e.Took = true, max(0, time.Duration(p.latest[lane]-e.Start))
		}
	}
	if !p.whole {
		p.t.Notes = append(p.t.Notes, "The file was cut off: its last part is missing, and spans that were not over there end with their lane.")
	}
}
