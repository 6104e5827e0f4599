// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_off

package strobe

import (
	"context"
	"time"
)

// Enabled is false: this program was built with -tags strobe_off. Nothing is measured, and calls compile to nothing. Deferred
// calls leave some code, unless they are guarded by `if strobe.Enabled`.
const Enabled = false

// All other names are documented in the files of the other build. A test compares the two.

type (
	Zone           struct{}
	Span           struct{}
	Loop           struct{}
	Lane           struct{}
	Lap            struct{}
	Task           struct{}
	Reader         struct{ Lanes int }
	TimelineReader struct{}
)

var off struct {
	zone Zone
	loop Loop
	lane Lane
}

func NewZone(string) *Zone      { return &off.zone }
func NewWaitZone(string) *Zone  { return &off.zone }
func NewRootZone(string) *Zone  { return &off.zone }
func Zones() []*Zone            { return nil }
func (*Zone) SetSampling(int)   {}
func (*Zone) Due() bool         { return false }
func (*Zone) Enter() Span       { return Span{} }
func (*Zone) Do(f func())       { f() }
func (*Zone) Add(time.Duration) {}
func (Span) Exit()              {}
func NewLoop(string) *Loop      { return &off.loop }
func (*Loop) Frame()            {}
func Frame(string)              {}
func Plot(string, float64)      {}
func Message(string)            {}
func Note(key, value string)    {}
func CurrentTask() Task         { return Task{} }
func (Task) Enter(*Zone) Span   { return Span{} }
func (Task) Unit() (string, time.Duration, bool) {
	return "", 0, false
}
func TaskFromContext(context.Context) Task  { return Task{} }
func StartLap(*Zone) Lap                    { return Lap{} }
func (*Lap) Next(*Zone)                     {}
func (*Lap) End()                           {}
func NewLane(string) *Lane                  { return &off.lane }
func NameLane(string)                       {}
func (*Lane) Enter(*Zone) Span              { return Span{} }
func (*Lane) Lap(*Zone) Lap                 { return Lap{} }
func (*Lane) Add(*Zone, time.Duration)      {}
func (*Lane) Close()                        {}
func SetEnabled(bool)                       {}
func SetBudget(int64)                       {}
func SetDistributions(int)                  {}
func SetTraceRegions(on bool) (before bool) { return false }
func Record(int64)                          {}
func Recording() int64                      { return 0 }
func KeepRecording(int64) (release func())  { return func() {} }

func ContextWithTask(ctx context.Context, _ Task) context.Context { return ctx }

const offNote = "built with -tags strobe_off: nothing is measured"

func TakeSnapshot() Snapshot                 { return Snapshot{Notes: []string{offNote}} }
func NewReader() *Reader                     { return new(Reader) }
func (*Reader) Read() Snapshot               { return TakeSnapshot() }
func TakeTimeline() Timeline                 { return Timeline{Notes: []string{offNote}} }
func NewTimelineReader() *TimelineReader     { return new(TimelineReader) }
func (*TimelineReader) Read() Timeline       { return TakeTimeline() }
func (*TimelineReader) ReadInto(t *Timeline) { *t = TakeTimeline() }
