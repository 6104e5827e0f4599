// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
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

// The system calls of a timerfd return at once, and are made without telling the runtime. A call that the runtime is told of wakes
// its monitor thread, which then runs repeatedly for a while, often on the processor of the goroutine that spins.
type timerfd struct {
	file *os.File
	conn syscall.RawConn
	fd   int // not file.Fd(), which would make it blocking
	buf  [8]byte
	read func(fd uintptr) (done bool)
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
	t.read = t.tryRead
	err = t.file.SetReadDeadline(time.Time{}) // fails if the poller does not accept it
	if err == nil {
		t.conn, err = t.file.SyscallConn()
	}
	if err != nil {
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
	_, _, errno := unix.RawSyscall6(unix.SYS_TIMERFD_SETTIME, uintptr(fd), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

func (t *timerfd) arm(d time.Duration) { setTimer(t.fd, d) } // it has succeeded before
func (t *timerfd) wait()               { t.conn.Read(t.read) }
func (t *timerfd) close()              { t.file.Close() }

func (t *timerfd) tryRead(fd uintptr) (done bool) {
	_, _, errno := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&t.buf)), uintptr(len(t.buf)))
	return errno != unix.EAGAIN
}

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
