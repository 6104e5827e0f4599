// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (amd64 || arm64) && !purego

package strobe

// framesIn returns how many of the innermost frames of the calling goroutine, out of most, return to code from begin up to end, and where
// the first of them does; 0 if it is none, or not known. Go keeps frame pointers on these processors. Frames outside of the goroutine's
// stack, such as those of C, end the search.
//
//go:noescape
func framesIn(begin, end, most uintptr) (n uint64, first uintptr)
