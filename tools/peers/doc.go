// SPDX-License-Identifier: BSD-3-Clause

// Package peers compares strobe with other libraries for the same tasks. Each table has a file; all rows of a table run in
// one process, one after another, for many rounds.
//
// tables.txt has each table's columns, base and goals. Package report combines it with the measurements, and `./check bench`
// writes BENCHMARKS.md. No other module depends on this one, so none depends on the peers.
package peers
