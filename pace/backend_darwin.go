// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yielding sleeps in a kevent timer marked critical, which the system does not batch with others. It needs no cgo, as
// mach_wait_until would.
func yielding() backend {
	kq, err := unix.Kqueue()
	if err != nil {
		b := slept()
		b.reason = "kqueue: " + err.Error()
		return b
	}
	unix.CloseOnExec(kq)
	user := []unix.Kevent_t{{Ident: wakeIdent, Filter: unix.EVFILT_USER, Flags: unix.EV_ADD}}
	if _, err := unix.Kevent(kq, user, nil, nil); err != nil {
		unix.Close(kq)
		b := slept()
		b.reason = "kevent: " + err.Error()
		return b
	}
	k := &kqueue{fd: kq}
	runtime.SetFinalizer(k, (*kqueue).close)
	return backend{sleeper: k, name: "kevent timer", coarse: precise[0], fine: precise[1]}
}

// locked keeps the goroutine on its thread. Threads with a time constraint need the Mach interface, hence cgo.
func locked(realtime bool) backend {
	runtime.LockOSThread()
	b := yielding()
	b.sleeper = unlocking{b.sleeper}
	b.name += " on a locked thread"
	if realtime {
		b.reason = "real-time threads on macOS take Mach calls, which need cgo"
	}
	return b
}

const (
	timerIdent = 1
	wakeIdent  = 2
)

type kqueue struct {
	fd     int
	closed bool
}

func (k *kqueue) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	end := time.Now().Add(d)
	change := [1]unix.Kevent_t{{Ident: timerIdent, Filter: unix.EVFILT_TIMER, Flags: unix.EV_ADD | unix.EV_ONESHOT,
		Fflags: unix.NOTE_NSECONDS | unix.NOTE_CRITICAL, Data: int64(d)}}
	set := change[:]
	var got [2]unix.Kevent_t
	for time.Now().Before(end) {
		n, err := unix.Kevent(k.fd, set, got[:], nil)
		set = nil // an interrupted call has armed the timer all the same
		if err != unix.EINTR || n > 0 {
			return
		}
	}
}

func (k *kqueue) trigger(flags uint16, fflags uint32) {
	unix.Kevent(k.fd, []unix.Kevent_t{{Ident: wakeIdent, Filter: unix.EVFILT_USER, Flags: flags, Fflags: fflags}}, nil, nil)
}

func (k *kqueue) interrupt() { k.trigger(0, unix.NOTE_TRIGGER) }

func (k *kqueue) rearm() {
	k.trigger(unix.EV_DELETE, 0)
	k.trigger(unix.EV_ADD, 0)
}

func (k *kqueue) close() {
	if !k.closed {
		k.closed = true
		unix.Close(k.fd)
	}
}
