// SPDX-License-Identifier: BSD-3-Clause

//go:build !amd64 || race

package word

import "sync/atomic"

// A Word is a number that its owner writes and anyone reads. Where stores may be torn or reordered, and for the race
// detector, each access is atomic. There is one writer, so no read-modify-write is needed.
type Word struct{ v atomic.Uint64 }

// Get returns the value. Only the owner may call it.
func (w *Word) Get() uint64 { return w.v.Load() }

// Set sets the value. Only the owner may call it.
func (w *Word) Set(x uint64) { w.v.Store(x) }

// Read returns the value. Any goroutine may call it.
func (w *Word) Read() uint64 { return w.v.Load() }
