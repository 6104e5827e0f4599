// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// inheritThread is inherit_thread of struct perf_event_attr: new threads inherit the event and child processes do not. It
// is a bit-field, whose place depends on the byte order. Linux 5.13.
const inheritThread = unix.CBitFieldMaskBit35

// kinds returns the PMUs that a generic event is counted on, one for each type of core; nil if all cores are alike.
func (o *opener) kinds(i int) []uint64 {
	if !o.specs[i].generic() {
		return nil
	}
	return coreKinds(o.sys.devices)
}

// openEvent opens one event, disabled if it leads a group, in a form that can be read in user mode if there is one.
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
			for _, access := range [...]uint64{3, 2} { // readable in user mode with 64 bits, with 32
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
			threads := *attr
			threads.Bits |= inheritThread
			if fd, err := o.sys.open(&threads, pid, group); !errors.Is(err, unix.EINVAL) {
				return fd, false, err
			}
		}
	}
	fd, err = o.sys.open(attr, pid, group)
	if errors.Is(err, unix.EINVAL) && s.kind > kindRaw { // a PMU outside the core may refuse to exclude anything
		attr.Bits &^= unix.PerfBitExcludeHv
		fd, err = o.sys.open(attr, pid, group)
	}
	return fd, paged && err == nil, err
}
