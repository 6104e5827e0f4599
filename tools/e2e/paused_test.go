// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// The host pauses the machine after each of the lines that say so; package exact pauses it.
func TestWholeMachineThatIsPaused(t *testing.T) {
	if os.Getenv("STROBE_PAUSED") == "" {
		t.Skip("a part of another test: tools/e2e/exact runs this, and pauses the machine")
	}
	request, reports := watched(t)
	for range 6 {
		s := request.Enter()
		fmt.Println("pause")
		took, gap := computeUntil(2*time.Second, 100*time.Millisecond)
		s.Exit()
		if gap == 0 {
			fmt.Println("not paused")
			continue
		}
		r := next(t, reports, took)
		fmt.Println("report", r.Cause, gap, r, r.Degrees)
		time.Sleep(100 * time.Millisecond)
	}
}

// computeUntil takes a processor until it was without one for so long, or for at most most. It returns how long that was; gap is 0 if it did not
// happen.
func computeUntil(most, pause time.Duration) (took, gap time.Duration) {
	began := time.Now()
	for last := began; took < most; {
		now := time.Now()
		took = now.Sub(began)
		if gap = now.Sub(last); gap >= pause {
			return took, gap
		}
		last = now
	}
	return took, 0
}
