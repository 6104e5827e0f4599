// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// counters are the cycles of the processor's clock that a thread or a process has run for. Windows gives no others to
// programs without a driver.
type counters struct {
	query  *windows.LazyProc
	handle windows.Handle
	at     int // the row, -1 if none
}

func (c *counters) open(scope Scope, rows []row) {
	c.at = -1
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	switch scope {
	case Thread:
		c.query, c.handle = kernel.NewProc("QueryThreadCycleTime"), windows.CurrentThread()
	case Process:
		c.query, c.handle = kernel.NewProc("QueryProcessCycleTime"), windows.CurrentProcess()
	}
	for i := range rows {
		v := &rows[i].value
		v.State = Unsupported
		switch {
		case rows[i].event != "tsc-cycles":
			v.Reason, v.Remedy = "Windows counts it for drivers alone", "tsc-cycles counts the ticks of the processor's clock that were spent here"
		case c.query == nil:
			v.Reason, v.Remedy = "it is known of threads and of this process alone", "use the scope Thread or Process"
		case c.query.Find() != nil:
			v.Reason = c.query.Find().Error()
		case c.at < 0:
			c.at = i
			v.State, v.Source = Exact, "tsc"
		default:
			v.Reason = "it was named twice"
		}
	}
}

func (c *counters) read(s *sample) {
	s.n, s.torn = [maxEvents]uint64{}, false
	if c.at >= 0 {
		ok, _, _ := c.query.Call(uintptr(c.handle), uintptr(unsafe.Pointer(&s.n[c.at])))
		s.torn = ok == 0
	}
}

func (c *counters) close() {}

func ofSystem() []Event { return []Event{"tsc-cycles"} }

func (c *counters) fast(*sample) bool { return false }

func sincePages(*Group, uint64) bool { return false }
