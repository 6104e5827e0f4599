// SPDX-License-Identifier: BSD-3-Clause

//go:build !windows

package clock

import "testing"

// Where it is the clock's reference, it may stand still for as long as the steps of the system's clock, 100 µs in a browser.
func TestGoTimeBeginsAboveZero(t *testing.T) {
	defer first.Store(first.Swap(nil))
	if ns := goTime(); ns <= 0 {
		t.Errorf("%d ns", ns)
	}
}
