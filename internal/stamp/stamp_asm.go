// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (amd64 || arm64)

package stamp

import (
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/goroutine"
)

// HasGoroutine reports whether goroutines can be distinguished on this platform.
const HasGoroutine = true

// offset is the offset of the number in a goroutine's record. It is 0 while the clock's ticks are not the processor's
// counter, and then the assembly takes the slow path.
var offset uint64

// found returns the offset of the number, 0 if it could not be found.
var found = sync.OnceValue(find)

// Now returns the number of the calling goroutine and the ticks of the clock.
func Now() (id, t uint64) { return now() }

// Record returns the address of the runtime's record of the calling goroutine.
func Record() uint64 { return record() }

// Goroutine returns the number of the calling goroutine, or the address of its record if the number cannot be read.
func Goroutine() uint64 {
	if off := found(); off != 0 {
		return load(off)
	}
	return record()
}

// Ticks returns the ticks of the clock.
func Ticks() uint64 { return clock.Ticks() }

// Refresh asks the clock whether its ticks are the processor's counter, which Now may then read directly, and returns
// Offset. Call it from time to time: the clock may start or stop trusting the counter.
func Refresh() uint64 {
	clock.Ticks()
	var n uint64
	if clock.Counting() {
		n = found()
	}
	atomic.StoreUint64(&offset, n)
	return n
}

// Offset returns the offset of the number in a goroutine's record; 0 while the number cannot be read or the ticks are
// not the processor's counter.
func Offset() uint64 { return atomic.LoadUint64(&offset) }

// Numbered reports whether goroutines are identified by their numbers. Otherwise they are identified by the addresses of
// their records, and a goroutine cannot be distinguished from an earlier one with the same record.
func Numbered() bool { return found() != 0 }

//go:noescape
func now() (id, t uint64)

//go:noescape
func record() uint64

// load returns the word at an offset into the caller's record.
//
//go:noescape
func load(offset uint64) uint64

// nowSlow serves Now during the first millisecond of the clock, and after the clock has stopped using the counter.
//
//lint:ignore U1000 the assembly jumps here
func nowSlow() (id, t uint64) {
	if clock.Counting() {
		Refresh()
	}
	return Goroutine(), clock.Ticks()
}

// searched is the number of words of a record that find reads: fewer than any runtime's record has.
const searched = 32

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
				if load(uint64(i)*8) == number {
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
			at = uint64(i) * 8
		}
	}
	return at
}
