// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"unsafe"
)

// counters on macOS: cycles and instructions, which the system keeps for everyone, the processor's other counters, which
// root may configure, and getrusage.
type counters struct {
	calls *countCalls // nil if neither is counted
	of    int32       // the process, or 0 for this thread
	at    [2]int      // the rows of instructions and cycles, -1 where not wanted
	kperf *kperf
	usage usage

	own  selfCounts
	info rusageInfo
}

// countCalls are the functions that report cycles and instructions to everyone.
type countCalls struct {
	selfcounts func(kind uint32, to *selfCounts, bytes uintptr) answer
	pidRusage  func(pid, version int32, to *rusageInfo) answer
}

// selfCounts is struct thsc_cpi.
type selfCounts struct{ instructions, cycles uint64 }

// rusageInfo is struct rusage_info_v4.
type rusageInfo struct {
	uuid                 [16]byte
	_                    [29]uint64
	instructions, cycles uint64
	_                    [4]uint64
}

const (
	infoVersion = 4 // RUSAGE_INFO_V4
	countsCPI   = 1 // THSC_CPI: instructions and cycles
)

func (c *counters) open(scope Scope, rows []row) {
	c.at = [2]int{-1, -1}
	for i := range rows {
		switch rows[i].event {
		case Instructions:
			c.at[0] = i
		case Cycles, "cpu-cycles":
			c.at[1] = i
		}
	}
	reason := c.openCounts(scope)
	for _, i := range c.at {
		switch {
		case i < 0:
		case reason != "":
			rows[i].refuse(refusal{Unsupported, reason, ""})
		default:
			rows[i].value.State, rows[i].value.Source = Exact, "selfcounts"
			together(selfSlot, &rows[i])
		}
	}
	c.usage.open(scope, rows)
	c.openPrivileged(scope, rows)
}

// openCounts finds the system call that returns cycles and instructions. The reason is empty if it can be used.
func (c *counters) openCounts(scope Scope) (reason string) {
	switch {
	case c.at == [2]int{-1, -1}:
		return ""
	case scope == Command:
		return "macOS counts cycles and instructions of a thread or a process that exists, not of one yet to be started"
	case scope == Process:
		c.of = int32(os.Getpid())
	case scope != Thread:
		pid, _ := scope.pid()
		c.of = int32(pid)
	}
	calls, err := loadCounts(scope == Thread)
	switch {
	case err != nil && scope == Thread:
		return "this macOS has no thread_selfcounts, which came with 12.4: " + err.Error()
	case err != nil:
		return "this macOS has no proc_pid_rusage: " + err.Error()
	}
	c.calls = calls
	if _, ok := c.readCounts(); !ok {
		c.calls = nil
		return "the system does not report them for this thread or process, or the processor does not count them"
	}
	return ""
}

// openPrivileged gives the rows that are still undecided to kperf.
func (c *counters) openPrivileged(scope Scope, rows []row) {
	var left []int
	for i := range rows {
		if rows[i].value.State == NotCounted {
			left = append(left, i)
		}
	}
	if len(left) > 0 {
		c.kperf = openKperf(loadKperf, thisMac(), scope, rows, left)
	}
}

// readCounts fetches instructions and cycles.
func (c *counters) readCounts() (n [2]uint64, ok bool) {
	if c.of == 0 {
		ok = !c.calls.selfcounts(countsCPI, &c.own, unsafe.Sizeof(c.own)).failed()
		n = [2]uint64{c.own.instructions, c.own.cycles}
	} else {
		ok = !c.calls.pidRusage(c.of, infoVersion, &c.info).failed()
		n = [2]uint64{c.info.instructions, c.info.cycles}
	}
	return n, ok && n[0] > 0
}

func (c *counters) read(s *sample) {
	s.n, s.fault = [maxEvents]uint64{}, 0
	if c.calls != nil {
		n, ok := c.readCounts()
		if !ok {
			s.fault = isTorn
		}
		for k, i := range c.at {
			if i >= 0 {
				s.n[i] = n[k]
			}
		}
	}
	if c.kperf != nil {
		c.kperf.read(s)
	}
	c.usage.read(s)
}

func (c *counters) close() {
	if c.kperf != nil {
		c.kperf.close()
	}
}

func (c *counters) fast(*sample) bool { return false }

func sincePages(*Group, uint64) bool { return false }

func ofSystem() []Event { return nil }
