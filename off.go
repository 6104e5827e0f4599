// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_off

package strobe

import "time"

// Enabled is false: this program was built with -tags strobe_off. Nothing is measured, and calls compile to nothing. Deferred
// calls leave some code, unless they are guarded by `if strobe.Enabled`.
const Enabled = false

// The following names are documented in the files that are built without the tag.

// A Zone measures nothing in this build.
type Zone struct{}

// A Span is nothing in this build.
type Span struct{}

// A Lane is nothing in this build.
type Lane struct{}

// A Lap is nothing in this build.
type Lap struct{}

// A Reader reads nothing in this build.
type Reader struct {
	Lanes int // without effect
}

// A TimelineReader reads nothing in this build.
type TimelineReader struct{}

var off struct {
	zone Zone
	lane Lane
}

// NewZone returns a zone that measures nothing.
func NewZone(string) *Zone { return &off.zone }

// NewWaitZone returns a zone that measures nothing.
func NewWaitZone(string) *Zone { return &off.zone }

// Zones returns nil: there are no zones in this build.
func Zones() []*Zone { return nil }

// SetEnabled does nothing.
func SetEnabled(bool) {}

// SetSampling does nothing.
func (*Zone) SetSampling(int) {}

// Enter does nothing.
func (*Zone) Enter() Span { return Span{} }

// Exit does nothing.
func (Span) Exit() {}

// Do calls f.
func (*Zone) Do(f func()) { f() }

// Add does nothing.
func (*Zone) Add(time.Duration) {}

// NewLane returns a lane that holds nothing.
func NewLane(string) *Lane { return &off.lane }

// Close does nothing.
func (*Lane) Close() {}

// Add does nothing.
func (*Lane) Add(*Zone, time.Duration) {}

// NameLane does nothing.
func NameLane(string) {}

// Enter does nothing.
func (*Lane) Enter(*Zone) Span { return Span{} }

// Lap does nothing.
func (*Lane) Lap(*Zone) Lap { return Lap{} }

// StartLap does nothing.
func StartLap(*Zone) Lap { return Lap{} }

// Next does nothing.
func (*Lap) Next(*Zone) {}

// End does nothing.
func (*Lap) End() {}

// DefaultBudget is unused in this build.
const DefaultBudget = 64 << 20

// SetBudget does nothing.
func SetBudget(int64) {}

// DefaultDistributions is unused in this build.
const DefaultDistributions = 64

// SetDistributions does nothing.
func SetDistributions(int) {}

// SetTraceRegions does nothing.
func SetTraceRegions(bool) {}

// Frame does nothing.
func Frame(string) {}

// Plot does nothing.
func Plot(string, float64) {}

// Message does nothing.
func Message(string) {}

// Record does nothing.
func Record(int64) {}

// KeepRecording does nothing, and neither does release.
func KeepRecording(int64) (release func()) { return func() {} }

// Recording returns 0.
func Recording() int64 { return 0 }

const offNote = "built with -tags strobe_off: nothing is measured"

// TakeSnapshot returns a snapshot without lanes and with a note that says why.
func TakeSnapshot() Snapshot { return Snapshot{Notes: []string{offNote}} }

// TakeTimeline returns a timeline without events and with a note that says why.
func TakeTimeline() Timeline { return Timeline{Notes: []string{offNote}} }

// NewReader returns a reader that reads nothing.
func NewReader() *Reader { return new(Reader) }

// Read returns a snapshot without lanes and with a note that says why.
func (*Reader) Read() Snapshot { return TakeSnapshot() }

// Read returns a timeline without events and with a note that says why.
func (*TimelineReader) Read() Timeline { return TakeTimeline() }

// ReadInto sets t to the result of Read.
func (*TimelineReader) ReadInto(t *Timeline) { *t = TakeTimeline() }
