// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
func readPerfetto(text []byte) (profile.Timeline, error) { return readPerfettoEvents(text, mostEvents) }

func readPerfettoEvents(text []byte, most int) (profile.Timeline, error) {
	p := perfetto{categories: make(map[uint64]string), names: make(map[uint64]string), lanes: make(map[uint64]int),
		plots: make(map[uint64]string), zones: make(map[zoneKey]int), open: make(map[int][]int), latest: make(map[int]clock.Instant)}
	n := 0
	for f, err := range fields(text) {
		n++
		if err == nil && (f.number != tracePacket || f.bytes == nil) {
			err = errors.New("it is no packet")
		}
		if err == nil {
			err = p.packet(f.bytes, n == 1)
		}
		switch {
		case errors.Is(err, errForeign):
			return p.t, errForeign
		case err != nil:
			return p.t, fmt.Errorf("it is damaged: packet %d of its trace: %w", n, err)
		case len(p.t.Events) > most:
			return p.t, fmt.Errorf("it has more than %d events, which is the limit; record a shorter time", most)
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
