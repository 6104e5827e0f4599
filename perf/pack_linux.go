// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// pairs are events whose ratio people want, so they are counted together.
var pairs = [...][2]Event{{Cycles, Instructions}, {Branches, BranchMisses}, {"cache-references", "cache-misses"}}

// pack finds out which events fit together, by trying them on this thread. Events that fit nowhere are refused.
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
			o.refuseExcess(unit)
		case full(err) && len(unit) > 1: // not even the pair fits
			hard = append([][]int{unit[:1], unit[1:]}, hard...)
		default:
			for _, i := range unit {
				o.rows[i].refuse(o.sys.explain(err))
			}
		}
	}
	switch {
	case len(soft) == 0:
	case len(parts) == 0:
		parts = append(parts, part{rows: soft})
	case len(parts[0].kinds) == 0:
		parts[0].rows = append(parts[0].rows, soft...)
	case len(parts) < maxSlots: // in a set for each type of core they would be counted twice
		parts = append(parts, part{rows: soft})
	default:
		o.refuseExcess(soft)
	}
	return parts
}

// units orders rows for packing: the processor's events in the order they were asked for, pairs side by side, and the
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

// partner returns the row that makes a pair with i, or -1.
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

func (o *opener) refuseExcess(rows []int) {
	for _, i := range rows {
		o.rows[i].refuse(refusal{Unsupported, "there are too many events that cannot be counted at once", "open two groups"})
	}
}

// place returns the part that a unit fits into, or len(parts) if it needs another part.
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

// full reports whether err means that an event does not fit into a group, rather than that it cannot be counted.
func full(err error) bool { return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSPC) }

// fits opens a part and checks that it gets its counters: a kernel may accept a group that can never run.
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
			starved = !o.starves(alone[0]) // otherwise the counters are in use elsewhere now, which says nothing about the group
			o.sys.closeSets(alone)
		}
	}
	if starved {
		return unix.ENOSPC
	}
	return nil
}

func (o *opener) starves(s set) bool { return o.sys.enable(s.fd) == nil && o.sys.starve(s.fd) }
