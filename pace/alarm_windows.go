// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
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
	priorityError    = 1<<31 - 1
)

// calls are the entries of kernel32 that x/sys lacks. They exist in every Windows that Go runs on.
var calls = sync.OnceValue(func() (c struct{ create, set, priority, setPriority uintptr }) {
	dll := windows.NewLazySystemDLL("kernel32.dll")
	c.create = dll.NewProc("CreateWaitableTimerExW").Addr()
	c.set = dll.NewProc("SetWaitableTimer").Addr()
	c.priority = dll.NewProc("GetThreadPriority").Addr()
	c.setPriority = dll.NewProc("SetThreadPriority").Addr()
	return c
})

// openAlarm opens a waitable timer: high-resolution where there is one, else an ordinary one with the system's timer
// period at 1 ms while it is waited for.
func openAlarm() (a alarm, name, reason string) {
	c := calls()
	h, _, e := syscall.SyscallN(c.create, 0, 0, highResolution, timerAccess)
	if h != 0 {
		return &waitable{timer: windows.Handle(h)}, "high-resolution waitable timer", ""
	}
	return openCoarse("no high-resolution timer: " + e.Error())
}

// openCoarse opens an ordinary timer.
func openCoarse(why string) (a alarm, name, reason string) {
	h, _, e := syscall.SyscallN(calls().create, 0, 0, 0, timerAccess)
	if h == 0 {
		return newTimerAlarm(), "time.Timer", "CreateWaitableTimerEx: " + e.Error()
	}
	return &waitable{timer: windows.Handle(h), coarse: true}, "waitable timer with timeBeginPeriod(1)", why
}

// openThread raises the priority for Realtime to the highest that an ordinary process may have.
func openThread(realtime bool) (a alarm, name, reason string, restore func()) {
	a, name, reason = openAlarm()
	name += " on a locked thread"
	restore = func() {}
	if realtime {
		c, self := calls(), uintptr(windows.CurrentThread())
		was, _, _ := syscall.SyscallN(c.priority, self)
		if ok, _, e := syscall.SyscallN(c.setPriority, self, criticalPriority); ok == 0 || int32(was) == priorityError {
			return a, name, "SetThreadPriority: " + e.Error(), restore
		}
		name += ", time-critical"
		restore = func() { syscall.SyscallN(c.setPriority, self, was) }
	}
	return a, name, reason, restore
}

type waitable struct {
	timer  windows.Handle
	coarse bool // as the system's timer period
}

func (t *waitable) arm(d time.Duration) {
	due := min(-int64(d)/100, -1) // negative: relative, in 100 ns
	syscall.SyscallN(calls().set, uintptr(t.timer), uintptr(unsafe.Pointer(&due)), 0, 0, 0, 0)
}

// wait has a short period only meanwhile: no code of the program runs in it, so that nothing but the end of the process, with which the
// system ends it, keeps it from being given back.
func (t *waitable) wait() {
	begun := t.coarse && beginPeriod()
	windows.WaitForSingleObject(t.timer, windows.INFINITE)
	if begun {
		endPeriod()
	}
}

func (t *waitable) close() { windows.CloseHandle(t.timer) }

// The timer period is the system's, so it is counted here and given back.
var periods struct {
	sync.Mutex
	users int
}

// The calls of winmm, which a test counts.
var winmmBegin, winmmEnd = windows.TimeBeginPeriod, windows.TimeEndPeriod

func beginPeriod() bool {
	periods.Lock()
	defer periods.Unlock()
	if periods.users == 0 && winmmBegin(1) != nil {
		return false
	}
	periods.users++
	return true
}

func endPeriod() {
	periods.Lock()
	defer periods.Unlock()
	if periods.users--; periods.users == 0 {
		winmmEnd(1)
	}
}
