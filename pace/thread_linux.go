// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// openThread prepares the calling thread, which the goroutine is locked to, for precise sleeps: timer slack 1 ns, and
// real-time priority if realtime is set. The sleep is a system call during which the runtime takes the processor back.
func openThread(realtime bool) (a alarm, name, reason string, restore func()) {
	var err error = unix.EINTR // signals of the runtime do not interrupt all of several short sleeps, but a filter may
	for range 10 {
		if err = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &unix.Timespec{Nsec: 1}, nil); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return newTimerAlarm(), "time.Timer on a locked thread", "clock_nanosleep: " + err.Error(), func() {}
	}
	name = "clock_nanosleep on a locked thread"
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err == nil {
		err = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	}
	if err != nil {
		reason = "prctl(PR_SET_TIMERSLACK): " + err.Error() + "; sleeps end some 50 µs later"
		slack = 0
	}
	var was *unix.SchedAttr
	if realtime {
		var why string
		if was, why = raise(); was == nil {
			reason = strings.TrimPrefix(reason+"; "+why, "; ")
		} else {
			name += ", SCHED_FIFO"
		}
	}
	return new(nanosleep), name, reason, func() {
		if was != nil {
			unix.SchedSetAttr(0, was, 0)
		}
		if slack > 0 {
			unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack), 0, 0, 0)
		}
	}
}

// raise gives the thread real-time priority and returns what it had.
func raise() (was *unix.SchedAttr, reason string) {
	was, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return nil, "sched_getattr: " + err.Error()
	}
	err = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
	if err != nil {
		return nil, "sched_setattr(SCHED_FIFO): " + err.Error() + "; it needs CAP_SYS_NICE or an RLIMIT_RTPRIO of 1"
	}
	return was, ""
}

type nanosleep struct{ ts unix.Timespec }

func (n *nanosleep) arm(d time.Duration) { n.ts = unix.NsecToTimespec(int64(d)) }

// wait may end early, by a signal of the runtime; the caller checks the clock. The runtime is told even of short sleeps: otherwise
// it would take the goroutine for one that computes, and its monitor thread would run every 20 µs until the deadline.
func (n *nanosleep) wait()  { unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &n.ts, nil) }
func (n *nanosleep) close() {}
