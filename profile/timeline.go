// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/enum"
)

// A Timeline holds the latest spans of all lanes, and the marks between them.
type Timeline struct {
	At     clock.Instant  `json:"at_ns"`           // when it was taken
	Zones  []ZoneInfo     `json:"zones"`           // all zones; events refer to a zone by its index here
	Lanes  []TimelineLane `json:"lanes"`           // lanes; events refer to a lane by its index here
	Paths  []Path         `json:"paths,omitempty"` // paths of zones; events refer to a path by its index here
	Events []Event        `json:"events"`          // by lane; on a lane by the time they ended, then those still open, innermost first
	Lost   uint64         `json:"lost"`            // spans and marks that were recorded and overwritten; exact
	Notes  []string       `json:"notes,omitempty"` // missing data, in words
}

// A TimelineLane describes a lane of a timeline.
type TimelineLane struct {
	LaneInfo
	Lost   uint64 `json:"lost,omitempty"`   // spans of this lane that were recorded and overwritten; exact
	Parked bool   `json:"parked,omitempty"` // from a TimelineReader: the open spans last; further readings leave the lane out until something happens on it
}

// A Path is a zone and the zones of the enclosing spans.
type Path struct {
	Parent int `json:"parent"` // index of the enclosing path, which comes before this one; -1 if there is none
	Zone   int `json:"zone"`   // index of the zone; Other for the paths that did not fit into the tree
}

// An Event is a span or a mark: an iteration of a loop, the value of a plot, a message, or what belongs to a unit: a note, a task
// or a link. What package perf counts, a perf.Event, is not on a timeline.
//
// A unit is a span of a root zone, unless it lies inside another span of the same zone. The spans of a lane tell to
// which unit a note, a task or a link on it belongs. A lane works for a unit while the unit, or a span linked to it, is open there; the
// innermost of these counts, and if a unit is linked to another one, the unit itself. A note belongs to the unit for which its lane
// works at Start, and a task gives the unit its number. A link has the Start and the Depth of a span on its lane, which is part of
// the unit with the number in Task, with all spans inside. A unit may have several numbers. The number of a link is unknown if the
// recording began after the unit, or lost the task.
type Event struct {
	Kind      Kind          `json:"kind"`                // "span", "frame", "plot", "message", "note", "task" or "link"
	Lane      int           `json:"lane"`                // index of the lane; -1 for a mark that belongs to none
	Zone      int           `json:"zone"`                // index of the zone of a span; -1 for a mark
	Path      int           `json:"path"`                // index of the path of a span, which ends with its zone; -1 for a mark
	Depth     int           `json:"depth,omitempty"`     // number of enclosing spans, at most 255; of a link, that of its span
	Goroutine int64         `json:"goroutine,omitempty"` // the runtime's number of the goroutine that made it: a lane passes from one that ended to another; 0 if it is not known, or for a lane made by NewLane
	Start     clock.Instant `json:"start_ns"`            // when the span began or the mark was set; a span that began before Record starts with it
	Took      time.Duration `json:"duration_ns"`         // duration of the span; 0 for a mark
	Open      bool          `json:"open,omitempty"`      // the span had not ended; its duration is measured up to Timeline.At
	Name      string        `json:"name,omitempty"`      // name of the loop or the plot, the message, or the key of a note
	Text      string        `json:"text,omitempty"`      // value of a note
	Value     float64       `json:"value,omitempty"`     // value of a plot
	Task      uint64        `json:"task,omitempty"`      // number of a task, or of the task of a link; never 0 there
}

// A Kind is the kind of an event. It prints, and is written to JSON, as the word beside it. The zero value is UnknownEvent.
type Kind int

const (
	UnknownEvent Kind = iota // "unknown": no timeline that strobe makes has one
	SpanEvent                // "span": one execution of a zone
	FrameEvent               // "frame": an iteration of a loop
	PlotEvent                // "plot": a value
	MessageEvent             // "message": a text
	NoteEvent                // "note": a text about a unit, with a key
	TaskEvent                // "task": the number of a unit
	LinkEvent                // "link": a span on this lane is part of a unit
)

var kinds = []string{"unknown", "span", "frame", "plot", "message", "note", "task", "link"}

// String returns the word for the kind.
func (k Kind) String() string { return enum.Word(k, kinds) }

// MarshalText writes the word for the kind. It never fails.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote. The error names an unknown word.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Parse(k, kinds, text) }
