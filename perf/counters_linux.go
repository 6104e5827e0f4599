// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// counters are the open events of a group on Linux.
type counters struct {
	sys   system
	sets  []set
	other usage
	owner uintptr // the goroutine that may read mapped pages
	quick *quick  // the only set, if its rows are in order and can be read in user mode
	words [3 + maxEvents]uint64
}

func (c *counters) open(scope Scope, rows []row) {
	c.sys, c.owner = linux(), self()
	c.sets = c.sys.openSets(scope, rows)
	c.other.open(scope, rows)
	for i := range c.sets {
		s := &c.sets[i]
		var trial sample
		if s.pages == nil || !c.readPages(s, &trial) {
			continue
		}
		inOrder := len(s.events) == len(rows)
		for k, row := range s.events {
			rows[row].value.Source = "pmu-user"
			inOrder = inOrder && int(row) == k
		}
		if inOrder && len(c.sets) == 1 {
			c.quick = &quick{n: len(s.pages), owner: c.owner}
			copy(c.quick.pages[:], s.pages)
		}
	}
}

// fast fills in a sample without a system call if that can be done in one go.
func (c *counters) fast(s *sample) bool {
	return c.quick != nil && readPages(c.quick, s)
}

func (c *counters) close() {
	c.sys.closeSets(c.sets)
	c.sets, c.quick = nil, nil
}

// read fills in a sample. It does not allocate, and makes one system call for each set that cannot be read in user mode.
func (c *counters) read(s *sample) {
	s.n, s.times, s.fault, s.paged = [maxEvents]uint64{}, [maxSlots]span{}, 0, 0
	for i := range c.sets {
		set := &c.sets[i]
		if set.pages != nil && c.readPages(set, s) {
			continue
		}
		size := (3 + len(set.events)) * 8
		n, _, e := syscall.RawSyscall(unix.SYS_READ, uintptr(set.fd), uintptr(unsafe.Pointer(&c.words)), uintptr(size))
		if e != 0 || !decode(c.words[:n/8], set.events, set.slot, set.alternate, s) {
			s.fault = isTorn
		}
	}
	if c.other.used {
		c.other.read(s)
	}
}

// readPages reads a set without a system call, on the goroutine that opened it. Once the counters have been taken away the
// set is read by system calls for good, so that both ends of a measurement know for what share of the time it ran.
func (c *counters) readPages(set *set, s *sample) bool {
	q := quick{n: len(set.pages), owner: c.owner}
	copy(q.pages[:], set.pages)
	var all sample
	if !readPages(&q, &all) {
		if self() == c.owner { // the counters are gone; it is not that another goroutine asks
			set.pages, c.quick = nil, nil
		}
		return false
	}
	for i, event := range set.events {
		s.n[event] = all.n[i]
	}
	s.times[set.slot] = all.times[0]
	s.paged |= 1 << set.slot
	return true
}

const devicesDir = "/sys/bus/event_source/devices"

// linux returns this machine.
func linux() system {
	s := system{
		open: func(attr *unix.PerfEventAttr, pid, group int) (int, error) {
			return unix.PerfEventOpen(attr, pid, -1, group, unix.PERF_FLAG_FD_CLOEXEC)
		},
		close:  func(fd int) { unix.Close(fd) },
		enable: func(fd int) error { return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, unix.PERF_IOC_FLAG_GROUP) },
		starve: starves,
		tids:   tids,
		mapped: mapPage,

		devices:   os.DirFS(devicesDir),
		arm64:     runtime.GOARCH == "arm64",
		explainer: explainer{paranoid: text("/proc/sys/kernel/perf_event_paranoid")},
	}
	switch runtime.GOARCH {
	case "arm64":
		s.userAccess = text("/proc/sys/kernel/perf_user_access") == "1"
	case "amd64":
		s.userAccess = true // the page says whether it is allowed
	}
	s.noPMU = runtime.GOARCH == "amd64" && !hasCore(s.devices)
	for line := range strings.Lines(text("/proc/cpuinfo")) {
		if flags, ok := strings.CutPrefix(line, "flags"); ok {
			s.hypervisor = strings.Contains(flags, " hypervisor")
			break
		}
	}
	return s
}

func text(file string) string {
	b, _ := os.ReadFile(file) // a missing file means unknown
	return string(bytes.TrimSpace(b))
}

// starves reports whether a group of this thread gets no counters within a millisecond.
func starves(fd int) bool {
	var words [3 + maxEvents]uint64
	buf := unsafe.Slice((*byte)(unsafe.Pointer(&words)), unsafe.Sizeof(words))
	for began := time.Now(); time.Since(began) < time.Millisecond; {
		if n, err := unix.Read(fd, buf); err != nil || n < 24 || words[2] > 0 {
			return false // an error comes again where it is explained
		}
	}
	return words[1] > 0
}

// tids returns the threads of a process.
func tids(pid int) ([]int, error) {
	dir := "/proc/self/task"
	if pid != 0 {
		dir = "/proc/" + strconv.Itoa(pid) + "/task"
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return nil, unix.ESRCH
	}
	ids := make([]int, 0, len(entries))
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// ofSystem returns the events that the drivers list.
func ofSystem() []Event { return listed(os.DirFS(devicesDir)) }
