// SPDX-License-Identifier: BSD-3-Clause

package perf

// readPages is page.read for all pages at once: most of what a measurement costs would else be calls. The times are those of
// the last page.
//
//go:noescape
func readPages(q *quick, s *sample) bool

// self tells goroutines apart.
func self() uintptr
