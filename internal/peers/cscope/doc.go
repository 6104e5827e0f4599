// SPDX-License-Identifier: BSD-3-Clause

// Package cscope is the profiling of a library's API as C programs do it, rebuilt to be measured beside strobe: a scope object
// in a public function that is not inlined; time inside and calls, for each thread by itself; at every end a look whether
// a second is over, and then a line. The loops are C too, so that the call from Go does not count.
//
// Without cgo it is there and not Available.
package cscope
