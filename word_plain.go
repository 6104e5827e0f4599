// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 && !race && !strobe_off

package strobe

import "sync/atomic"

// A word is written by one goroutine and read by any. On amd64 the owner's plain loads and stores are whole and in
// order; an atomic store would cost as much as a clock reading.
type word struct{ v uint64 }

func (w *word) get() uint64  { return w.v }                     // by the owner
func (w *word) set(x uint64) { w.v = x }                        // by the owner
func (w *word) read() uint64 { return atomic.LoadUint64(&w.v) } // by anyone

// add is for words that many write.
func (w *word) add(x uint64) { atomic.AddUint64(&w.v, x) }
