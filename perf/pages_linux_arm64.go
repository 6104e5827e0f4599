// SPDX-License-Identifier: BSD-3-Clause

package perf

// readPages is page.read for all pages at once, since calls would make up most of the cost of a measurement. The times are
// those of the first page. It returns false if the caller is not the owner, or if it takes a system call.
//
//go:noescape
func readPages(q *quick, s *sample) bool

// sincePages sets the counts and times of group.out to what was counted since the sample seq, and Elapsed to the time of
// that sample. It returns false if readPages did not fill in the sample, or if it takes a system call. It reads the pages
// from last to first: what Start reads last, Stop reads first, so that the measurement counts as little of itself as
// possible.
//
//go:noescape
func sincePages(group *Group, seq uint64) bool
