// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"unsafe"

	"github.com/ebitengine/purego"
)

// counters on macOS: cycles and instructions that the system keeps for everyone, those of the processor that root may set
// up, and getrusage.
type counters struct {
	self  uintptr // thread_selfcounts, or 0
	pid   uintptr // proc_pid_rusage, or 0
	of    int     // the process
	at    [2]int  // the rows of instructions and cycles, -1 if they are not wanted
	kperf *kperf
	usage usage

	pair [2]uint64 // instructions, cycles
	info rusageInfo
}

// rusageInfo is struct rusage_info_v4 of xnu.
type rusageInfo struct {
	uuid  [16]byte
	words [35]uint64
}

const (
	infoVersion      = 4  // RUSAGE_INFO_V4
	infoInstructions = 29 // ri_instructions
	infoCycles       = 30 // ri_cycles
	countsCPI        = 1  // THSC_CPI: instructions and cycles
)

const libSystem = "/usr/lib/libSystem.B.dylib"

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
		if i < 0 {
			continue
		}
		v := &rows[i].value
		if reason != "" {
			v.State, v.Reason = Unsupported, reason
		} else {
			v.State, v.Source = Exact, "selfcounts"
		}
	}
	c.usage.open(scope, rows)
	c.openPrivileged(scope, rows)
}

// openCounts finds the calls that give cycles and instructions, and says why it cannot.
func (c *counters) openCounts(scope Scope) (reason string) {
	if c.at == [2]int{-1, -1} {
		return ""
	}
	lib, err := purego.Dlopen(libSystem, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return "libSystem cannot be loaded: " + err.Error()
	}
	switch scope {
	case Thread:
		if c.self, err = purego.Dlsym(lib, "thread_selfcounts"); err != nil {
			return "this macOS has no thread_selfcounts, which came with 12.4"
		}
	case Command:
		return "macOS counts cycles and instructions of a thread or a process, not of one that is to come"
	default:
		if c.pid, err = purego.Dlsym(lib, "proc_pid_rusage"); err != nil {
			return "this macOS has no proc_pid_rusage"
		}
		if c.of = int(scope); scope == Process {
			c.of = os.Getpid()
		}
	}
	if !c.readCounts() {
		c.self, c.pid = 0, 0
		return "the system does not tell them of this thread or process, or the processor does not count them"
	}
	return ""
}

// openPrivileged leaves what is left to kperf.
func (c *counters) openPrivileged(scope Scope, rows []row) {
	var left []int
	for i := range rows {
		if rows[i].value.State == "" {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		return
	}
	k, refused := openKperf(scope, rows, left)
	c.kperf = k
	for _, i := range left {
		if v := &rows[i].value; v.State == "" {
			v.State, v.Reason, v.Remedy = refused.state, refused.reason, refused.remedy
		}
	}
}

// readCounts fetches instructions and cycles.
func (c *counters) readCounts() bool {
	if c.self != 0 {
		r, _, _ := purego.SyscallN(c.self, countsCPI, uintptr(unsafe.Pointer(&c.pair)), unsafe.Sizeof(c.pair))
		return int32(r) == 0 && c.pair[0] > 0
	}
	r, _, _ := purego.SyscallN(c.pid, uintptr(c.of), infoVersion, uintptr(unsafe.Pointer(&c.info)))
	c.pair = [2]uint64{c.info.words[infoInstructions], c.info.words[infoCycles]}
	return int32(r) == 0 && c.pair[0] > 0
}

func (c *counters) read(s *sample) {
	s.n, s.torn = [maxEvents]uint64{}, false
	if c.self != 0 || c.pid != 0 {
		s.torn = !c.readCounts()
		for k, i := range c.at {
			if i >= 0 {
				s.n[i] = c.pair[k]
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
