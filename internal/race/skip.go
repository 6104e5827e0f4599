// SPDX-License-Identifier: BSD-3-Clause

// Package race says whether the race detector is on, for tests that it makes too slow, or whose measurements it changes.
package race

import "testing"

// Sequential skips a test of one goroutine under the race detector, which finds nothing in it.
func Sequential(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("one goroutine: left to the run without the race detector")
	}
}
