// SPDX-License-Identifier: BSD-3-Clause

// Package word holds a number that one goroutine writes and any goroutine reads.
//
// Each access is whole: a reader sees a value that was really written. Several words together are not one state; who
// needs that reads twice and compares.
package word
