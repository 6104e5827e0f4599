// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"unsafe"

	"github.com/ebitengine/purego"
)

// counters on macOS: cycles and instructions, which the system keeps for everyone, the processor's other counters, which
// root may configure, and getrusage.
type counters struct {
	self  uintptr // thread_selfcounts, or 0
	pid   uintptr // proc_pid_rusage, or 0
	of    int     // the process
	at    [2]int  // the rows of instructions and cycles, -1 where not wanted
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

// The slots: one system call reads cycles and instructions, another the counters of kperf.
const (
	selfSlot = iota
	kperfSlot
)

// openCounts finds the system call that returns cycles and instructions. The reason is empty if it can be used.
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
		return "macOS counts cycles and instructions of a thread or a process that exists, not of one yet to be started"
	default:
		if c.pid, err = purego.Dlsym(lib, "proc_pid_rusage"); err != nil {
			return "this macOS has no proc_pid_rusage"
		}
		if c.of, _ = scope.pid(); scope == Process {
			c.of = os.Getpid()
		}
	}
	if !c.readCounts() {
		c.self, c.pid = 0, 0
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
	if len(left) == 0 {
		return
	}
	k, refused := openKperf(scope, rows, left)
	c.kperf = k
	for _, i := range left {
		if rows[i].value.State == NotCounted {
			rows[i].refuse(refused)
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
	s.n, s.fault = [maxEvents]uint64{}, 0
	if c.self != 0 || c.pid != 0 {
		if !c.readCounts() {
			s.fault = isTorn
		}
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
