// SPDX-License-Identifier: BSD-3-Clause

// Package perf counts events of the processor and the kernel: cycles, instructions, cache misses, page faults, context
// switches.
//
//	g, err := perf.Open(perf.Thread, perf.Cycles, perf.Instructions)
//	if err != nil {
//		log.Fatal(err) // gives the reason, and what would help
//	}
//	defer g.Close()
//	m := g.Start()
//	work()
//	r := m.Stop()
//	fmt.Println(r.Get(perf.Instructions))
//
// Use it to learn why code takes the time it takes. For the time itself use package clock, which costs far less; in Go
// benchmarks use package perfbench. Open few events at once: a processor has few counters, and beyond them values are
// estimates. [Check] reports which events a machine can count.
//
// The counters of a group run together, all the time, and a measurement is the difference of two reads. Nothing is switched
// on or off, so measurements may nest and overlap.
//
// Events have the names that perf(1) gives them: "cycles", "L1-dcache-load-misses", "r1a8", "cpu/event=0x3c,umask=1/", the
// events that a processor's driver lists in /sys, and software events such as "page-faults". The suffix ":u" counts in user
// mode only, ":k" in the kernel only. Without a suffix both are counted where the system allows it. Where it does not, only
// user mode is counted, and the value says so.
//
// # Values
//
// Every value has a [State]. Exact is a count. Scaled is an estimate: there were too few counters, and the event was counted
// for part of the time. In all other states there is no number: Count is 0 and means nothing, and the value gives a reason
// and a remedy. Where perf_event_open is forbidden, faults, switches and processor time come from getrusage and from the
// clocks of the thread.
//
// # Units
//
// Counts are events; "task-clock" and "cpu-clock" are nanoseconds. Shares and ratios are fractions.
//
// # Concurrency
//
// A Group belongs to the goroutine that opened it. With the scopes Thread and Command, Open locks that goroutine to its
// thread and Close unlocks it. If another goroutine uses a group of scope Thread, the values are NotCounted and say so. A
// Reading and a Value are plain data. An Aggregate is not safe for concurrent use.
//
// # Accuracy
//
// A measurement counts part of itself: about 60 instructions where counters are read in user mode, some thousand kernel
// instructions where they are read with a system call. [Group.Overhead] measures it and [Reading.Less] subtracts it.
//
// On Linux amd64 and arm64 counters are read without a system call where the kernel allows it (on arm64 by
// /proc/sys/kernel/perf_user_access). The arm64 code, groups, multiplexing and child processes are tested in an emulated
// machine, exactly to the instruction. The amd64 instruction RDPMC and real hardware counters have not been tested. On
// macOS every user can count cycles and instructions, and root also branches and misses; on Windows there is only
// "tsc-cycles". The code for both compiles but has never been run.
//
// # Sources
//
// perf_event_open(2); tools/perf in Linux for the names; sys/recount.h and kpc in xnu.
package perf
