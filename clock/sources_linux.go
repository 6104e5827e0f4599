// SPDX-License-Identifier: BSD-3-Clause

package clock

import "golang.org/x/sys/unix"

// kernelClock is the clock that Go's runtime reads.
const kernelClock = unix.CLOCK_MONOTONIC

var systemClocks = []systemClock{
	{name: "CLOCK_MONOTONIC", id: unix.CLOCK_MONOTONIC},
	{name: "CLOCK_MONOTONIC_RAW", id: unix.CLOCK_MONOTONIC_RAW},
	{name: "CLOCK_MONOTONIC_COARSE", id: unix.CLOCK_MONOTONIC_COARSE},
	{name: "CLOCK_BOOTTIME", id: unix.CLOCK_BOOTTIME},
	{name: "CLOCK_REALTIME", id: unix.CLOCK_REALTIME},
	{name: "CLOCK_REALTIME_COARSE", id: unix.CLOCK_REALTIME_COARSE},
	{name: "CLOCK_TAI", id: unix.CLOCK_TAI},
	{name: "CLOCK_PROCESS_CPUTIME_ID", id: unix.CLOCK_PROCESS_CPUTIME_ID, slow: true},
	{name: "CLOCK_THREAD_CPUTIME_ID", id: unix.CLOCK_THREAD_CPUTIME_ID, slow: true},
}
