// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// WritePerfetto writes t as a Perfetto trace in protobuf: a track for each lane below one named strobe, slices with the
// source location of their zone, counters and instants, and flows from units to the spans linked to them. Perfetto has no instants before 0; if there are any, all are shifted
// so that the earliest is 0. The only error is that of w.
func WritePerfetto(w io.Writer, t profile.Timeline) error {
	p := perfetto{w: bufio.NewWriterSize(w, 1<<16), t: t, zero: earliest(t), counters: make(map[string]uint64),
		arrows: arrows(t), heads: make([]message, len(t.Zones)), names: make(map[string]uint64)}
	p.tracks()
	var n nester
	n.lanes(t.Events, p.spans)
	for _, e := range t.Events {
		if isMark(e.Kind) {
			p.mark(e)
		}
	}
	p.taken()
	return p.w.Flush()
}

// earliest returns the instant that is written as 0: the zero of the process, or an earlier instant that occurs.
func earliest(t profile.Timeline) clock.Instant {
	first := min(t.At, 0)
	for _, e := range t.Events {
		first = min(first, e.Start)
	}
	return first
}

// perfetto writes packets of a single sequence: data interned in one packet apply to all following ones. It keeps an error of
// the writer until the end.
type perfetto struct {
	w    *bufio.Writer
	t    profile.Timeline
	zero clock.Instant

	arrows   map[spot][]arrow
	heads    []message         // of the zones' events, once they are interned: as index + 1, name and place
	names    map[string]uint64 // ids of other names
	counters map[string]uint64 // their tracks

	packet, event, part, entry message // reused
	interned                   message // sent with the next packet
}

// Tracks: the root, then the lanes, then the counters.
const rootTrack = 1

func (p *perfetto) laneTrack(lane int) uint64 {
	if i := laneAt(p.t.Lanes, lane); i >= 0 {
		return rootTrack + 1 + uint64(i)
	}
	return rootTrack
}

func (p *perfetto) tracks() {
	for i, name := range categories {
		p.intern(internedCategories, uint64(i)+1, name)
	}
	p.part = p.part[:0]
	p.part.uint(trackUUID, rootTrack)
	p.part.text(trackName, producer)
	p.part.uint(trackChildOrdering, orderExplicit)
	p.write(trackDescriptor, p.part, flagCleared)
	lanes, _ := used(p.t)
	for i, is := range lanes {
		if is {
			p.child(rootTrack+1+uint64(i), laneName(p.t.Lanes, i))
			p.part.uint(trackRank, uint64(i))
			p.part.uint(trackMerge, mergeNone)
			p.write(trackDescriptor, p.part, flagNeeds)
		}
	}
}

// child begins the description of a track below the root.
func (p *perfetto) child(uuid uint64, name string) {
	p.part = p.part[:0]
	p.part.uint(trackUUID, uuid)
	p.part.uint(trackParent, rootTrack)
	p.part.text(trackName, name)
}

func (p *perfetto) spans(lane int, spans []span) {
	track := p.laneTrack(lane)
	var open []clock.Instant // ends of the enclosing spans
	for _, s := range spans {
		for len(open) > s.level {
			p.end(track, open[len(open)-1])
			open = open[:len(open)-1]
		}
		p.begin(track, s, p.arrows[spot{lane, s.depth, s.start}])
		open = append(open, s.end)
	}
	for i := len(open) - 1; i >= 0; i-- {
		p.end(track, open[i])
	}
}

func (p *perfetto) begin(track uint64, s span, arrows []arrow) {
	p.event = append(p.event[:0], p.head(s.zone)...)
	p.event.uint(eventTrack, track)
	for _, a := range arrows {
		if a.to {
			p.event.fixed(eventFlowEnd, a.id)
		} else {
			p.event.fixed(eventFlow, a.id)
		}
	}
	p.emit(s.start)
}

// head is the part of an event that is the same for all events of a zone.
func (p *perfetto) head(zone int) message {
	known := zone >= 0 && zone < len(p.heads)
	if known && p.heads[zone] != nil {
		return p.heads[zone]
	}
	z := zoneAt(p.t.Zones, zone)
	var head message
	head.uint(eventType, typeBegin)
	head.uint(eventCategory, categoryID(category(z)))
	if !known {
		head.text(eventName, z.Name)
		return head
	}
	id := uint64(zone) + 1
	p.intern(internedNames, id, z.Name)
	head.uint(eventNameID, id)
	if z.Where != "" {
		p.internPlace(id, z)
		head.uint(eventPlaceID, id)
	}
	p.heads[zone] = head
	return head
}

