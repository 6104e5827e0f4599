// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
)

var system = precise

// openAlarm opens a timerfd that the runtime's poller watches: the goroutine that waits for it parks, no thread is held,
// and a garbage collection does not wait. time.Sleep is rougher: it sits in epoll_wait, whose timeout is in ms
// (golang/go#44343).
func openAlarm() (a alarm, name, reason string) {
	t, err := openTimerfd()
	if err != nil {
		return new(futex), "futex", "timerfd: " + err.Error() + "; a thread waits instead"
	}
	return t, "timerfd", ""
}

type timerfd struct {
	fd   int // not file.Fd(), which would make it blocking
	file *os.File
	buf  [8]byte
}

func openTimerfd() (*timerfd, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(setTimer(fd, time.Hour), spare(fd, 2)); err != nil {
		unix.Close(fd)
		return nil, err
	}
	t := &timerfd{fd: fd, file: os.NewFile(uintptr(fd), "timerfd")}
	if err := t.file.SetReadDeadline(time.Time{}); err != nil { // the poller does not accept it
		t.file.Close()
		return nil, err
	}
	return t, nil
}

// spare fails unless n more descriptors are available: without them, the runtime's poller would end the program if it has
// not started yet.
func spare(fd, n int) error {
	if n == 0 {
		return nil
	}
	next, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(next)
	return spare(next, n-1)
}

func setTimer(fd int, d time.Duration) error {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	return unix.TimerfdSettime(fd, 0, &spec, nil)
}

func (t *timerfd) arm(d time.Duration) { setTimer(t.fd, d) } // it has succeeded before
func (t *timerfd) wait()               { t.file.Read(t.buf[:]) }
func (t *timerfd) close()              { t.file.Close() }

// futex waits on a thread, without a descriptor.
type futex struct {
	due  atomic.Int64 // instant
	word atomic.Uint32
}

const (
	futexWait    = 0
	futexWake    = 1
	futexPrivate = 128
)

func (f *futex) arm(d time.Duration) {
	f.due.Store(int64(clock.Now().Add(min(d, time.Hour))))
	f.word.Add(1)
	f.call(futexWake, 1, nil)
}

func (f *futex) wait() {
	word := f.word.Load()
	if d := clock.Instant(f.due.Load()).Sub(clock.Now()); d > 0 {
		ts := unix.NsecToTimespec(int64(d))
		f.call(futexWait, word, &ts)
	}
}

func (f *futex) call(op int, value uint32, ts *unix.Timespec) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&f.word)), uintptr(op|futexPrivate), uintptr(value),
		uintptr(unsafe.Pointer(ts)), 0, 0)
}

func (*futex) close()    {}
func (*futex) fallback() {}
