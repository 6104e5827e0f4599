// SPDX-License-Identifier: BSD-3-Clause

package strobe

import (
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Timeline is what the rings of the lanes held when it was taken: the latest spans, plain data for package trace.
type Timeline struct {
	At     clock.Instant
	Zones  []ZoneInfo
	Lanes  []LaneStats // without their Zones; Event.Lane is the index
	Events []Event     // by lane, and on a lane by the time they ended; then those still open, innermost first
	Lost   uint64      // spans and marks that were overwritten, exactly
	Notes  []string    // what is missing, in words
}

// An Event is a span, or a mark: a turn of a loop, a value of a plot, a message.
type Event struct {
	Lane  int           // -1 if the mark belongs to none
	Zone  int           // of a span; -1 of a mark
	Depth int           // how many spans lie around it
	Start clock.Instant // of a mark, when it was set
	Took  time.Duration // 0 of a mark
	Open  bool          // the span had not ended: Took is up to Timeline.At; one begun before Record starts with it

	Mark  string // "frame", "plot" or "message"; "" of a span
	Name  string // of the loop or the plot, or the message
	Value float64
}
