// SPDX-License-Identifier: BSD-3-Clause

//go:build purego || (!amd64 && !arm64)

package clock

func now() Instant         { return nowSlow() }
func nowOrdered() Instant  { return nowSlow() }
func ticks() uint64        { return ticksSlow() }
func ticksOrdered() uint64 { return ticksSlow() }
