// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemSources reads the clocks that Windows programs choose among.
func systemSources() []Source {
	list := []Source{
		{Name: "QueryPerformanceCounter", Hz: float64(qpcHz), Read: func() int64 { return int64(qpc()) }, raw: true},
		returning("kernel32.dll", "GetTickCount64", 1e3),
		returning("winmm.dll", "timeGetTime", 1e3),
	}
	for _, c := range []struct {
		dll, name string
		hz        float64
	}{
		{"kernel32.dll", "GetSystemTimeAsFileTime", 1e7},
		{"kernel32.dll", "GetSystemTimePreciseAsFileTime", 1e7},
		{"kernelbase.dll", "QueryInterruptTime", 1e7},
		{"kernelbase.dll", "QueryInterruptTimePrecise", 1e7},
		{"kernelbase.dll", "QueryUnbiasedInterruptTime", 1e7},
	} {
		list = append(list, filling(c.dll, c.name, c.hz))
	}
	return append(list, threadCycles())
}

// returning returns a source whose system call returns the reading.
func returning(dll, name string, hz float64) Source {
	proc := windows.NewLazySystemDLL(dll).NewProc(name)
	if err := proc.Find(); err != nil {
		return Source{Name: name, Err: err}
	}
	entry := proc.Addr()
	return Source{Name: name, Hz: hz, raw: true, Read: func() int64 {
		r, _, _ := syscall.SyscallN(entry)
		return int64(r)
	}}
}

// filling returns a source whose system call stores a 64-bit reading.
func filling(dll, name string, hz float64) Source {
	proc := windows.NewLazySystemDLL(dll).NewProc(name)
	if err := proc.Find(); err != nil {
		return Source{Name: name, Err: err}
	}
	entry := proc.Addr()
	return Source{Name: name, Hz: hz, raw: true, Read: func() int64 {
		var n int64
		syscall.SyscallN(entry, uintptr(unsafe.Pointer(&n)))
		return n
	}}
}

func threadCycles() Source {
	const name = "QueryThreadCycleTime"
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc(name)
	if err := proc.Find(); err != nil {
		return Source{Name: name, Err: err}
	}
	entry, self := proc.Addr(), windows.CurrentThread()
	return Source{Name: name, Slow: true, Hz: 1e9 / master.rate(), raw: true, Read: func() int64 {
		var n int64
		syscall.SyscallN(entry, uintptr(self), uintptr(unsafe.Pointer(&n)))
		return n
	}}
}
