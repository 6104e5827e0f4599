// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"cmp"
	"maps"
	"slices"
)

// A collector makes Records of the rings' texts.
type collector struct {
	process uint32
	from    int64
	read    int64             // later records are left out, since some rings may not have been read then
	before  map[uint32]record // the latest change of each thread before from
	rings   [][]record        // those of each ring since from, oldest first; their memory is used again
	next    int               // ring
	stacks  [][]uintptr       // of the samples and faults within
	covered int64
}

func (c *collector) begin(process uint32, from, read, opened int64) {
	if c.before == nil {
		c.before = make(map[uint32]record)
	}
	clear(c.before)
	c.process, c.from, c.read, c.covered = process, from, read, opened
	c.next, c.stacks = 0, nil
}

// add adds the records of a ring, newest first. whole is whether the ring still has all records since it was opened.
func (c *collector) add(data []byte, whole bool) {
	if c.next == len(c.rings) {
		c.rings = append(c.rings, nil)
	}
	within := c.rings[c.next][:0]
	var seen [256]uint32 // threads whose latest change before from, in this ring, is known, each in its place
	oldest := decode(data, c.process, func(r record, stack []byte) {
		switch {
		case r.at > c.read:
		case r.at >= c.from:
			if stack != nil {
				r.n = uint64(len(c.stacks))
				c.stacks = append(c.stacks, appendStack(make([]uintptr, 0, len(stack)/8), stack))
			}
			within = append(within, r)
		case r.kind <= fresh && seen[r.thread%256] != r.thread:
			seen[r.thread%256] = r.thread
			if b, ok := c.before[r.thread]; !ok || b.at < r.at {
				c.before[r.thread] = r
			}
		}
	})
	slices.Reverse(within)
	c.rings[c.next] = within
	c.next++
	switch {
	case whole:
	case oldest == 0: // overwritten while it was copied
		c.covered = c.read
	default:
		c.covered = max(c.covered, oldest)
	}
}

// records returns what happened until to.
func (c *collector) records(to int64) *Records {
	before := slices.SortedFunc(maps.Values(c.before), inTime)
	out := &Records{From: c.from, To: to, Covered: c.covered, Read: c.read}
	threads := make(map[uint32]state)
	for _, r := range append(before, merged(c.rings[:c.next])...) {
		if r.at < c.covered { // a record in between may be missing
			continue
		}
		switch r.kind {
		case missed:
			out.Missed = append(out.Missed, r.at)
		case sampled, faulted:
			if r.at > to {
				continue
			}
			if pcs := c.stacks[r.n]; r.kind == sampled {
				out.Samples = append(out.Samples, Sample{int64(r.thread), r.at, pcs})
			} else {
				out.Faults = append(out.Faults, Fault{int64(r.thread), r.at, pcs})
			}
		default:
			s, known := threads[r.thread]
			threads[r.thread] = out.change(s, known, r)
		}
	}
	for thread, s := range threads {
		if s.away {
			out.off(Off{Thread: int64(thread), From: s.since, To: c.read, Preempted: s.preempted, Processor: s.processor, Still: true})
		}
	}
	slices.SortFunc(out.Off, func(a, b Off) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Thread, b.Thread))
	})
	return out
}

// inTime orders records.
func inTime(a, b record) int {
	if n := cmp.Compare(a.at, b.at); n != 0 {
		return n
	}
	return cmp.Compare(b.kind, a.kind) // a thread cannot come back before it left
}

// merged returns the records of all rings in order. It merges two at a time, since there may be many processors.
func merged(rings [][]record) []record {
	switch len(rings) {
	case 0:
		return nil
	case 1:
		return rings[0]
	}
	a, b := merged(rings[:len(rings)/2]), merged(rings[len(rings)/2:])
	both := make([]record, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if inTime(a[0], b[0]) <= 0 {
			both, a = append(both, a[0]), a[1:]
		} else {
			both, b = append(both, b[0]), b[1:]
		}
	}
	return append(append(both, a...), b...)
}

// A state is what a thread does.
type state struct {
	away      bool
	since     int64 // while away
	preempted bool
	processor int
	fresh     bool // it has not run yet, or never will
}

// change adds what a record ends, and returns the thread's new state.
func (out *Records) change(s state, known bool, r record) state {
	switch r.kind {
	case fresh:
		return state{fresh: true}
	case came:
		switch {
		case !known:
			out.off(Off{Thread: int64(r.thread), From: out.Covered, To: r.at, Processor: -1, Earlier: true})
		case s.away:
			out.off(Off{Thread: int64(r.thread), From: s.since, To: r.at, Preempted: s.preempted, Processor: s.processor})
		case !s.fresh:
			out.Lost++
		}
		return state{}
	default:
		if s.away {
			out.Lost++
		}
		return state{away: true, since: r.at, preempted: r.kind == preempted, processor: int(r.processor)}
	}
}

// off adds o if it is of the window.
func (out *Records) off(o Off) {
	if o.From < o.To && o.From < out.To && o.To > out.From {
		out.Off = append(out.Off, o)
	}
}
