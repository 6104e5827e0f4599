// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (386 || amd64 || arm || arm64 || loong64 || mips || mips64 || mips64le || mipsle || ppc64 || ppc64le || riscv64 || s390x || wasm)

package stamp

import (
	"sync"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/goroutine"
)

// HasGoroutine reports whether goroutines can be distinguished in this build.
const HasGoroutine = true

// found returns the offset of the number, 0 if it could not be found.
var found = sync.OnceValue(find)

// Record returns the address of the runtime's record of the calling goroutine.
func Record() uint64 { return uint64(record()) }

// Goroutine returns the number of the calling goroutine, or the address of its record if the number cannot be read.
func Goroutine() uint64 {
	if off := found(); off != 0 {
		return load(off)
	}
	return Record()
}

// Ticks returns the ticks of the clock.
func Ticks() uint64 { return clock.Ticks() }

// Numbered reports whether goroutines are identified by their numbers. Otherwise they are identified by the addresses of
// their records, and a goroutine cannot be distinguished from an earlier one with the same record.
func Numbered() bool { return found() != 0 }

//go:noescape
func record() uintptr

// load returns the number at an offset into the caller's record.
func load(offset uint64) uint64 {
	at := record() + uintptr(offset)
	return **(**uint64)(unsafe.Pointer(&at))
}

// A record is searched at each multiple of a pointer's size, up to that of 32 pointers: no runtime's record is shorter.
const (
	step     = unsafe.Sizeof(uintptr(0))
	searched = 32
)

// find searches the records of a few goroutines, one after the other, for their numbers.
func find() uint64 {
	const goroutines = 4
	var hits [searched]int
	for range goroutines {
		done := make(chan struct{})
		go func() {
			defer close(done)
			number := goroutine.Number()
			if number == 0 {
				return
			}
			for i := range hits {
				if load(uint64(i)*uint64(step)) == number {
					hits[i]++
				}
			}
		}()
		<-done
	}
	var at uint64
	for i, n := range hits {
		if n == goroutines {
			if at != 0 {
				return 0
			}
			at = uint64(i) * uint64(step)
		}
	}
	return at
}
