// SPDX-License-Identifier: BSD-3-Clause

// Package trace writes what strobe has measured in the formats of other viewers.
//
//	strobe.Record(16 << 20)
//	...
//	err := trace.WriteChrome(file, strobe.TakeTimeline())
//
// To see where the time went in total, use WriteProfile, whose file is for `go tool pprof`; WriteFolded writes the same for
// flame graph programs, and WriteStacks makes a profile of a timeline. To see what happened when, use WritePerfetto, whose
// file is for ui.perfetto.dev. WriteChrome writes a larger file, without source locations, that also opens in
// chrome://tracing, speedscope and the viewer in Go's source tree. To see what the scheduler did, use Go's execution tracer
// instead.
//
// # Contents of a file
//
// A timeline has a track for each lane that has events, with the lane's name. Frames, messages and notes are instants on the
// lane that set them, and plots are counters. A note has the name of its key and its value as an argument. Wait zones have the
// category "wait", root zones "unit", others "zone". Flows, which viewers draw as arrows, lead from a unit to the spans that are
// linked to it by a task. An instant named "timeline taken" says how many events were lost and carries the notes of the timeline.
// A timeline without events is a valid file.
//
// Open spans extend to the end of the timeline, and begin no earlier than the call of Record. Nesting is derived from the
// depth of spans, not from rounded times, so rounding never makes a span extend beyond the enclosing one.
//
// # Units
//
// Instants are those of package clock: nanoseconds since a zero of the process, which no other process shares. In Chrome's
// format they are in microseconds with three decimals, so nothing is rounded.
//
// # Concurrency
//
// All functions are safe for concurrent use with different writers. They do not modify the snapshot or timeline.
//
// # Accuracy and caveats
//
// The same data gives the same bytes. Names may contain any bytes: invalid UTF-8 becomes U+FFFD, as the formats require. Plot
// values that are not finite are omitted. Inconsistent data, such as a zone that is not in the table, gives a valid file;
// spans are shortened if necessary so that they nest.
//
// The functions stream their output. Besides the timeline they hold the spans of one lane at a time, and the units if spans are
// linked to any; WriteProfile and WriteStacks hold the whole profile.
//
// # Sources
//
// Formats: github.com/google/pprof, proto/profile.proto; "Trace Event Format" of the Chromium project;
// github.com/google/perfetto, protos/perfetto/trace.
package trace
