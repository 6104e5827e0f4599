// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A system is what opening needs of Linux; tests have one of their own.
type system struct {
	open   func(attr *unix.PerfEventAttr, pid, group int) (fd int, err error)
	close  func(fd int)
	enable func(fd int) error                  // the whole group
	starve func(fd int) bool                   // whether a group of this thread is given no counters, after a moment
	tids   func(pid int) ([]int, error)        // the threads of a process, 0 for this one
	mapped func(fd int) (*page, func(), error) // the page of an event, and how to give it back

	devices    fs.FS // /sys/bus/event_source/devices
	userAccess bool  // counters may be read without a system call
	arm64      bool
	explainer
}

// A set is a group of the kernel: events that are counted together for one thread.
type set struct {
	fd        int     // of the leader
	fds       []int   // of all
	events    []uint8 // the row of each
	slot      uint8
	alternate bool // the same events of the same thread on another sort of core
	pages     []*page
	unmap     []func()
}

// A part is what one set holds, for any thread.
type part struct {
	rows  []int
	kinds []uint64 // sorts of cores, one set each; nil if there is but one
}

type opener struct {
	sys   *system
	scope Scope
	rows  []row
	specs []spec
	user  []bool // rows to be counted in user mode only
	trial bool   // sets are opened for this thread and closed again

	anchor bool // the next event stays with this thread, and off
}

