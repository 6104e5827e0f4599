// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Unit is one call of a root zone, such as a request, with everything that ran in it: what a viewer puts together from a
// Timeline. Calls of root zones inside it are units of their own, and part of its tree. A frames.Unit is that of a figure.
type Unit struct {
	Zone      int           `json:"zone"`                // index of the root zone
	Lane      int           `json:"lane"`                // ID of the lane, not an index
	Goroutine int64         `json:"goroutine,omitempty"` // the runtime's number of the goroutine; 0 if it is not known, or for a lane made by NewLane
	Start     clock.Instant `json:"start_ns"`            // when it began
	Took      time.Duration `json:"duration_ns"`         // its duration; if it is open, so far
	Open      bool          `json:"open,omitempty"`      // it had not ended
	Tree      Tree          `json:"tree"`                // its call tree: node 0 is the unit itself; spans of other lanes that are linked to it are children of node 0
	Spans     []UnitSpan    `json:"spans,omitempty"`     // its longest spans, without the unit itself, by start; at most 512
	Left      uint64        `json:"left,omitempty"`      // spans that are in Tree but not in Spans
	Notes     []Note        `json:"notes,omitempty"`     // in the order in which they were made
	Missing   []string      `json:"missing,omitempty"`   // what is not in it, in words
}

// A UnitSpan is a span of a Unit.
type UnitSpan struct {
	Lane      int           `json:"lane"`                // ID of the lane, not an index
	Goroutine int64         `json:"goroutine,omitempty"` // the runtime's number of the goroutine; 0 if it is not known, or for a lane made by NewLane
	Zone      int           `json:"zone"`                // index of the zone; Other if the path did not fit into the tree of the lane
	Depth     int           `json:"depth,omitempty"`     // number of enclosing spans on its lane that belong to the unit
	Start     clock.Instant `json:"start_ns"`            // when it began
	Took      time.Duration `json:"duration_ns"`         // its duration
	Linked    bool          `json:"linked,omitempty"`    // it was begun with the task of the unit, by Task.Enter
}

// A Note is a text that the program attached to a unit with strobe.Note.
type Note struct {
	Key   string `json:"key"`   // what it says, such as "route"
	Value string `json:"value"` // such as "/cart"
}
