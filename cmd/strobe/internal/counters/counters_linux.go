// SPDX-License-Identifier: BSD-3-Clause

package counters

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A kernelEvent is an event as perf_event_open names it.
type kernelEvent struct {
	name   string
	kind   uint32
	config uint64
	kernel bool // most of it happens in the kernel: counted in user mode only it would be a lie
}

func kernelEvents() []kernelEvent {
	const hard, soft = unix.PERF_TYPE_HARDWARE, unix.PERF_TYPE_SOFTWARE
	return []kernelEvent{
		{"cycles", hard, unix.PERF_COUNT_HW_CPU_CYCLES, false},
		{"instructions", hard, unix.PERF_COUNT_HW_INSTRUCTIONS, false},
		{"branches", hard, unix.PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false},
		{"branch-misses", hard, unix.PERF_COUNT_HW_BRANCH_MISSES, false},
		{"cache-misses", hard, unix.PERF_COUNT_HW_CACHE_MISSES, false},
		{"task-clock", soft, unix.PERF_COUNT_SW_TASK_CLOCK, false},
		{"page-faults", soft, unix.PERF_COUNT_SW_PAGE_FAULTS, false},
		{"context-switches", soft, unix.PERF_COUNT_SW_CONTEXT_SWITCHES, true},
	}
}

func probe() []Event {
	runtime.LockOSThread() // the counters belong to the thread that asks
	defer runtime.UnlockOSThread()
	var events []Event
	s := readSystem()
	for _, e := range kernelEvents() {
		events = append(events, e.try(open, s))
	}
	return events
}

// A system is what explains a refusal.
type system struct {
	paranoid   string // /proc/sys/kernel/perf_event_paranoid, empty if unknown
	hypervisor bool   // this is a virtual machine
}

func readSystem() (s system) {
	if b, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid"); err == nil {
		s.paranoid = string(bytes.TrimSpace(b))
	}
	b, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(b)) {
		if flags, ok := strings.CutPrefix(line, "flags"); ok {
			s.hypervisor = strings.Contains(flags, " hypervisor")
			break
		}
	}
	return s
}

// try asks for e, then for its part in user mode if only that may be had.
func (e kernelEvent) try(open func(kernelEvent, bool) error, s system) Event {
	err := open(e, false)
	if err == nil {
		return Event{Name: e.name}
	}
	if errors.Is(err, unix.EACCES) && !e.kernel && open(e, true) == nil {
		return Event{Name: e.name, UserOnly: true}
	}
	return Event{Name: e.name, Err: s.explain(err)}
}

var errIdle = errors.New("opened, but was never given a turn to count")

// open asks for one counter and looks whether it is given a turn.
func open(e kernelEvent, userOnly bool) error {
	attr := unix.PerfEventAttr{Type: e.kind, Config: e.config, Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING}
	attr.Size = uint32(unsafe.Sizeof(attr))
	attr.Bits = unix.PerfBitExcludeHv
	if userOnly {
		attr.Bits |= unix.PerfBitExcludeKernel
	}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for start := time.Now(); time.Since(start) < time.Millisecond/4; {
	}
	var b [24]byte // value, time enabled, time running
	if n, err := unix.Read(fd, b[:]); err != nil {
		return err
	} else if n < len(b) || binary.NativeEndian.Uint64(b[16:]) == 0 {
		return errIdle
	}
	return nil
}

// explain says what a refusal means and what would help.
func (s system) explain(err error) error {
	var cause string
	switch {
	case errors.Is(err, unix.EACCES):
		cause = "not allowed"
		if s.paranoid != "" {
			cause += ": kernel.perf_event_paranoid is " + s.paranoid
		}
		cause += "; set it to 1 or lower (sysctl), or give the program CAP_PERFMON"
	case errors.Is(err, unix.EPERM):
		cause = "forbidden here, as containers do by seccomp; allow perf_event_open or run outside"
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENODEV), errors.Is(err, unix.EOPNOTSUPP):
		cause = "this processor has no such counter"
		if s.hypervisor {
			cause = "this virtual machine shows no such counter; let the host pass its PMU through, or run on the bare machine"
		}
	case errors.Is(err, unix.ENOSYS):
		cause = "this kernel was built without performance events"
	case errors.Is(err, unix.EINVAL):
		cause = "this kernel does not know the event"
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		cause = "too many open files; raise the limit (ulimit -n)"
	case errors.Is(err, unix.EBUSY):
		cause = "the counters are taken by someone else, such as a profiler or the NMI watchdog"
	case errors.Is(err, errIdle):
		return errors.New("opened but never counted: the counters are taken by someone else, such as the NMI watchdog")
	default:
		return fmt.Errorf("refused: %w", err)
	}
	return fmt.Errorf("%s (%s)", cause, unix.ErrnoName(errnoOf(err)))
}

func errnoOf(err error) (e syscall.Errno) {
	errors.As(err, &e)
	return e
}
