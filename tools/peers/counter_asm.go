// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 || arm64

package peers

// hasCounter reports whether the functions below are the bare instructions.
const hasCounter = true

// counter only reads the processor's counter: the lower limit for clocks that use it.
func counter() uint64

// orderedCounter is counter after a fence: the lower limit for stamps that other goroutines compare.
func orderedCounter() uint64

// nothing is an empty assembly function: the cost of the call of counter.
func nothing() uint64

// orderedNs is orderedCounter converted to nanoseconds by a fixed linear function: the multiplication, the shift and the
// addition that the next fence waits for.
func orderedNs() int64
