// SPDX-License-Identifier: BSD-3-Clause

// Package perf counts what a stretch of code does: cycles, instructions, misses, faults, switches.
//
//	g, err := perf.Open(perf.Thread, perf.Cycles, perf.Instructions)
//	if err != nil {
//		log.Fatal(err) // says why, and what would help
//	}
//	defer g.Close()
//	m := g.Start()
//	work()
//	r := m.Stop()
//	fmt.Println(r.Get(perf.Instructions))
//
// The counters of a group run all the time, together. A measurement is two readings subtracted: nothing is switched on or
// off, so measurements may nest and overlap. Use it to learn why code takes the time it takes; for the time alone package
// clock costs a hundredth.
//
// Events have the names that perf(1) gives them: "cycles", "L1-dcache-load-misses", "r1a8", "cpu/event=0x3c,umask=1/", the
// events a processor's driver lists in /sys, and the software events such as "page-faults". ":u" counts in user mode only,
// ":k" in the kernel only. Names without a ":" count both where the system allows, else user mode alone, which the value
// then says.
//
// # What a value is
//
// Every value has a [State]. Exact is a count. Scaled is an estimate: the event shared a counter with others and ran for a
// share of the time. All others are no numbers, and their Count of 0 means nothing: they say a reason and a remedy. Where
// perf_event_open is forbidden, faults, switches and processor time come from getrusage and the clocks of the thread.
//
// # Units
//
// Counts are events, "task-clock" and "cpu-clock" nanoseconds. Shares and ratios are fractions.
//
// # Concurrency
//
// A Group belongs to one goroutine, which Open locks to its thread for the scopes Thread and Command; Close unlocks it. A
// Reading and a Value are plain data. An Aggregate is not safe for concurrent use.
//
// # Accuracy
//
// A measurement counts itself: some 60 instructions where the counters are read in user mode, some thousand instructions
// of the kernel where they are read by a system call. Group.Overhead tells, Reading.Less subtracts.
//
// On Linux amd64 and arm64 the counters are read without a system call where the kernel allows it
// (/proc/sys/kernel/perf_user_access on arm64). The arm64 path, groups, multiplexing and children are tested to the
// instruction in an emulated machine; the one amd64 instruction, RDPMC, and real counters of any kind have not been run by
// the authors. On macOS cycles and instructions are to be had by everyone, branches and misses by root, on Windows
// "tsc-cycles" alone; both were compiled and never run.
//
// # Sources
//
// perf_event_open(2), tools/perf of Linux for the names, sys/recount.h and kpc of xnu.
package perf
