// SPDX-License-Identifier: BSD-3-Clause

// Package stamp reads, in one call, who runs and when: the number of the calling goroutine and the ticks of the clock.
//
// The runtime keeps a record of each goroutine, whose address a register or the thread's local storage holds. The
// record is never freed; when a goroutine ends, another may get it. Two things are read: the address of the record,
// which a goroutine keeps for its life, and the goroutine's number in it, which no other goroutine ever has.
//
// Where in the record the number lies is not written down here: Refresh finds out, by looking in the records of some
// goroutines for the number that their own tracebacks show. If that gives no single answer, on a runtime that keeps the
// number elsewhere, the address stands for the goroutine and all callers take their slow path.
package stamp
