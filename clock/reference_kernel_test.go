// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import "testing"

func TestReadingsMoreThanAnHourApartAreDistant(t *testing.T) {
	const hour, now = int64(3600e9), int64(1.8e18)
	for _, by := range []int64{0, 1, hour, hour + 1, 30 * 365 * 24 * hour} {
		if far := by > hour; distant(now, now-by) != far || distant(now-by, now) != far {
			t.Errorf("%d ns apart: distant %v and %v", by, distant(now, now-by), distant(now-by, now))
		}
	}
}
