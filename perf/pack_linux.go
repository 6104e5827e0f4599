// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// Pairs whose ratio people want, so they are counted together.
var pairs = [...][2]Event{{Cycles, Instructions}, {Branches, BranchMisses}, {"cache-references", "cache-misses"}}

// units orders rows for packing: the processor's events with pairs side by side, in the order they were asked for, then
// software events, which need no counter and so go with the first part.
func (o *opener) units(wanted []int) (hard [][]int, soft []int) {
	taken := map[int]bool{}
	for _, i := range wanted {
		switch {
		case taken[i]:
		case !o.specs[i].hard():
			soft = append(soft, i)
		default:
			unit := []int{i}
			if j := o.partner(i, wanted); j >= 0 && !taken[j] {
				unit = append(unit, j)
				taken[j] = true
			}
			hard = append(hard, unit)
		}
		taken[i] = true
	}
	return hard, soft
}

// partner returns the row that makes a pair with i, -1 if there is none.
func (o *opener) partner(i int, wanted []int) int {
	for _, p := range pairs {
		for k := range p {
			if o.rows[i].event != p[k] {
				continue
			}
			for _, j := range wanted {
				if o.rows[j].event == p[1-k] {
					return j
				}
			}
		}
	}
	return -1
}

// full reports whether err means that an event does not fit into a group, not that it cannot be had.
func full(err error) bool { return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSPC) }

// pack finds out which events fit together, by trying them on this thread.
func (o *opener) pack(wanted []int) (parts []part) {
	o.trial = true
	defer func() { o.trial = false }()
	hard, soft := o.units(wanted)
	for len(hard) > 0 {
		unit := hard[0]
		hard = hard[1:]
		at, err := o.place(unit, parts)
		switch {
		case err == nil && at < len(parts):
			parts[at].rows = append(parts[at].rows, unit...)
		case err == nil && len(parts) < maxSlots:
			parts = append(parts, part{slices.Clone(unit), o.kinds(unit[0])})
		case err == nil:
			o.refuseMany(unit)
		case full(err) && len(unit) > 1: // not even the pair fits
			hard = append([][]int{unit[:1], unit[1:]}, hard...)
		default:
			for _, i := range unit {
				o.refuse(i, err)
			}
		}
	}
	switch {
	case len(soft) == 0:
	case len(parts) == 0:
		parts = append(parts, part{rows: soft})
	case len(parts[0].kinds) == 0:
		parts[0].rows = append(parts[0].rows, soft...)
	case len(parts) < maxSlots: // on several sorts of cores they would be counted twice
		parts = append(parts, part{rows: soft})
	default:
		o.refuseMany(soft)
	}
	return parts
}

func (o *opener) refuseMany(rows []int) {
	for _, i := range rows {
		v := &o.rows[i].value
		v.State, v.Reason, v.Remedy = Unsupported, "too many events that cannot be counted together", "open two groups"
	}
}

// place returns the part that a unit fits into, len(parts) for one of its own.
func (o *opener) place(unit []int, parts []part) (int, error) {
	for at, p := range parts {
		if !slices.Equal(p.kinds, o.kinds(unit[0])) {
			continue
		}
		err := o.fits(part{append(slices.Clone(p.rows), unit...), p.kinds})
		if err == nil {
			return at, nil
		}
		if !full(err) {
			return 0, err
		}
	}
	return len(parts), o.fits(part{unit, o.kinds(unit[0])})
}

// fits opens a part, and looks whether it gets its counters: a kernel may take a group that can never run.
func (o *opener) fits(p part) error {
	sets, err := o.openPart(p, 0, 0)
	if err != nil {
		return err
	}
	starved := len(p.rows) > 1 && p.kinds == nil && o.starves(sets[0])
	o.sys.closeSets(sets)
	if starved {
		alone, err := o.openPart(part{p.rows[:1], nil}, 0, 0)
		if err == nil {
			starved = !o.starves(alone[0]) // else the counters are others' for now, which says nothing of the group
			o.sys.closeSets(alone)
		}
	}
	if starved {
		return unix.ENOSPC
	}
	return nil
}

func (o *opener) starves(s set) bool { return o.sys.enable(s.fd) == nil && o.sys.starve(s.fd) }

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

// openPart opens one part for one thread: a set for each sort of core.
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

// hold opens one more event that children do not inherit. When a thread and its child have the same events, the kernel
// swaps them instead of switching from one to the other: then the child would take ours with it when it ends.
func (o *opener) hold(row int, kind uint64, s *set) error {
	o.anchor = true
	defer func() { o.anchor = false }()
	fd, _, err := o.openEvent(row, kind, 0, -1)
	if err == nil {
		s.fds = append(s.fds, fd)
	}
	return err
}

// mapPages maps the pages of all events of a set, or none: it is read in one way.
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
