// SPDX-License-Identifier: BSD-3-Clause

//go:build purego || (!amd64 && !arm64)

package clock

const counterName = ""

func readCounter() uint64  { return 0 }
func fenceCounter() uint64 { return 0 }
func claimedHz() float64   { return 0 }
func startCounter()        {}
func onWhich() int         { return 0 }

func hypervisorStable() bool { return false }

func steadyCounter() (ok bool, reason string) {
	return false, "this build has no counter instruction for the processor"
}
