// SPDX-License-Identifier: BSD-3-Clause

// Package peers measures strobe beside what others offer for the same task: each table in a file of
// its own, every row of a table in one process, one after the other, many rounds.
//
// tables.txt says what each table shows, its base, and the goals it is held to; package report reads
// both and `./check bench` writes BENCHMARKS.md. The module is nobody's dependency, so that the peers
// are nobody's dependency either.
package peers
