// SPDX-License-Identifier: BSD-3-Clause

// Package programs tries strobe build with public programs: they build, behave as without zones, and their zones count exactly the
// calls that the compiler's own counters count. The tests of every day take one of them; with -all, as ./check programs gives it, they
// take all and measure what the zones cost, and with -record they write what they found to docs/run-programs.md.
package programs
