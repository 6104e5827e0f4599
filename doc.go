// SPDX-License-Identifier: BSD-3-Clause

// Package strobe is a drop-in profiler: one line in a function tells where the time goes, always on, in production.
//
//	var zAlloc = strobe.NewZone("alloc")
//
//	func Alloc(n int) []byte {
//		defer zAlloc.Enter().Exit()
//		...
//	}
//
//	func main() {
//		defer strobe.StartReporter(os.Stderr, time.Second).Stop()
//		...
//	}
//
// A Zone is a named region of code, a Span is one execution of it, a Lane is one goroutine's stream of spans. Nothing
// needs to be set up: any goroutine enters any zone, nested and recursive to any depth, and spans end under defer
// when the function panics or the goroutine exits. TakeSnapshot returns calls, total and self time, extremes and
// distribution for each zone and lane as plain data; StartReporter prints them once a second.
//
// Beside spans: StartLap for phases that follow one another at one clock reading each, Frame for the turns of a loop, Plot
// and Message for what happens meanwhile, Record and TakeTimeline for the latest spans one by one. Other packages of
// this module measure and wait: clock, pace, stat, rolling.
//
// # Units
//
// Durations are time.Duration, instants are clock.Instant. A span's time is the goroutine's time on the wall: waiting for
// a lock, for a processor or for the garbage collector is in it. Use NewWaitZone around what blocks, so that the self time
// of what encloses it is free of it.
//
// # Concurrency
//
// A span belongs to the goroutine that began it. All functions are safe for concurrent use. A lane's numbers are written by
// its goroutine alone, without locks, and read by anyone.
//
// # Accuracy and caveats
//
// A span costs two readings of the clock; bookkeeping hides in their shadow. Snapshot.Cost is the cost measured here,
// back to back, and Snapshot.Bias is what a span reads too long or too short; the report takes it off the means. A mean of a
// few ns is marked: it mostly measures itself.
//
// A lane is found by the address of the runtime's record of the goroutine. The record of one that has ended is used again
// for another, so a row is the goroutines that followed one another on it; NameLane and NewLane give rows of their own
// meaning. Where goroutines cannot be told apart (neither amd64 nor arm64, or built with the tag purego) they share
// one lane, which has calls and totals only; lanes made by NewLane are whole everywhere.
//
// A span that is never ended stays open until one that encloses it ends. If none does, its zone's time on that lane is only
// that of the open span, and Snapshot shows it as open.
//
// Memory is used where a lane has entered a zone, a few hundred bytes each, within a budget of 64 MB; see SetBudget.
//
// Three switches turn measuring off: SetEnabled for all zones, SetSampling(-1) for one, and the build tag strobe_off, which
// leaves no code behind.
//
// # Sources
//
// Self time without a stack walk is that of gprof's successors; the log-linear distribution is that of HdrHistogram.
package strobe
