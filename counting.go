// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/clock"
)

// recount asks the clock whether its ticks are the processor's counter, which spans may then read themselves. It is
// asked when a lane is made and with each snapshot: a counter that has gone wrong is then left alone.
func recount() {
	clock.Ticks()
	var n uint32
	if hasG && clock.Counting() {
		n = 1
	}
	atomic.StoreUint32(&counting, n)
}
