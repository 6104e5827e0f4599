// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// A holding is memory that readers hold, as counted against the budget. It is bounded by what lanes hold.
type holding struct{ bytes uint64 }

// set notes how much it is now.
func (h *holding) set(bytes uint64) {
	memory.Force(bytes - h.bytes)
	h.bytes = bytes
}
