// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"encoding/binary"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yielding sleeps on a timerfd that the runtime's poller watches: the goroutine parks, no thread is held, and a garbage
// collection does not wait. time.Sleep sits in epoll_wait, whose timeout is in ms (golang/go#44343).
func yielding() backend {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		b := slept()
		b.reason = "timerfd_create: " + err.Error()
		return b
	}
	t := &timerfd{fd: fd, file: os.NewFile(uintptr(fd), "timerfd")}
	return backend{sleeper: t, name: "timerfd", coarse: precise[0], fine: precise[1]}
}

type timerfd struct {
	fd   int // not file.Fd(), which would make it blocking
	file *os.File
	buf  [8]byte
}

func (t *timerfd) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	if unix.TimerfdSettime(t.fd, 0, &spec, nil) != nil {
		time.Sleep(d) // cannot happen with a valid descriptor and time
		return
	}
	t.file.Read(t.buf[:]) // an error is the interrupt
}

func (t *timerfd) interrupt() { t.file.SetReadDeadline(time.Unix(1, 0)) }
func (t *timerfd) rearm()     { t.file.SetReadDeadline(time.Time{}) }
func (t *timerfd) close()     { t.file.Close() }

// locked sleeps in ppoll on a thread of its own with the timer slack at 1 ns, and so keeps its place when the process
// has more runnable goroutines than processors. The wait goes through Syscall: the runtime takes the processor back.
// The descriptor is an eventfd, by which another goroutine ends the sleep.
func locked(realtime bool) backend {
	runtime.LockOSThread()
	fd, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		runtime.UnlockOSThread()
		b := yielding()
		b.reason = "eventfd: " + err.Error()
		return b
	}
	t := &thread{fd: fd}
	b := backend{sleeper: t, name: "ppoll on a locked thread", coarse: precise[0], fine: precise[1]}
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
		b.reason = "prctl(PR_SET_TIMERSLACK): " + err.Error()
	}
	if realtime {
		err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
		if err != nil {
			b.reason = "sched_setattr(SCHED_FIFO): " + err.Error() + "; it takes CAP_SYS_NICE or an RLIMIT_RTPRIO of 1"
		} else {
			t.fifo = true
			b.name += ", SCHED_FIFO"
			b.fine.hi /= 2 // nobody else runs on this processor meanwhile
		}
	}
	return b
}

type thread struct {
	fd   int
	fifo bool
}

func (t *thread) sleep(d time.Duration) {
	end := time.Now().Add(d)
	for d > 0 {
		ts := unix.NsecToTimespec(int64(d))
		_, err := unix.Ppoll([]unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}}, &ts, nil)
		if err != unix.EINTR { // which the runtime's own signals cause
			return
		}
		d = time.Until(end)
	}
}

func (t *thread) interrupt() {
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	unix.Write(t.fd, one[:])
}

func (t *thread) rearm() {
	var n [8]byte
	unix.Read(t.fd, n[:])
}

// close gives the thread back as it was. It must run on the goroutine that is locked to it.
func (t *thread) close() {
	if t.fifo {
		unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}, 0)
	}
	unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) // 0 is the default
	unix.Close(t.fd)
	runtime.UnlockOSThread()
}
