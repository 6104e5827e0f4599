// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import (
	"strings"
	"testing"
)

func TestReadingsMoreThanAnHourApartAreDistant(t *testing.T) {
	const hour, now = int64(3600e9), int64(1.8e18)
	for _, by := range []int64{0, 1, hour, hour + 1, 30 * 365 * 24 * hour} {
		if far := by > hour; distant(now, now-by) != far || distant(now-by, now) != far {
			t.Errorf("%d ns apart: distant %v and %v", by, distant(now, now-by), distant(now-by, now))
		}
	}
}

func TestRefusalOfTheKernelsClockIsKeptAndGoTimeIsRead(t *testing.T) {
	defer func() { refused = nil }()
	if ns := startTime(kernelClock); ns <= 0 || refused != nil {
		t.Skip("the kernel's clock cannot be read here: ", refused)
	}
	if ok, reason := referenceTells(); !ok {
		t.Error(reason)
	}
	startTime(1 << 20) // there is no such clock
	if ok, reason := referenceTells(); ok || !strings.Contains(reason, "clock_gettime is refused (invalid argument)") {
		t.Errorf("%v, %q", ok, reason)
	}
	startTime(kernelClock)
	if refused == nil {
		t.Error("a call that succeeds hides one that did not")
	}
	before := goTime()
	if ns := reference(); ns < before || ns > goTime() {
		t.Errorf("read %d, not Go's time", ns)
	}
}
