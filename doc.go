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
// when the function panics or the goroutine exits. Each lane keeps an exact call tree, one node for each path of zones,
// for the whole life of the process.
//
// TakeSnapshot returns calls, total and self time, extremes, distributions and call trees as plain data, see package
// profile. StartReporter prints what happened each second, a Reader returns it. Packages trace and logreport write
// profiles for pprof, timelines and log records.
//
// Beside spans there are StartLap for phases that follow one another, at one clock reading each, Frame for the turns of a
// loop, Plot and Message for what happens meanwhile, and Record and TakeTimeline for the latest spans one by one.
//
// # Units
//
// Durations are time.Duration, instants are clock.Instant. A span's time is the goroutine's wall time: waiting for a lock,
// for a processor or for the garbage collector is included. Put NewWaitZone around what blocks, so that the self time of
// the enclosing span does not include it.
//
// # Concurrency
//
// A span belongs to the goroutine that began it. All functions are safe for concurrent use. A lane's numbers are written by
// its goroutine alone, without locks, and read by anyone.
//
// # Accuracy and caveats
//
// A span costs two readings of the clock; bookkeeping hides in their shadow. Where goroutines are many and each runs
// briefly, it costs two to four times that, because its memory is not in the processor's caches; Snapshot.Cost is
// measured here and now. Durations are never corrected. A span may read up to Snapshot.Uncertainty too long or too short:
// the mean of calls that take a few ns mostly shows the cost of measuring them.
//
// A lane belongs to the runtime's record of a goroutine, which another goroutine may get when the first has ended: a row
// is the goroutines that followed one another on it. NameLane and NewLane give rows a meaning of their own. Where goroutines
// cannot be told apart (neither amd64 nor arm64, or built with the tag purego) they share one lane, which has calls,
// times and distributions but no call tree; lanes made by NewLane are complete everywhere.
//
// A span that is never ended stays open until one that encloses it ends, or until the runtime gives the record of its
// goroutine to another one. Until then Snapshot shows it as open; when its goroutine has ended it counts as abandoned
// and its time is not known.
//
// The call tree of a lane has limits: depth 255, 4096 paths, 1024 of them recursive. A span beyond them counts on the
// innermost open node of its zone, else below one node for all other paths; calls, totals and self times stay exact, and
// Snapshot.Notes says so.
//
// Up to 64 lanes keep distributions of their own; where there are more, distributions are kept by zone only, see
// SetDistributions. All memory counts against a budget of 64 MB, see SetBudget.
//
// Three switches turn measuring off: SetEnabled for all zones, SetSampling(-1) for one, and the build tag strobe_off. With
// the tag no code is left, except for a deferred call: guarded by `if strobe.Enabled` it leaves none either.
//
// # Sources
//
// The log-linear distribution is that of HdrHistogram. The call tree is a calling context tree (Ammons, Ball and Larus,
// PLDI 1997).
package strobe
