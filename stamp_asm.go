// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !strobe_off && (amd64 || arm64)

package strobe

import "github.com/strobe-go/strobe/clock"

// hasG says that goroutines can be told apart by the address of the runtime's record of them. The record is never
// freed, and the address stays the same for a goroutine's life; when the goroutine has ended, another may get it.
const hasG = true

// counting is 1 while the clock's ticks are the processor's counter, which stamp then reads itself. See recount.
var counting uint32

// stamp returns the goroutine's record and the ticks. In assembly it is one call instead of two.
//
//go:noescape
func stamp() (gp, t uint64)

//go:noescape
func getg() uint64

// skip is the short way of a sampled zone: it counts this call on the calling goroutine and reports true if the call is
// not to be timed and the goroutine's account is near.
//
//go:noescape
func skip(z *Zone) bool

// stampSlow serves until the clock counts, in its first millisecond, and after its counter has been given up.
//
//lint:ignore U1000 the assembly goes on here
func stampSlow() (gp, t uint64) {
	if clock.Counting() {
		recount()
	}
	return getg(), clock.Ticks()
}

// tick returns the ticks alone.
func tick() uint64 { return clock.Ticks() }
