// SPDX-License-Identifier: BSD-3-Clause

//go:build (!amd64 || race) && !strobe_off

package strobe

import "sync/atomic"

// A word is written by one goroutine and read by any. Where stores may be reordered or torn, and for the race
// detector, each access is atomic; still no read-modify-write, since there is one writer.
type word struct{ v atomic.Uint64 }

func (w *word) get() uint64  { return w.v.Load() } // by the owner
func (w *word) set(x uint64) { w.v.Store(x) }      // by the owner
func (w *word) read() uint64 { return w.v.Load() } // by anyone

// add is for words that many write.
func (w *word) add(x uint64) { w.v.Add(x) }