func (p *perfetto) end(track uint64, at clock.Instant) {
	p.start(typeEnd, track)
	p.emit(at)
}

func (p *perfetto) mark(e profile.Event) {
	if e.Kind == profile.PlotEvent {
		p.plot(e)
		return
	}
	p.start(typeInstant, p.laneTrack(e.Lane))
	category := markCategory(e.Kind)
	p.event.uint(eventCategory, categoryID(category))
	if e.Kind == profile.FrameEvent || e.Kind == profile.NoteEvent { // few names, often
		id, ok := p.names[e.Name]
		if !ok {
			id = uint64(len(p.t.Zones)+len(p.names)) + 1
			p.names[e.Name] = id
			p.intern(internedNames, id, e.Name)
		}
		p.event.uint(eventNameID, id)
	} else {
		p.event.text(eventName, e.Name)
	}
	if e.Kind == profile.NoteEvent {
		p.entry = p.entry[:0]
		p.entry.text(annotationName, "value")
		p.entry.text(annotationText, e.Text)
		p.event.message(eventAnnotation, p.entry)
	}
	p.emit(e.Start)
}

func (p *perfetto) plot(e profile.Event) {
	if !finite(e.Value) {
		return
	}
	track, ok := p.counters[e.Name]
	if !ok {
		track = rootTrack + 1 + uint64(len(p.t.Lanes)+len(p.counters))
		p.counters[e.Name] = track
		p.child(track, e.Name)
		p.part.message(trackCounter, nil)
		p.part.uint(trackRank, min(track, math.MaxInt32))
		p.write(trackDescriptor, p.part, flagNeeds)
	}
	p.start(typeCounter, track)
	p.event.double(eventCounter, e.Value)
	p.emit(e.Start)
}

func (p *perfetto) taken() {
	p.start(typeInstant, rootTrack)
	p.event.uint(eventCategory, categoryID(producer))
	p.event.text(eventName, taken)
	p.entry = p.entry[:0]
	p.entry.text(annotationName, "lost")
	p.entry.uint(annotationUint, p.t.Lost)
	p.event.message(eventAnnotation, p.entry)
	for _, note := range p.t.Notes {
		p.entry = p.entry[:0]
		p.entry.text(annotationName, "note")
		p.entry.text(annotationText, note)
		p.event.message(eventAnnotation, p.entry)
	}
	p.emit(p.t.At)
}

// start begins an event, emit ends it.
func (p *perfetto) start(kind, track uint64) {
	p.event = p.event[:0]
	p.event.uint(eventType, kind)
	p.event.uint(eventTrack, track)
}

func (p *perfetto) emit(at clock.Instant) {
	p.packet = p.packet[:0]
	p.packet.uint(packetTimestamp, uint64(at)-uint64(p.zero))
	p.finish(trackEvent, p.event, flagNeeds)
}

// write writes a packet without a time.
func (p *perfetto) write(field uint64, data message, flag uint64) {
	p.packet = p.packet[:0]
	p.finish(field, data, flag)
}

func (p *perfetto) finish(field uint64, data message, flag uint64) {
	p.packet.uint(packetSequence, 1)
	p.packet.uint(packetFlags, flag)
	if len(p.interned) > 0 {
		p.packet.message(packetInterned, p.interned)
		p.interned = p.interned[:0]
	}
	p.packet.message(field, data)
	head := message(p.w.AvailableBuffer())
	head.tag(tracePacket, wireBytes)
	p.w.Write(binary.AppendUvarint(head, uint64(len(p.packet))))
	p.w.Write(p.packet)
}

func (p *perfetto) intern(table, id uint64, name string) {
	p.entry = p.entry[:0]
	p.entry.uint(entryID, id)
	p.entry.text(entryName, name)
	p.interned.message(table, p.entry)
}

func (p *perfetto) internPlace(id uint64, z profile.ZoneInfo) {
	file, line := where(z)
	p.entry = p.entry[:0]
	p.entry.uint(entryID, id)
	p.entry.text(entryName, file) // file_name has the same field number as a name
	if line > 0 {
		p.entry.uint(placeLine, uint64(line))
	}
	p.interned.message(internedPlaces, p.entry)
}
