// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package clock

const counterName = "cntvct"

// Implemented in counter_arm64.s.

//go:noescape
func readCounter() uint64

//go:noescape
func fenceCounter() uint64

//go:noescape
func counterHz() uint64

// steadyCounter reports whether the processor itself vouches for its counter: the architecture demands it.
func steadyCounter() (ok bool, reason string) { return true, "" }

// claimedHz returns CNTFRQ_EL0, which firmware sets and often sets wrong.
func claimedHz() float64 { return float64(counterHz()) }

func hypervisorStable() bool { return false }

func startCounter() {}

// onWhich returns 0: there is one counter for all processors.
func onWhich() int { return 0 }
