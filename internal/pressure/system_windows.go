// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"syscall"
	"time"
)

// A system reads what the kernel counts.
type system struct{ process syscall.Handle }

func (s *system) open(_ Options, refuse refuse) {
	var err error
	if s.process, err = syscall.GetCurrentProcess(); err != nil {
		refuse(err.Error(), "", ProcessTime)
	}
	refuse("Windows does not tell it to an ordinary program, or in steps of a clock tick only", "", ThreadTime, MinorFaults, MajorFaults, ThreadMinorFaults,
		ThreadMajorFaults, Waited, Throttled, Throttlings, Stolen, Suspended, Stalled)
}

func (*system) threadTime() (time.Duration, bool) { return 0, false }

func (s *system) read(into *Reading) {
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(s.process, &created, &exited, &kernel, &user) != nil {
		return
	}
	span := func(t syscall.Filetime) int64 { // Filetime.Nanoseconds would treat it as a date
		return (int64(t.HighDateTime)<<32 | int64(t.LowDateTime)) * 100
	}
	into.set(ProcessTime, span(kernel)+span(user))
}

func (*system) quota() (float64, bool) { return 0, false }
func (*system) close()                 {}
