// SPDX-License-Identifier: BSD-3-Clause

package perf

// readPages is page.read for all pages at once: most of what a measurement costs would else be calls. The times are those of
// the first page. The owner must be the caller.
//
//go:noescape
func readPages(q *quick, s *sample) bool

// sincePages sets counts and times of group.out to what has come since the sample of seq, and Elapsed to when that was. It
// returns false if readPages has not filled in the sample, or cannot go on. It reads the pages from the last to the first:
// what was read last at the beginning is read first at the end, so that the fewest instructions of the measurement itself
// are counted.
//
//go:noescape
func sincePages(group *Group, seq uint64) bool

// self tells goroutines apart.
func self() uintptr
