// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !windows

package perf

import "runtime"

// counters are what getrusage knows about this process.
type counters struct{ usage usage }

func (c *counters) open(scope Scope, rows []row) {
	c.usage.open(scope, rows)
	for i := range rows {
		if rows[i].value.State == NotCounted {
			rows[i].refuse(refusal{Unsupported, "strobe cannot count it on " + runtime.GOOS, ""})
		}
	}
}

func (c *counters) read(s *sample) {
	s.n, s.fault = [maxEvents]uint64{}, 0
	c.usage.read(s)
}

func (c *counters) close() {}

func ofSystem() []Event { return nil }

func (c *counters) fast(*sample) bool { return false }

func sincePages(*Group, uint64) bool { return false }
