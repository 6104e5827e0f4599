// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (amd64 || arm64)

package stamp

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/clock"
)

// offset is the offset of the number in a goroutine's record. It is 0 while the clock's ticks are not the processor's
// counter, and then the assembly takes the slow path.
var offset uint64

// Now returns the number of the calling goroutine and the ticks of the clock.
func Now() (id, t uint64) { return now() }

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

//go:noescape
func now() (id, t uint64)

// nowSlow serves Now during the first millisecond of the clock, and after the clock has stopped using the counter.
//
//lint:ignore U1000 the assembly jumps here
func nowSlow() (id, t uint64) {
	if clock.Counting() {
		Refresh()
	}
	return Goroutine(), clock.Ticks()
}
