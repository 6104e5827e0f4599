// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// systemSources reads the clocks of clock_gettime(2). Through x/sys that is a system call on Linux and FreeBSD, not the vDSO.
func systemSources() []Source {
	var list []Source
	for _, c := range systemClocks {
		var ts unix.Timespec
		s := Source{Name: c.name, Hz: 1e9, Slow: c.slow, Call: runtime.GOOS != "darwin"}
		if err := unix.ClockGettime(c.id, &ts); err != nil {
			s.Err = err
		} else {
			s.Read = func() int64 {
				var ts unix.Timespec
				unix.ClockGettime(c.id, &ts)
				return ts.Nano()
			}
		}
		list = append(list, s)
	}
	return list
}

type systemClock struct {
	name string
	id   int32
	slow bool
}
