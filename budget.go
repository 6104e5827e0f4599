// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/budget"
)

// memory counts what the package holds.
var memory budget.Budget

// SetBudget sets how many bytes the package may use; 0 or less means DefaultBudget. New distributions and recordings may use
// three quarters of it. When the whole budget is used up, call trees do not grow and new goroutines share a lane; the calls
// and totals of a zone stay exact, apart from spans that are not ended once on their goroutine, see Span.Exit. A distribution has all calls of its zone. If there was no memory for some of them, it is
// missing from then on, and Snapshot.Notes says so. Memory that is already in use is not freed. Safe for concurrent use.
func SetBudget(bytes int64) { memory.SetLimit(bytes) }

// distributed is what SetDistributions set; 0 means DefaultDistributions.
var distributed atomic.Int64

// crowded is set while more lanes are in use than may keep distributions. All lanes count as in use until a
// snapshot is taken or a Reader reads.
var crowded atomic.Bool

// lanesInUse is the number of lanes on which spans ended between the two latest readings.
var lanesInUse atomic.Int64

// inUse sets crowded by the number of lanes on which spans have ended since the previous call.
func inUse(lanes int) {
	lanesInUse.Store(int64(lanes))
	switch most := distributions(); {
	case lanes > most:
		crowded.Store(true)
	case lanes <= most/2:
		crowded.Store(false)
	}
}

// SetDistributions sets the number of lanes up to which each lane keeps its own distributions. While more lanes are in use
// between two snapshots, all lanes share one distribution per zone, in Snapshot.Pooled. That is cheaper, because thousands of
// distributions do not fit into the processor's caches. Once at most half as many are in use, up to n of the lanes that were
// made meanwhile get their own. 0 means DefaultDistributions; a negative n means that distributions are always shared. Safe for
// concurrent use.
func SetDistributions(n int) {
	lanes.Lock()
	defer lanes.Unlock()
	distributed.Store(int64(n))
	crowded.Store(len(lanes.all) > distributions())
}

func distributions() int {
	if n := distributed.Load(); n != 0 {
		return int(max(n, 0))
	}
	return DefaultDistributions
}

// A holding is memory that readers hold, as counted against the budget. It is bounded by what lanes hold.
type holding struct{ bytes uint64 }

// set notes how much it is now.
func (h *holding) set(bytes uint64) {
	memory.Force(bytes - h.bytes)
	h.bytes = bytes
}
