// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && !arm64

package perf

// readPages fills in the counts of all pages, in their order, and the times of the last.
func readPages(q *quick, s *sample) bool {
	if self() != q.owner {
		return false
	}
	s.torn, s.paged = false, 1
	for i, p := range q.pages[:q.n] {
		var ok bool
		if s.n[i], s.times[0], ok = p.read(readCounter); !ok {
			return false
		}
	}
	return true
}