// open fills in the rows and returns the open sets. Rows that cannot be counted by the kernel's events are refused, or left
// to rusage.
func (s *system) openSets(scope Scope, rows []row) []set {
	o := &opener{sys: s, scope: scope, rows: rows, specs: make([]spec, len(rows)), user: make([]bool, len(rows))}
	var wanted []int
	for i := range rows {
		if o.ladder(i) {
			wanted = append(wanted, i)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	sets, err := o.openAll(wanted)
	if err != nil {
		for _, i := range wanted {
			o.refuse(i, err)
		}
		return nil
	}
	return sets
}

// ladder finds out in which form an event can be had: all of it, its part in user mode, or from rusage.
func (o *opener) ladder(i int) bool {
	r := &o.rows[i]
	spec, err := parse(r.event, o.sys.devices)
	if err != nil {
		r.value.State, r.value.Reason = Unsupported, err.Error()
		return false
	}
	o.specs[i] = spec
	r.value.Unit, r.value.Source = spec.unit, "pmu-syscall"
	if spec.scale != 0 {
		r.value.Scale = spec.scale
	}
	if !spec.hard() {
		r.value.Source = "software"
	}
	o.user[i] = spec.user
	err = o.try(i)
	switch {
	case err == nil:
	case o.rusage(i): // all of it, for another system call
		return false
	case errors.Is(err, unix.EACCES) && !spec.user && !spec.kernel && !spec.inKernel():
		o.user[i] = true
		if o.try(i) != nil {
			o.refuse(i, err)
			return false
		}
		why := o.sys.explain(err)
		r.value.Reason, r.value.Remedy = why.reason, why.remedy
	default:
		o.refuse(i, err)
		return false
	}
	r.value.State, r.value.UserOnly = Exact, o.user[i]
	return true
}

// try opens an event alone and closes it.
func (o *opener) try(i int) error {
	pid := max(int(o.scope), 0)
	fd, _, err := o.openEvent(i, o.kind(i), pid, -1)
	if err == nil {
		o.sys.close(fd)
	}
	return err
}

// kind returns the first sort of core that a generic event is to be counted on.
func (o *opener) kind(i int) uint64 {
	if kinds := o.kinds(i); kinds != nil {
		return kinds[0]
	}
	return 0
}

func (o *opener) kinds(i int) []uint64 {
	if !o.specs[i].generic() {
		return nil
	}
	return coreKinds(o.sys.devices)
}

func (o *opener) refuse(i int, err error) {
	why := o.sys.explain(err)
	v := &o.rows[i].value
	v.State, v.Reason, v.Remedy, v.Source = why.state, why.reason, why.remedy, ""
}

// rusage leaves a row to getrusage or a clock if they know it.
func (o *opener) rusage(i int) bool {
	s := o.specs[i]
	if s.hard() || s.user || s.kernel || o.scope > 0 {
		return false
	}
	source := ""
	switch s.config {
	case softFaults, softMinor, softMajor, softSwitches:
		source = "rusage"
	case softTaskClock:
		source = "clock"
		if o.scope == Command {
			source = "rusage" // in microseconds
		}
	default:
		return false
	}
	v := &o.rows[i].value
	v.State, v.Source = Exact, source
	return true
}

// openAll opens the rows for every thread of the scope.
func (o *opener) openAll(wanted []int) (sets []set, err error) {
	tids, err := o.threads()
	if err != nil {
		return nil, err
	}
	parts := o.pack(wanted)
	sets, err = o.openThread(parts, tids[0])
	if err != nil {
		return nil, err
	}
	// Threads that come while these are opened come from threads that are not counted yet: look again until none is new.
	done := tids[:1]
	for {
		fresh := false
		for _, tid := range tids {
			if slices.Contains(done, tid) {
				continue
			}
			fresh = true
			done = append(done, tid)
			more, err := o.openThread(parts, tid)
			if errors.Is(err, unix.ESRCH) {
				continue // it has ended
			}
			if err != nil {
				o.sys.closeSets(sets)
				return nil, err
			}
			sets = append(sets, more...)
		}
		if !fresh {
			break
		}
		if tids, err = o.threads(); err != nil {
			break
		}
	}
	if o.scope != Command {
		for _, s := range sets {
			if err := o.sys.enable(s.fd); err != nil {
				o.sys.closeSets(sets)
				return nil, err
			}
		}
	}
	o.describe(parts)
	return sets, nil
}

func (o *opener) threads() ([]int, error) {
	switch o.scope {
	case Thread, Command:
		return []int{0}, nil
	case Process:
		return o.sys.tids(0)
	}
	return o.sys.tids(int(o.scope))
}

// describe writes down which part counts each row.
func (o *opener) describe(parts []part) {
	for slot, p := range parts {
		for _, i := range p.rows {
			o.rows[i].slot = uint8(slot)
			if len(parts) > 1 && o.rows[i].value.Reason == "" {
				o.rows[i].value.Reason = "the events do not fit into the processor's counters together: they take turns"
				o.rows[i].value.Remedy = "open fewer of them"
			}
		}
	}
}

// openEvent opens one event disabled if it leads a group, in the form that can be read in user mode if there is one.
func (o *opener) openEvent(i int, kind uint64, pid, group int) (fd int, paged bool, err error) {
	s := o.specs[i]
	attr := &unix.PerfEventAttr{
		Type: s.kind, Config: s.config | kind<<32, Ext1: s.config1, Ext2: s.config2,
		Read_format: unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(*attr))
	if o.user[i] {
		attr.Bits |= unix.PerfBitExcludeKernel
	}
	if s.kernel {
		attr.Bits |= unix.PerfBitExcludeUser
	}
	if group < 0 {
		attr.Bits |= unix.PerfBitDisabled
	}
	switch {
	case o.scope == Thread || o.trial:
		switch {
		case !s.hard() || !o.sys.userAccess:
		case !o.sys.arm64:
			paged = s.kind <= kindRaw
		default:
			for _, access := range [...]uint64{3, 2} { // readable in user mode in 64 bits, in 32
				readable := *attr
				readable.Ext1 |= access
				if fd, err := o.sys.open(&readable, pid, group); err == nil {
					return fd, true, nil
				}
			}
		}
	case o.anchor:
	case o.scope == Command:
		attr.Bits |= unix.PerfBitInherit
		if group < 0 {
			attr.Bits |= unix.PerfBitEnableOnExec
		}
	default:
		attr.Bits |= unix.PerfBitInherit
		if o.scope == Process {
			alone := *attr
			alone.Bits |= inheritThread // threads, not children; Linux 5.13
			if fd, err := o.sys.open(&alone, pid, group); !errors.Is(err, unix.EINVAL) {
				return fd, false, err
			}
		}
	}
	fd, err = o.sys.open(attr, pid, group)
	if errors.Is(err, unix.EINVAL) && s.kind > kindRaw { // a PMU that is not of the core may refuse to leave anything out
		attr.Bits &^= unix.PerfBitExcludeHv
		fd, err = o.sys.open(attr, pid, group)
	}
	return fd, paged && err == nil, err
}

const inheritThread = 1 << 35

func (s *system) closeSets(sets []set) {
	for i := range sets {
		t := &sets[i]
		for _, unmap := range t.unmap {
			unmap()
		}
		// The leader last: without it each of the others would run on, alone, and keep its counter.
		for _, fd := range slices.Backward(t.fds) {
			s.close(fd)
		}
		*t = set{}
	}
}

func errno(err error) (e syscall.Errno) {
	errors.As(err, &e)
	return e
}
