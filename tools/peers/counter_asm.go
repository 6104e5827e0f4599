// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 || arm64

package peers

// hasCounter reports whether the functions below are the bare instructions.
const hasCounter = true

// counter reads the processor's counter with nothing around it: the floor of any clock made of it.
func counter() uint64

// orderedCounter is counter behind a fence: the floor of any stamp that another goroutine compares.
func orderedCounter() uint64

// nothing is an empty assembly function: the part of counter that is the call.
func nothing() uint64

// orderedNs is orderedCounter converted to nanoseconds by a fixed linear function: the multiplication, the shift and the
// addition that the next fence waits for.
func orderedNs() int64
