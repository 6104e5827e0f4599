// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin || freebsd

package clock

import (
	"fmt"
	"runtime"
)

// systemSources reads the clocks of clock_gettime(2). Through x/sys that is a system call on Linux and FreeBSD, not the vDSO.
func systemSources() []Source {
	var list []Source
	for _, c := range systemClocks {
		s := Source{Name: c.name, Hz: 1e9, Slow: c.slow, Call: runtime.GOOS != "darwin"}
		if _, err := kernelTime(c.id); err != nil {
			s.Err = fmt.Errorf("clock_gettime: %w", err)
		} else {
			s.Read = func() int64 {
				ns, _ := kernelTime(c.id) // it has succeeded before
				return ns
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
