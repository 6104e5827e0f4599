// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"
	"unsafe"
)

// DefaultBudget is how much memory the package may use, in bytes, unless SetBudget says otherwise.
const DefaultBudget = 64 << 20

// memory is the process's account of what lanes hold. Calls and totals are always granted, what refines them only
// within the budget.
var memory budget

type budget struct {
	used    atomic.Int64
	limit   atomic.Int64 // 0: DefaultBudget
	refused atomic.Uint64
}

type need bool

const (
	needed need = true  // calls and totals
	detail need = false // distributions, timelines
)

const (
	laneBytes    = uint64(unsafe.Sizeof(Lane{}))
	accountBytes = uint64(unsafe.Sizeof(account{}))
	nearBytes    = uint64(unsafe.Sizeof(near{}))
	wordBytes    = uint64(unsafe.Sizeof(word{}))
)

// take reports whether n bytes may be used.
func (b *budget) take(n uint64, why need) bool {
	used := b.used.Add(int64(n))
	if why == detail && used > b.most() {
		b.used.Add(-int64(n))
		b.refused.Add(1)
		return false
	}
	return true
}

func (b *budget) give(n uint64) { b.used.Add(-int64(n)) }

func (b *budget) most() int64 {
	if limit := b.limit.Load(); limit != 0 {
		return limit
	}
	return DefaultBudget
}

// SetBudget sets how many bytes the package may use; 0 means DefaultBudget. Beyond it new accounts get no distribution
// and timelines do not grow, while calls and totals stay exact; Snapshot.Notes then says so. What is held already is not
// given back. Safe for concurrent use.
func SetBudget(bytes int64) { memory.limit.Store(max(bytes, 0)) }
