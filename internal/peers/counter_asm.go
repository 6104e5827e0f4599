// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 || arm64

package peers

// hasCounter says that the functions below are the bare instructions.
const hasCounter = true

// counter reads the processor's counter with nothing around it: the floor of any clock made of it.
func counter() uint64

// orderedCounter is counter behind a fence: the floor of any stamp that another goroutine compares.
func orderedCounter() uint64

// nothing is a call of assembly that does nothing: what part of counter is the call.
func nothing() uint64

// orderedNs is orderedCounter as nanoseconds of a line that never changes: the product, the shift and the sum that the next
// fence waits for.
func orderedNs() int64
