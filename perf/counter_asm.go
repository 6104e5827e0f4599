// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && (amd64 || arm64)

package perf

// readCounter reads a counter of the processor that the calling thread runs on. who tells goroutines apart.
//
//go:noescape
func readCounter(index uint32) (n uint64, who uintptr)
