// SPDX-License-Identifier: BSD-3-Clause

// Package stamp reads the number of the calling goroutine and the ticks of the clock in one call.
//
// The runtime keeps a record of each goroutine; a register or the thread's local storage holds its address. The record is
// never freed; when a goroutine ends, another may get it. The package reads the address of the record, which a goroutine
// keeps for its life, and the goroutine's number in it, which no other goroutine ever has.
//
// The offset of the number in the record is not hard-coded: Refresh finds it by searching the records of some goroutines
// for the numbers in their own tracebacks. If the result is ambiguous, as on a runtime that keeps the number elsewhere, the
// address identifies the goroutine and all callers take their slow path.
package stamp
