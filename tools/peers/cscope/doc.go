// SPDX-License-Identifier: BSD-3-Clause

// Package cscope reproduces how C programs profile a library's API, for comparison with strobe: a scope object in a public
// function that is not inlined, time inside and calls per thread, and a check at every end whether a second has passed, after
// which a line is written. The loops are in C too, so that the call from Go does not count.
//
// Without cgo the package builds, but is not Available.
package cscope
