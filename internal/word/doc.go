// SPDX-License-Identifier: BSD-3-Clause

// Package word holds a number that one goroutine writes and any goroutine reads.
//
// Each access is atomic: a reader sees a value that was written. Several words are not consistent with each other; readers
// that need consistency read twice and compare.
package word
