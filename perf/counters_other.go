// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !windows

package perf

import "runtime"

// counters are what getrusage knows of this process.
type counters struct{ usage usage }

func (c *counters) open(scope Scope, rows []row) {
	c.usage.open(scope, rows)
	for i := range rows {
		if v := &rows[i].value; v.State == "" {
			v.State, v.Reason = Unsupported, "strobe knows no way to count it on "+runtime.GOOS
		}
	}
}

func (c *counters) read(s *sample) {
	s.n, s.torn = [maxEvents]uint64{}, false
	c.usage.read(s)
}

func (c *counters) close() {}

func ofSystem() []Event { return nil }

func (c *counters) fast(*sample) bool { return false }

func sincePages(*Group, uint64) bool { return false }
