// SPDX-License-Identifier: BSD-3-Clause

// Package budget limits memory by accounting: callers request bytes before they allocate, with a priority.
package budget

import "sync/atomic"

// Default is the limit, in bytes, of a Budget whose limit was not set.
const Default = 64 << 20

// A Budget counts bytes against a limit. The zero value is empty and has the limit Default. Safe for concurrent use.
type Budget struct {
	used    atomic.Int64
	limit   atomic.Int64 // 0: Default
	refused atomic.Uint64
}

// Need is the priority of a piece of memory. Details are refused first, so that memory is left for essential data.
type Need int

const (
	Essential Need = iota // without it numbers would be wrong or missing: may use the whole limit
	Detail                // refines numbers: may use three quarters of it
)

// Take requests n bytes and reports whether they are granted.
func (b *Budget) Take(n uint64, need Need) bool {
	limit := b.Limit()
	if need == Detail {
		limit -= limit / 4
	}
	if used := b.used.Add(int64(n)); used > limit || used < 0 {
		b.used.Add(-int64(n))
		b.refused.Add(1)
		return false
	}
	return true
}

// Force takes n bytes regardless of the limit, for data that must be kept and is bounded in another way.
func (b *Budget) Force(n uint64) { b.used.Add(int64(n)) }

// Give returns n bytes.
func (b *Budget) Give(n uint64) { b.used.Add(-int64(n)) }

// Room reports whether n essential bytes would be granted now, without counting a refusal.
func (b *Budget) Room(n uint64) bool { return b.used.Load()+int64(n) <= b.Limit() }

// Used returns the number of bytes taken.
func (b *Budget) Used() int64 { return b.used.Load() }

// Refused returns the number of times that Take refused.
func (b *Budget) Refused() uint64 { return b.refused.Load() }

// Limit returns the limit in bytes.
func (b *Budget) Limit() int64 {
	if limit := b.limit.Load(); limit != 0 {
		return limit
	}
	return Default
}

// SetLimit sets the limit in bytes. 0 or less means Default. Bytes that are already taken are not affected.
func (b *Budget) SetLimit(n int64) { b.limit.Store(max(n, 0)) }
