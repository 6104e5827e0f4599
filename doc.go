// SPDX-License-Identifier: BSD-3-Clause

// Package strobe is a profiler for programs that do something again and again: it measures the regions that you name, and shows
// why one iteration was slow. It is cheap enough to stay on in production.
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
//		for {
//			strobe.Frame("main loop")
//			...
//		}
//	}
//
// Most programs need only NewZone, Enter and Exit, and Frame if they have a loop. Show the figures with StartReporter or with
// package live. Make zones in package variables, not in functions that run often. Avoid zones around a few nanoseconds of
// work, which cost more than the work, and avoid NewLane where a lane is simply a goroutine.
//
// A Zone is a named region of code, a Span is one execution of it, a Lane is one goroutine's stream of spans. No setup is
// needed: any goroutine may enter any zone, with nesting and recursion to any depth, and deferred spans end when the function
// panics or the goroutine exits. Each lane keeps an exact call tree, one node for each path of zones, for the whole life of
// the process.
//
// TakeSnapshot returns calls, total and self times, extremes, distributions and call trees as plain data; see package
// profile. StartReporter prints a report every second. A Reader returns the same figures to the program. Packages trace and
// logreport write profiles for pprof, timelines and log records.
//
// A program that serves requests, or does other things that overlap, has no frames. NewRootZone makes zones whose calls are its
// units: each has a duration, notes and a call tree, to which other goroutines contribute with the Task of the unit.
//
// Besides spans, StartLap measures consecutive phases with one clock reading each, Frame measures the turns of a loop, by a Loop
// or by name, and Plot and Message record values and events. Record keeps the latest spans individually; TakeTimeline returns
// all of them, and a TimelineReader the new ones.
//
// # Requests and other units
//
// A unit is a call of a root zone. Snapshot.Units has the number, the rate and the latencies of those of each root zone, and viewers
// show the slowest ones. Note attaches a value to the unit of the calling goroutine. A goroutine that works for a unit of another one
// begins its spans with Task.Enter:
//
//	task := strobe.CurrentTask()
//	go func() {
//		defer task.Enter(zResize).Exit()
//		...
//	}()
//
// ContextWithTask and TaskFromContext pass a task with a context. Notes and links are marks of the recording: without Record, or a
// viewer that keeps a recording, they are dropped, and a unit is only counted and timed.
//
// # Units
//
// Durations are of type time.Duration, and instants of type clock.Instant. A span's time is the goroutine's wall time:
// waiting for a lock, for a processor or for the garbage collector is included. Put a zone made by NewWaitZone around code
// that blocks, so that the self time of the enclosing span excludes it.
//
// # Concurrency
//
// A span belongs to the goroutine that began it. All functions are safe for concurrent use. Only its goroutine writes a lane's
// figures, without locks, and any goroutine may read them.
//
// # Accuracy and caveats
//
// A span costs two readings of the clock; the processor does the bookkeeping while it waits for them. With many
// goroutines that each run briefly, and in programs that do much else between two calls of a function, a span costs
// several times that, because its memory is not in the processor's caches. Snapshot.Cost and Snapshot.CostCold are
// measured when the snapshot is taken. Durations are never corrected. A measured duration may be too long or too short
// by up to Snapshot.Uncertainty: the mean of calls that take a few nanoseconds mostly shows the cost of measuring them.
//
// A lane belongs to the runtime's record of a goroutine. The runtime reuses the record when the goroutine has ended, so a
// lane may hold the spans of several goroutines, one after another. Use NameLane and NewLane for lanes with a fixed
// meaning. In a program built with the tag purego, goroutines cannot be distinguished and share one lane, which
// has calls, times and distributions but no call tree; lanes made by NewLane are complete everywhere.
//
// A span that is never ended stays open until one that encloses it ends, or until the runtime gives the record of its
// goroutine to another one. Until then it is open in snapshots. If its goroutine has ended, it counts as abandoned, and its
// time is unknown.
//
// The call tree of a lane has limits: depth 255, 4096 paths, 1024 of them recursive. A span beyond them counts on the
// innermost open node of its zone, or else below one node that stands for all other paths; calls, totals and self times
// stay exact, and Snapshot.Notes says so.
//
// Up to 64 lanes keep their own distributions; with more lanes, distributions are kept by zone only (see SetDistributions).
// All memory counts against a budget of 64 MB (see SetBudget). Names of zones, lanes, loops and plots are cut to 256 bytes,
// messages to 4096, keys of notes to 64 and their values to 256, between runes.
//
// Three switches turn measuring off: SetEnabled for all zones, SetSampling(-1) for one, and the build tag strobe_off. With
// the tag, calls compile to nothing, except deferred calls; a deferred call guarded by `if strobe.Enabled` also compiles to
// nothing.
//
// # Sources
//
// The log-linear distribution is from HdrHistogram. The call tree is a calling context tree (Ammons, Ball and Larus, PLDI
// 1997).
package strobe
