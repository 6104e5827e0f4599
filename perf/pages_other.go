// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && !arm64

package perf

import "time"

// readPages fills in the counts of all pages, in their order, and the times of the first. The owner must be the caller.
func readPages(q *quick, s *sample) bool {
	if self() != q.owner {
		return false
	}
	for i, p := range q.pages[:q.n] {
		n, t, ok := p.read(readCounter)
		if !ok {
			return false
		}
		if s.n[i] = n; i == 0 {
			s.times[0] = t
		}
	}
	return true
}

// sincePages sets counts and times of g.out to what has come since the sample of seq, and Elapsed to when that was. It
// returns false if readPages has not filled in the sample, or cannot go on. It reads the pages from the last to the first:
// what was read last at the beginning is read first at the end, so that the fewest instructions of the measurement itself
// are counted.
func sincePages(g *Group, seq uint64) bool {
	q, begin := g.counters.quick, &g.ring[seq%ringSize]
	if q == nil || begin.fast != seq || self() != q.owner {
		return false
	}
	g.out.Elapsed, g.out.fault = time.Duration(begin.at), 0
	for i := q.n - 1; i >= 0; i-- {
		n, t, ok := q.pages[i].read(readCounter)
		if !ok {
			return false
		}
		if g.out.n[i], ok = since(begin.n[i], n); !ok {
			return false
		}
		g.out.times[0] = t.since(begin.times[0], true)
	}
	return true
}
