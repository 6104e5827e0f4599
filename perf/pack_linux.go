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

// pack finds out which events fit together by opening them for one thread, at most limit events of the processor a part.
func (o *opener) pack(wanted []int, limit, tid int) (parts []part, sets []set, err error) {
	hard, soft := o.units(wanted)
	for len(hard) > 0 {
		unit := hard[0]
		hard = hard[1:]
		at, err := o.place(unit, parts, limit, tid)
		switch {
		case err == nil && at < len(parts):
			parts[at].rows = append(parts[at].rows, unit...)
		case err == nil && len(parts) < maxSlots:
			parts = append(parts, part{slices.Clone(unit), o.kinds(unit[0])})
		case full(err) && len(unit) > 1: // not even the pair fits
			hard = append([][]int{unit[:1], unit[1:]}, hard...)
		case err == nil:
			o.refuseMany(unit)
		default:
			for _, i := range unit {
				o.refuse(i, err)
			}
		}
	}
	if len(soft) > 0 {
		if len(parts) == 0 {
			parts = append(parts, part{})
		}
		if len(parts[0].kinds) == 0 {
			parts[0].rows = append(parts[0].rows, soft...)
		} else if len(parts) < maxSlots { // on several sorts of cores they would be counted twice
			parts = append(parts, part{rows: soft})
		} else {
			o.refuseMany(soft)
		}
	}
	sets, err = o.openThread(parts, tid)
	return parts, sets, err
}

func (o *opener) refuseMany(rows []int) {
	for _, i := range rows {
		v := &o.rows[i].value
		v.State, v.Reason, v.Remedy = Unsupported, "too many events that cannot be counted together", "open two groups"
	}
}

// place returns the part that a unit fits into, len(parts) for one of its own.
func (o *opener) place(unit []int, parts []part, limit, tid int) (int, error) {
	for at, p := range parts {
		if len(p.rows)+len(unit) > limit || !slices.Equal(p.kinds, o.kinds(unit[0])) {
			continue
		}
		sets, err := o.openPart(part{append(slices.Clone(p.rows), unit...), p.kinds}, uint8(at), tid)
		o.sys.closeSets(sets)
		if err == nil {
			return at, nil
		}
		if !full(err) {
			return 0, err
		}
	}
	sets, err := o.openPart(part{unit, o.kinds(unit[0])}, 0, tid)
	o.sys.closeSets(sets)
	return len(parts), err
}

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
		sets = append(sets, s)
	}
	return sets, nil
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
