// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && !arm64

package perf

import "time"

// readPages fills in the counts of all pages, in their order, and the times of the first. It returns false if the caller is
// not the owner, or if it takes a system call.
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

// sincePages sets the counts and times of g.out to what was counted since the sample seq, and Elapsed to the time of that
// sample. It returns false if readPages did not fill in the sample, or if it takes a system call. It reads the pages from
// last to first: what Start reads last, Stop reads first, so that the measurement counts as little of itself as possible.
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
