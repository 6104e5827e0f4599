// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// counters are the ticks of the processor's clock for which a thread or a process has run. Windows gives other counters to
// drivers only.
type counters struct {
	query  *windows.LazyProc
	handle windows.Handle
	row    int // -1 if none
}

func (c *counters) open(scope Scope, rows []row) {
	c.row = -1
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	switch scope {
	case Thread:
		c.query, c.handle = kernel.NewProc("QueryThreadCycleTime"), windows.CurrentThread()
	case Process:
		c.query, c.handle = kernel.NewProc("QueryProcessCycleTime"), windows.CurrentProcess()
	}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.event != "tsc-cycles":
			r.refuse(refusal{Unsupported, "Windows counts it for drivers only", "tsc-cycles counts ticks of the processor's clock, for this thread or process"})
		case c.query == nil:
			r.refuse(refusal{Unsupported, "Windows reports it for threads and for this process only", "use perf.Thread or perf.Process"})
		case c.query.Find() != nil:
			r.refuse(refusal{Unsupported, c.query.Find().Error(), ""})
		case c.row >= 0:
			r.refuse(refusal{Unsupported, "it was named twice", "name it once"})
		default:
			c.row = i
			r.value.State, r.value.Source = Exact, "tsc"
		}
	}
}

func (c *counters) read(s *sample) {
	s.n, s.fault = [maxEvents]uint64{}, 0
	if c.row >= 0 {
		if ok, _, _ := c.query.Call(uintptr(c.handle), uintptr(unsafe.Pointer(&s.n[c.row]))); ok == 0 {
			s.fault = isTorn
		}
	}
}

func (c *counters) close() {}

func (c *counters) fast(*sample) bool { return false }

func sincePages(*Group, uint64) bool { return false }

func ofSystem() []Event { return []Event{"tsc-cycles"} }
