// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !linux

package pressure

import (
	"runtime"
	"syscall"
	"time"
)

// Lag is by how much ProcessTime may lack the latest time of another thread that runs.
const Lag = time.Duration(0)

// A system reads what the kernel counts.
type system struct{ usage syscall.Rusage }

func (s *system) open(_ Options, refuse refuse) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &s.usage); err != nil {
		refuse("getrusage: "+err.Error(), "", ProcessTime, MinorFaults, MajorFaults)
	}
	refuse("strobe cannot read it on "+runtime.GOOS, "", ThreadTime, ThreadMinorFaults, ThreadMajorFaults, Waited, Throttled, Throttlings, Stolen, Suspended, Stalled)
}

func (*system) threadTime() (time.Duration, bool) { return 0, false }

func (s *system) read(into *Reading) {
	if syscall.Getrusage(syscall.RUSAGE_SELF, &s.usage) != nil {
		return
	}
	into.set(ProcessTime, s.usage.Utime.Nano()+s.usage.Stime.Nano())
	into.set(MinorFaults, int64(s.usage.Minflt))
	into.set(MajorFaults, int64(s.usage.Majflt))
}

func (*system) quota() (float64, bool) { return 0, false }
func (*system) close()                 {}
