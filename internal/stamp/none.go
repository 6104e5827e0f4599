// SPDX-License-Identifier: BSD-3-Clause

//go:build purego || !(386 || amd64 || arm || arm64 || loong64 || mips || mips64 || mips64le || mipsle || ppc64 || ppc64le || riscv64 || s390x || wasm)

package stamp

import "github.com/strobe-go/strobe/clock"

// HasGoroutine reports whether goroutines can be distinguished in this build.
const HasGoroutine = false

// Now returns 0 and the ticks of the clock.
func Now() (id, t uint64) { return 0, clock.Ticks() }

// Record returns 0.
func Record() uint64 { return 0 }

// Goroutine returns 0.
func Goroutine() uint64 { return 0 }

// Ticks returns the ticks of the clock.
func Ticks() uint64 { return clock.Ticks() }

// Refresh returns 0.
func Refresh() uint64 {
	clock.Ticks()
	return 0
}

// Offset returns 0.
func Offset() uint64 { return 0 }

// Numbered returns false.
func Numbered() bool { return false }
