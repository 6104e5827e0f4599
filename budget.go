// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/budget"
)

// DefaultBudget is how much memory the package may use, in bytes, unless SetBudget says otherwise.
const DefaultBudget = budget.Default

// memory counts what the package holds.
var memory budget.Budget

// SetBudget sets how many bytes the package may use; 0 or less means DefaultBudget. Distributions and recordings may use
// three quarters of it. Beyond that quantiles are missing, and beyond the whole, call trees do not grow and new
// goroutines share a lane; calls and totals of a zone stay exact. Snapshot.Notes says so. What is held already is not
// given back. Safe for concurrent use.
func SetBudget(bytes int64) { memory.SetLimit(bytes) }

// DefaultDistributions is up to how many lanes keep distributions of their own unless SetDistributions says otherwise.
const DefaultDistributions = 64

// distributed is what SetDistributions set; 0 means DefaultDistributions.
var distributed atomic.Int64

// crowded is set while more lanes are in use than may keep distributions of their own. At first that is assumed of all
// lanes; snapshots and Readers find out.
var crowded atomic.Bool

// inUse tells on how many lanes spans have ended since this was last told.
func inUse(lanes int) {
	switch most := distributions(); {
	case lanes > most:
		crowded.Store(true)
	case lanes <= most/2:
		crowded.Store(false)
	}
}

// SetDistributions sets up to how many lanes each keeps distributions of its own. While more lanes are in use, from one
// snapshot to the next, all lanes pool theirs by zone, in Snapshot.Pooled, which is cheaper: thousands of distributions do not fit into the processor's
// caches. 0 means DefaultDistributions; a negative n that lanes always pool. Safe for concurrent use.
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
