// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (amd64 || arm64)

package clock

// Implemented in now_amd64.s and now_arm64.s. now and nowOrdered continue in nowSlow, ticks and ticksOrdered in ticksSlow.

//go:noescape
func now() Instant

//go:noescape
func nowOrdered() Instant

//go:noescape
func ticks() uint64

//go:noescape
func ticksOrdered() uint64
