// SPDX-License-Identifier: BSD-3-Clause

// Package switches tells when each thread of this process was off its processor, from the kernel's own records.
//
// A program's own clock cannot tell a span that worked for 20 ms from one that another program displaced for 19 of them. The
// kernel can: with perf_event_open it writes a record whenever a thread leaves a processor or comes back to one. A [Recorder] has a
// ring in memory for each processor, in which the latest records replace the oldest, so that nobody has to read them until something
// was slow. By [Options] the rings also have stacks of running threads, and page faults.
//
// With the right to do so the kernel writes the records of whole processors, with the threads of other programs, which are left
// out when the rings are read. That costs much less than records of single threads, whose events are begun and ended at each switch.
//
// All this is on Linux only, and an ordinary user may do it unless the system or the container forbids it; then [Open] returns an
// error with the reason and the remedy.
//
// # What it cannot tell
//
// Only processors on which the process may run at the time of Open have a ring. A processor that the host of a virtual machine took
// away looks as if it worked. Stacks are found by frame pointers: the caller of a function without a frame, such as a small leaf
// or a copy of memory, is left out. Stacks and page faults are of user mode: a fault that a system call takes is not recorded.
package switches
