// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// A system is what opening events needs from Linux; tests supply their own.
type system struct {
	open   func(attr *unix.PerfEventAttr, pid, group int) (fd int, err error)
	close  func(fd int)
	enable func(fd int) error                  // the whole group
	starve func(fd int) bool                   // whether a group of this thread still has no counters after a moment
	tids   func(pid int) ([]int, error)        // the threads of a process, 0 for this one
	mapped func(fd int) (*page, func(), error) // the page of an event, and how to unmap it

	devices    fs.FS // /sys/bus/event_source/devices
	userAccess bool  // counters may be readable without a system call
	arm64      bool
	noPMU      bool // the processor is known to have no counters
	explainer
}

// A set is a group in the kernel's sense: events that are counted together for one thread.
type set struct {
	fd        int     // of the leader
	fds       []int   // of all
	events    []uint8 // the row of each
	slot      uint8
	alternate bool // the same events of the same thread on another type of core
	pages     []*page
	unmap     []func()
}

// A part is what one set holds, for any thread.
type part struct {
	rows  []int
	kinds []uint64 // PMUs of the types of cores, one set each; nil if all cores are alike
}

// An opener opens the events of one group.
type opener struct {
	sys   *system
	scope Scope
	rows  []row
	specs []spec
	user  []bool // rows to be counted in user mode only
	trial bool   // sets are opened for this thread and closed again

	anchor bool // the next event is for this thread alone, and stays disabled
}
