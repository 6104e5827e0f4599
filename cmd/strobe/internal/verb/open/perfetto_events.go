// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"errors"
	"math"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

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

// lane adds a lane.
func (p *perfetto) lane(track uint64, name string) int {
	k := len(p.t.Lanes)
	p.lanes[track] = k
	p.t.Lanes = append(p.t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: k, Name: name}})
	return k
}
