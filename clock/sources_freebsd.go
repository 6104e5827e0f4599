// SPDX-License-Identifier: BSD-3-Clause

package clock

import "golang.org/x/sys/unix"

// kernelClock is the clock that Go's runtime reads.
const kernelClock = unix.CLOCK_MONOTONIC

var systemClocks = []systemClock{
	{name: "CLOCK_MONOTONIC", id: unix.CLOCK_MONOTONIC},
	{name: "CLOCK_MONOTONIC_FAST", id: unix.CLOCK_MONOTONIC_FAST},
	{name: "CLOCK_REALTIME", id: unix.CLOCK_REALTIME},
	{name: "CLOCK_REALTIME_FAST", id: unix.CLOCK_REALTIME_FAST},
	{name: "CLOCK_PROCESS_CPUTIME_ID", id: unix.CLOCK_PROCESS_CPUTIME_ID, slow: true},
	{name: "CLOCK_THREAD_CPUTIME_ID", id: unix.CLOCK_THREAD_CPUTIME_ID, slow: true},
}
