// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package perf

import "golang.org/x/sys/unix"

// counted returns the count of a software event that getrusage counts; ok is false for other events.
func counted(event int, r *unix.Rusage) (n uint64, ok bool) {
	switch event {
	case softFaults:
		return uint64(r.Minflt) + uint64(r.Majflt), true
	case softMinor:
		return uint64(r.Minflt), true
	case softMajor:
		return uint64(r.Majflt), true
	case softSwitches:
		return uint64(r.Nvcsw) + uint64(r.Nivcsw), true
	case softTaskClock: // in microseconds
		return uint64(r.Utime.Nano() + r.Stime.Nano()), true
	}
	return 0, false
}
