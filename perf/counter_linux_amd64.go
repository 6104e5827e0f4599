// SPDX-License-Identifier: BSD-3-Clause

package perf

// readCounter reads a counter of the processor that the calling thread runs on.
//
//go:noescape
func readCounter(index uint32) uint64
