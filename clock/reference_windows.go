// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math/bits"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The Go runtime reads the interrupt time, which steps by 0.5 to 15.6 ms (golang/go#67066): useless as a reference.
const referenceName = "QueryPerformanceCounter"

var (
	wallZero time.Time
	qpcZero  uint64
	qpcHz    uint64
	qpcEntry uintptr
)

func startReference() {
	dll := windows.NewLazySystemDLL("kernel32.dll")
	var hz int64
	// Neither call can fail since Windows XP.
	dll.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&hz)))
	qpcEntry = dll.NewProc("QueryPerformanceCounter").Addr()
	qpcHz = uint64(hz)
	qpcZero = qpc()
	var now windows.Filetime
	windows.GetSystemTimePreciseAsFileTime(&now) // not time.Now, which a testing/synctest bubble fakes
	wallZero = time.Unix(0, now.Nanoseconds())
}

func qpc() uint64 {
	var n int64
	syscall.SyscallN(qpcEntry, uintptr(unsafe.Pointer(&n)))
	return uint64(n)
}

func reference() int64 { return scale(qpc()-qpcZero, qpcHz) }

func referenceTells() (ok bool, reason string) { return true, "" }

// scale returns n counts of hz per second in ns. The product has 128 bits, so it never overflows: 1e9 counts a second
// would last 292 years.
func scale(n, hz uint64) int64 {
	hi, lo := bits.Mul64(n, 1e9)
	q, _ := bits.Div64(hi%hz, lo, hz)
	return int64(q)
}
