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

// An Event is a span or a mark: an iteration of a loop, the value of a plot, or a message. What package perf counts, a perf.Event, is
// not on a timeline.
type Event struct {
	Kind  Kind          `json:"kind"`            // "span", "frame", "plot" or "message"
	Lane  int           `json:"lane"`            // index of the lane; -1 for a mark that belongs to none
	Zone  int           `json:"zone"`            // index of the zone of a span; -1 for a mark
	Path  int           `json:"path"`            // index of the path of a span, which ends with its zone; -1 for a mark
	Depth int           `json:"depth,omitempty"` // number of enclosing spans, at most 255
	Start clock.Instant `json:"start_ns"`        // when the span began or the mark was set; a span that began before Record starts with it
	Took  time.Duration `json:"duration_ns"`     // duration of the span; 0 for a mark
	Open  bool          `json:"open,omitempty"`  // the span had not ended; its duration is measured up to Timeline.At
	Name  string        `json:"name,omitempty"`  // name of the loop or the plot, or the message
	Value float64       `json:"value,omitempty"` // value of a plot
}

// A Kind is the kind of an event. It prints, and is written to JSON, as the word beside it. The zero value is UnknownEvent.
type Kind int

const (
	UnknownEvent Kind = iota // "unknown": no timeline that strobe makes has one
	SpanEvent                // "span": one execution of a zone
	FrameEvent               // "frame": an iteration of a loop
	PlotEvent                // "plot": a value
	MessageEvent             // "message": a text
)

var kinds = []string{"unknown", "span", "frame", "plot", "message"}

// String returns the word for the kind.
func (k Kind) String() string { return enum.Word(k, kinds) }

// MarshalText writes the word for the kind. It never fails.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote. The error names an unknown word.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Parse(k, kinds, text) }
