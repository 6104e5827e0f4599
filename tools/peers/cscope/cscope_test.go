// SPDX-License-Identifier: BSD-3-Clause

package cscope

import (
	"runtime"
	"strings"
	"testing"
)

func TestModuleCountsAndReports(t *testing.T) {
	if !Available {
		t.Skip("built without cgo")
	}
	runtime.LockOSThread() // each thread counts separately
	defer runtime.UnlockOSThread()
	for _, counter := range []bool{false, true} {
		const calls, never = 1000, 1 << 62
		counted, inside, reports, line := try(counter, never, calls, 30)
		if counted != calls || inside == 0 || reports != 0 || line != "" {
			t.Errorf("counter %v: %d calls, %d inside, %d reports, %q", counter, counted, inside, reports, line)
		}
		// A second of length 0 is over as soon as any time has passed.
		if _, _, reports, line = try(counter, 0, calls, 1000); reports == 0 || !strings.Contains(line, " calls") {
			t.Errorf("counter %v: %d reports, %q", counter, reports, line)
		}
	}
}

func TestProfilingChangesNoResult(t *testing.T) {
	if !Available {
		t.Skip("built without cgo")
	}
	if a, b, c := Bare(10, 7), ByClock(10, 7), ByCounter(10, 7); a != b || a != c || a == Bare(10, 8) {
		t.Errorf("%d, %d, %d", a, b, c)
	}
}
