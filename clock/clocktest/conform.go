// SPDX-License-Identifier: BSD-3-Clause

package clocktest

import (
	"testing"

	"github.com/strobe-go/strobe/clock"
)

// Rules say what Conform may expect of a clock.
type Rules struct {
	Reads   int  // readings to take; 0 means 100 000
	Patient bool // the clock is coarse: up to a thousand times Reads readings may be equal
}

// Conform fails t unless now behaves as a monotonic clock: it never steps back, it advances, and it does not allocate. It
// makes no assertion about real time, so it passes under any load.
func Conform(t *testing.T, now func() clock.Instant, rules Rules) {
	t.Helper()
	reads := rules.Reads
	if reads == 0 {
		reads = 100_000
	}
	first := now()
	last := first
	for i := range reads {
		n := now()
		if n < last {
			t.Fatalf("reading %d stepped back by %d ns", i, last-n)
		}
		last = n
	}
	if rules.Patient {
		for range 1000 * reads {
			if last = now(); last > first {
				break
			}
		}
	}
	if last == first {
		t.Fatalf("%d readings later it still reads %d", reads, first)
	}
	if n := testing.AllocsPerRun(1000, func() { now() }); n != 0 {
		t.Errorf("a reading allocates %v times", n)
	}
}
