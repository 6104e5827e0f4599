// SPDX-License-Identifier: BSD-3-Clause

// Package looks holds what package capture saw goroutines of this process do: snapshots and viewers read it, and need not know capture.
// It also holds whether there may be units, of which package strobe tells capture.
// Safe for concurrent use.
package looks

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A Unit is what was seen of a unit from its beginning to its end.
type Unit struct {
	Zone      int    // index of the root zone; -1 for a turn of a loop
	Loop      string // name of the loop, if it is one
	Lane      int    // ID
	Goroutine int64  // 0: not known
	Start     clock.Instant
	Took      time.Duration
	Split     profile.Split
}

// mostUnits is how many units are kept for those who read them: the latest.
const mostUnits = 4096

var all struct {
	mu      sync.Mutex
	looker  bool
	began   bool
	covered time.Duration
	reason  string
	blurred bool
	zones   []profile.Split // by index
	roots   []profile.Split
	units   []Unit
	first   uint64 // number of the first of units
	last    atomic.Uint64
}

var expected atomic.Bool

// Expect says that the program may have units: it has a root zone, or a loop has turned.
func Expect() { expected.Store(true) }

// Expected reports whether the program may have units. As long as it has none, nobody needs to look for them.
func Expected() bool { return expected.Load() }

// Begin reports whether the caller is to look: one does at a time, until it calls End. Otherwise the same time would count twice.
func Begin() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.looker {
		return false
	}
	all.looker, all.began = true, true
	all.reason = "package capture has not looked yet"
	return true
}

// End ends what Begin began.
func End() {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.looker, all.reason = false, "package capture was stopped"
}

// Because says why nothing more is looked at; "" if there is no reason.
func Because(reason string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.reason = reason
}

// Add adds what was seen in a stretch of time, by index of zones and of root zones. blurred is whether it is unknown when threads were
// on a processor.
func Add(covered time.Duration, zones, roots map[int]profile.Split, blurred bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.covered += covered
	all.blurred = all.blurred || blurred
	add(&all.zones, zones)
	add(&all.roots, roots)
}

func add(to *[]profile.Split, from map[int]profile.Split) {
	for zone, s := range from {
		if n := zone + 1 - len(*to); n > 0 {
			*to = append(*to, make([]profile.Split, n)...)
		}
		(*to)[zone] = (*to)[zone].Plus(s)
	}
}

// AddUnits adds units that were seen.
func AddUnits(units []Unit) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.units = append(all.units, units...)
	if n := len(all.units) - mostUnits; n > 0 {
		all.first += uint64(n)
		all.units = slices.Clone(all.units[n:])
	}
	all.last.Store(all.first + uint64(len(all.units)))
}

// Units returns the units that were added after a number of them, and the number to pass next.
func Units(after uint64) (units []Unit, next uint64) {
	if next = all.last.Load(); next == after {
		return nil, next
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	next = all.first + uint64(len(all.units))
	return slices.Clone(all.units[min(max(after, all.first), next)-all.first:]), next
}

// Read returns everything that was seen so far; nil if nobody has begun to look.
func Read() *profile.Looks {
	all.mu.Lock()
	defer all.mu.Unlock()
	if !all.began {
		return nil
	}
	return &profile.Looks{Covered: all.covered, Reason: all.reason, Displaced: all.blurred, Zones: list(all.zones), Units: list(all.roots)}
}

func list(all []profile.Split) (out []profile.ZoneSplit) {
	for zone, s := range all {
		if s.Total() > 0 {
			out = append(out, profile.ZoneSplit{Zone: zone, Split: s})
		}
	}
	return out
}
