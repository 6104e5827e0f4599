// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	highResolution   = 0x2      // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, since Windows 10 1803
	timerAccess      = 0x1f0003 // TIMER_ALL_ACCESS
	criticalPriority = 15       // THREAD_PRIORITY_TIME_CRITICAL
)

// calls are the entries of kernel32 that x/sys lacks. They exist in every Windows that Go runs on.
var calls = sync.OnceValue(func() (c struct{ create, set, priority uintptr }) {
	dll := windows.NewLazySystemDLL("kernel32.dll")
	c.create = dll.NewProc("CreateWaitableTimerExW").Addr()
	c.set = dll.NewProc("SetWaitableTimer").Addr()
	c.priority = dll.NewProc("SetThreadPriority").Addr()
	return c
})

// yielding sleeps on a waitable timer: high-resolution where there is one, else an ordinary one with the system's timer
// period at 1 ms for as long as the backend is open.
func yielding() backend {
	c := calls()
	wake, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		b := slept()
		b.reason = "CreateEvent: " + err.Error()
		return b
	}
	b := backend{name: "high-resolution waitable timer", coarse: rough[0], fine: rough[1]}
	h, _, e := syscall.SyscallN(c.create, 0, 0, highResolution, timerAccess)
	period := false
	if h == 0 {
		b.name = "waitable timer with timeBeginPeriod(1)"
		b.reason = "no high-resolution timer: " + e.Error()
		if h, _, e = syscall.SyscallN(c.create, 0, 0, 0, timerAccess); h == 0 {
			windows.CloseHandle(wake)
			b := slept()
			b.reason = "CreateWaitableTimerEx: " + e.Error()
			return b
		}
		period = beginPeriod()
	}
	t := &waitable{timer: windows.Handle(h), wake: wake, period: period}
	runtime.SetFinalizer(t, (*waitable).close)
	b.sleeper = t
	return b
}

// locked keeps the goroutine on its thread, for Realtime at the highest priority an ordinary process may have.
func locked(realtime bool) backend {
	runtime.LockOSThread()
	b := yielding()
	b.sleeper = unlocking{b.sleeper}
	b.name += " on a locked thread"
	if realtime {
		ok, _, e := syscall.SyscallN(calls().priority, uintptr(windows.CurrentThread()), criticalPriority)
		if ok == 0 {
			b.reason = "SetThreadPriority: " + e.Error()
		} else {
			b.sleeper = prioritised{b.sleeper}
			b.name += ", time-critical"
		}
	}
	return b
}

type prioritised struct{ sleeper }

func (p prioritised) close() {
	syscall.SyscallN(calls().priority, uintptr(windows.CurrentThread()), 0)
	p.sleeper.close()
}

type waitable struct {
	timer, wake windows.Handle
	period      bool
	closed      bool
}

func (t *waitable) sleep(d time.Duration) {
	due := -int64(d) / 100 // negative: relative, in 100 ns
	if due >= 0 {
		return
	}
	if ok, _, _ := syscall.SyscallN(calls().set, uintptr(t.timer), uintptr(unsafe.Pointer(&due)), 0, 0, 0, 0); ok == 0 {
		time.Sleep(d)
		return
	}
	windows.WaitForMultipleObjects([]windows.Handle{t.timer, t.wake}, false, windows.INFINITE)
}

func (t *waitable) interrupt() { windows.SetEvent(t.wake) }
func (t *waitable) rearm()     { windows.ResetEvent(t.wake) }

func (t *waitable) close() {
	if t.closed {
		return
	}
	t.closed = true
	windows.CloseHandle(t.timer)
	windows.CloseHandle(t.wake)
	if t.period {
		endPeriod()
	}
}

// The timer period is the system's, so it is counted here and given back.
var periods struct {
	sync.Mutex
	users int
}

func beginPeriod() bool {
	periods.Lock()
	defer periods.Unlock()
	if periods.users == 0 && windows.TimeBeginPeriod(1) != nil {
		return false
	}
	periods.users++
	return true
}

func endPeriod() {
	periods.Lock()
	defer periods.Unlock()
	if periods.users--; periods.users == 0 {
		windows.TimeEndPeriod(1)
	}
}
