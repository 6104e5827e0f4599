// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"errors"
	"runtime"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"golang.org/x/sys/windows"
)

// Lag is by how much ProcessTime may lack the latest time of another thread that runs, if Windows adds it at each interrupt of its clock at
// least, which comes every 15.625 ms or more often. That it does is an assumption.
const Lag = 15625 * time.Microsecond

// A system reads what the kernel counts.
type system struct {
	query  *windows.LazyProc
	cycles uint64 // here, so that it is not allocated
	counts bool
}

// open prepares the reading of cycles. GetProcessTimes would count clock ticks, and miss a loop that always ends before the next one.
func (s *system) open(_ Options, refuse refuse) {
	s.query = windows.NewLazySystemDLL("kernel32.dll").NewProc("QueryProcessCycleTime")
	clock.ToDuration(0) // waits until the clock knows its counter
	_, err := s.processTime()
	if s.counts = err == nil; !s.counts {
		refuse(err.Error(), "", ProcessTime)
	}
	refuse("Windows does not tell it to an ordinary program, or in steps of a clock tick only", "", ThreadTime, MinorFaults, MajorFaults, ThreadMinorFaults,
		ThreadMajorFaults, Waited, Throttled, Throttlings, Stolen, Suspended, Stalled)
}

func (*system) threadTime() (time.Duration, bool) { return 0, false }

func (s *system) read(into *Reading) {
	if !s.counts {
		return
	}
	if t, err := s.processTime(); err == nil {
		into.set(ProcessTime, int64(t))
	}
}

// processTime returns the cycles of the process as a time: they are ticks of the counter that the clock reads.
func (s *system) processTime() (time.Duration, error) {
	switch {
	case runtime.GOARCH != "amd64":
		return 0, errors.New("what Windows counts as cycles of a process is unknown on " + runtime.GOARCH)
	case !clock.Counting():
		return 0, errors.New("Windows counts it by the processor's counter, which cannot be trusted here")
	}
	if err := s.query.Find(); err != nil {
		return 0, err
	}
	if ok, _, err := s.query.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&s.cycles))); ok == 0 {
		return 0, errors.New("QueryProcessCycleTime: " + err.Error())
	}
	return clock.ToDuration(s.cycles), nil
}

func (*system) quota() (float64, bool) { return 0, false }
func (*system) close()                 {}
