// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (386 || arm || loong64 || mips || mips64 || mips64le || mipsle || ppc64 || ppc64le || riscv64 || s390x || wasm)

package stamp

import "github.com/strobe-go/strobe/clock"

// Now returns the number of the calling goroutine and the ticks of the clock.
func Now() (id, t uint64) { return Goroutine(), clock.Ticks() }

// Refresh returns 0: the clock reads no counter of this processor.
func Refresh() uint64 {
	clock.Ticks()
	return 0
}

// Offset returns 0.
func Offset() uint64 { return 0 }
