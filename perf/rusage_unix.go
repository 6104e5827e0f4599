// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !linux

package perf

import "golang.org/x/sys/unix"

// A usage counts events with getrusage.
type usage struct {
	rusage [maxEvents]uint8 // the software event of each row that getrusage counts, plus 1
	used   bool             // there are such rows
	who    int
}

// open takes the rows that getrusage can count. It knows processes, not threads.
func (u *usage) open(scope Scope, rows []row) {
	switch scope {
	case Process:
		u.who = unix.RUSAGE_SELF
	case Command:
		u.who = unix.RUSAGE_CHILDREN
	default: // other processes included
		return
	}
	for i := range rows {
		s, err := parsePlain(string(rows[i].event))
		if err != nil || s.hard() || rows[i].counted() {
			continue
		}
		switch s.config {
		case softFaults, softMinor, softMajor, softSwitches, softTaskClock:
			u.rusage[i], u.used = uint8(s.config)+1, true
			v := &rows[i].value
			v.State, v.Source, v.Unit = Exact, "rusage", s.unit
		}
	}
}

func (u *usage) read(s *sample) {
	if !u.used {
		return
	}
	var r unix.Rusage
	if unix.Getrusage(u.who, &r) != nil {
		s.fault = isTorn
	}
	for i, event := range u.rusage {
		if n, ok := counted(int(event)-1, &r); ok {
			s.n[i] = n
		}
	}
}
