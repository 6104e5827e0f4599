// SPDX-License-Identifier: BSD-3-Clause

// Package programs tries strobe build and strobe run with public programs: they build, behave as without zones, and their zones count
// exactly the calls that the compiler's own counters count. The tests of every day take one of them; with -all, as ./check programs gives
// it, they take all and measure what the zones cost, by how much strobe run says that they slow the program, and how long it takes until
// the program runs; with -record they write what they found to docs/run-programs.md.
package programs
