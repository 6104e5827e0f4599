// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"time"

	"golang.org/x/sys/unix"
)

var system = precise

// openAlarm opens a kevent timer marked critical, which the system does not batch with others. It needs no cgo, as
// mach_wait_until would.
func openAlarm() (a alarm, name, reason string) {
	fd, err := unix.Kqueue()
	if err != nil {
		return newTimerAlarm(), "time.Timer", "kqueue: " + err.Error()
	}
	unix.CloseOnExec(fd)
	k := &kqueue{fd: fd}
	if err := k.set(time.Hour); err != nil {
		unix.Close(fd)
		return newTimerAlarm(), "time.Timer", "kevent: " + err.Error()
	}
	return k, "kevent timer", ""
}

// openThread keeps the kevent timer. Threads with a time constraint need the Mach interface, hence cgo.
func openThread(realtime bool) (a alarm, name, reason string, restore func()) {
	a, name, reason = openAlarm()
	if realtime {
		reason = "real-time threads on macOS take Mach calls, which need cgo"
	}
	return a, name + " on a locked thread", reason, func() {}
}

type kqueue struct{ fd int }

// set rearms the timer, also while another goroutine waits on the queue.
func (k *kqueue) set(d time.Duration) error {
	_, err := unix.Kevent(k.fd, []unix.Kevent_t{{Ident: 1, Filter: unix.EVFILT_TIMER, Flags: unix.EV_ADD | unix.EV_ONESHOT,
		Fflags: unix.NOTE_NSECONDS | unix.NOTE_CRITICAL, Data: int64(d)}}, nil, nil)
	return err
}

func (k *kqueue) arm(d time.Duration) { k.set(d) } // it has been tried
func (k *kqueue) wait()               { unix.Kevent(k.fd, nil, make([]unix.Kevent_t, 1), nil) }
func (k *kqueue) close()              { unix.Close(k.fd) }
