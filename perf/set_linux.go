// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openThread opens all parts for one thread.
func (o *opener) openThread(parts []part, tid int) (sets []set, err error) {
	for slot, p := range parts {
		more, err := o.openPart(p, uint8(slot), tid)
		if err != nil {
			o.sys.closeSets(sets)
			return nil, err
		}
		sets = append(sets, more...)
	}
	return sets, nil
}

// openPart opens one part for one thread: a set for each type of core.
func (o *opener) openPart(p part, slot uint8, tid int) (sets []set, err error) {
	kinds := p.kinds
	if kinds == nil {
		kinds = []uint64{0}
	}
	for k, kind := range kinds {
		s := set{fd: -1, slot: slot, alternate: k > 0}
		readable := true
		for _, i := range p.rows {
			fd, paged, err := o.openEvent(i, kind, tid, s.fd)
			if err != nil {
				o.sys.closeSets(append(sets, s))
				return nil, err
			}
			if s.fd < 0 {
				s.fd = fd
			}
			s.fds, s.events = append(s.fds, fd), append(s.events, uint8(i))
			readable = readable && paged
		}
		if readable && len(kinds) == 1 {
			o.mapPages(&s)
		}
		if o.scope == Command && !o.trial {
			if err := o.hold(p.rows[0], kind, &s); err != nil {
				o.sys.closeSets(append(sets, s))
				return nil, err
			}
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// hold opens one more event, which children do not inherit. When a thread and its child have identical events, the kernel
// swaps them instead of switching from one to the other, and the child would take ours along when it ends.
func (o *opener) hold(row int, kind uint64, s *set) error {
	o.anchor = true
	defer func() { o.anchor = false }()
	fd, _, err := o.openEvent(row, kind, 0, -1)
	if err == nil {
		s.fds = append(s.fds, fd)
	}
	return err
}

// mapPages maps the pages of all events of a set, or none: a set is read in one way.
func (o *opener) mapPages(s *set) {
	for _, fd := range s.fds {
		p, unmap, err := o.sys.mapped(fd)
		if err != nil {
			for _, unmap := range s.unmap {
				unmap()
			}
			s.pages, s.unmap = nil, nil
			return
		}
		s.pages, s.unmap = append(s.pages, p), append(s.unmap, unmap)
	}
}

func (s *system) closeSets(sets []set) {
	for i := range sets {
		t := &sets[i]
		for _, unmap := range t.unmap {
			unmap()
		}
		// The leader last: without it each of the others would run on by itself and keep its counter.
		for _, fd := range slices.Backward(t.fds) {
			s.close(fd)
		}
		*t = set{}
	}
}

// mapPage maps the page of an event, and returns how to unmap it.
func mapPage(fd int) (*page, func(), error) {
	b, err := unix.Mmap(fd, 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return (*page)(unsafe.Pointer(&b[0])), func() { unix.Munmap(b) }, nil
}
