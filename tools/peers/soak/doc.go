// SPDX-License-Identifier: BSD-3-Clause

// Package soak runs a program with everything of strobe on, for long, and checks from outside what it says: zones on thousands of
// goroutines that come and go or wait, the live page with a viewer, scrapes by Prometheus, captures in a folder.
//
// The program is a process of its own, so that its memory is not that of the observer, which reads /proc and the program's pages. A
// second process does the same work without strobe: what it needs is the part of the memory that is not strobe's. Calls are counted
// twice, by strobe and by plain counters of the program; clocks and waits are compared with package time.
package soak
