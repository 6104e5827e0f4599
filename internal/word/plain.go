// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 && !race

package word

import "sync/atomic"

// A Word is a number that its owner writes and anyone reads. On amd64 the owner's plain loads and stores are not torn or
// reordered; an atomic store would cost as much as reading the clock.
type Word struct{ v uint64 }

// Get returns the value. Only the owner may call it.
func (w *Word) Get() uint64 { return w.v }

// Set sets the value. Only the owner may call it.
func (w *Word) Set(x uint64) { w.v = x }

// Read returns the value. Any goroutine may call it.
func (w *Word) Read() uint64 { return atomic.LoadUint64(&w.v) }
