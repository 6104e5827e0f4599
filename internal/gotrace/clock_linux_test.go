// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A stamp is rounded down to 64 ns. Events of a thread that have the same are set apart, so one in a row of many may be late.
func TestTimeIsTheMonotonicClock(t *testing.T) {
	const early, late = 64, 10_000
	now := func() Time {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			t.Fatal(err)
		}
		return Time(ts.Nano())
	}
	var before, after [20]Time
	data := record(t, func(generation func()) {
		for i := range before {
			time.Sleep(time.Millisecond)
			before[i] = now()
			yieldsHere()
			after[i] = now()
			if i == len(before)/2 {
				generation()
			}
		}
	})
	tr, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := tr.find(Runnable, "yieldsHere")
	for i := range before {
		n := 0
		for _, s := range found {
			if s.At >= before[i]-early && s.At <= after[i]+late {
				n++
			}
		}
		if n == 0 {
			t.Errorf("no yield from %d to %d", before[i], after[i])
		}
	}
	if len(found) < len(before) || found[0].At < before[0]-early || found[len(found)-1].At > after[len(after)-1]+late {
		t.Errorf("%d yields, want %d within %d and %d", len(found), len(before), before[0], after[len(after)-1])
	}
	if tr.From > before[0] || tr.To < found[len(found)-1].At {
		t.Errorf("the window is %d to %d", tr.From, tr.To)
	}
}

//go:noinline
func yieldsHere() { runtime.Gosched() }
