// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A usage counts, with getrusage and the clocks of processor time, events that the kernel's counters refuse.
type usage struct {
	used   bool             // there are such rows
	rusage [maxEvents]uint8 // the software event of each row that getrusage counts, plus 1
	clock  [maxEvents]bool  // the rows that a clock counts
	asks   bool             // some row needs getrusage
	who    int
	id     int32
	got    unix.Rusage
	time   unix.Timespec
}

// open takes the rows that were left to it, and refuses those whose call the system refuses.
func (u *usage) open(scope Scope, rows []row) {
	switch scope {
	case Thread:
		u.who, u.id = unix.RUSAGE_THREAD, unix.CLOCK_THREAD_CPUTIME_ID
	case Command:
		u.who = unix.RUSAGE_CHILDREN
	default:
		u.who, u.id = unix.RUSAGE_SELF, unix.CLOCK_PROCESS_CPUTIME_ID
	}
	for i := range rows {
		r := &rows[i]
		switch r.source {
		case byUsage:
			if e := u.askUsage(); e != 0 {
				r.refuse(refusedCall("getrusage", e))
				continue
			}
			s, _ := parsePlain(string(r.event))
			u.rusage[i], u.asks, u.used = uint8(s.config)+1, true, true
		case byClock:
			if e := u.askClock(); e != 0 {
				r.refuse(refusedCall("clock_gettime", e))
				continue
			}
			u.clock[i], u.used = true, true
		}
	}
}

func (u *usage) askUsage() syscall.Errno {
	_, _, e := syscall.RawSyscall(unix.SYS_GETRUSAGE, uintptr(u.who), uintptr(unsafe.Pointer(&u.got)), 0)
	return e
}

func (u *usage) askClock() syscall.Errno {
	_, _, e := syscall.RawSyscall(unix.SYS_CLOCK_GETTIME, uintptr(u.id), uintptr(unsafe.Pointer(&u.time)), 0)
	return e
}

// refusedCall is the refusal of a call that every kernel has.
func refusedCall(call string, e syscall.Errno) refusal {
	return refusal{Denied, call + " is refused (" + unix.ErrnoName(e) + ")", "allow it in the sandbox's filter"}
}

func (u *usage) read(s *sample) {
	if u.asks && u.askUsage() != 0 {
		s.fault = isTorn
	}
	for i, event := range u.rusage {
		if n, ok := counted(int(event)-1, &u.got); ok {
			s.n[i] = n
		}
		if u.clock[i] {
			if u.askClock() != 0 {
				s.fault = isTorn
			}
			s.n[i] = uint64(u.time.Nano())
		}
	}
}
