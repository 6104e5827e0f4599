// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

// A Zone is a named region of code. Make it once, with NewZone, in a package variable; its executions are Spans. The zero
// Zone measures nothing. Safe for concurrent use.
type Zone struct {
	id    uint32
	mode  atomic.Uint32
	skips atomic.Pointer[skips]   // nil until sampled
	hint  atomic.Pointer[skipped] // the count of the goroutine that timed the latest call; nil until sampled
	pool  atomic.Pointer[pool]    // nil until needed
	every atomic.Uint32           // if sampled, one in this many calls is timed

	undistributed atomic.Bool // the budget did not allow its distribution

	looked atomic.Uint32 // timed calls of which the stack was looked at, while the zone was sampled
	around atomic.Uint64 // calls of the zone's function around these

	role  role
	off   bool // by SetSampling; the lock of zones guards it
	name  string
	where string
}

// A role is what the calls of a zone are.
type role uint8

const (
	forCode  role = iota
	forWaits      // time spent blocked
	forUnits      // calls of a root zone
	roles         // number of roles
)

// Values of Zone.mode.
const (
	unknown = iota // the zero Zone
	full           // every call is timed
	sampled        // one in every is
	off            // none is
)

var zones struct {
	sync.Mutex
	all  []*Zone      // Zone.id is the index
	rest [roles]*Zone // stand for those for which there was no memory; nil until needed
	off  bool         // by SetEnabled
}

// NewZone returns a new zone. Two zones may have the same name; ZoneInfo.Where, the place of the call, distinguishes them.
// NewZone may be called in the initialiser of a package variable.
//
// Zones are never freed: a program that makes a zone for each user or request pays for all of them in each snapshot. If the
// budget of SetBudget is exhausted, NewZone returns the same zone each time, which is called "(other zones)".
func NewZone(name string) *Zone { return newZone(name, forCode) }

// NewWaitZone returns a new zone for time spent blocked: on a lock, a channel, the network. The self time of the enclosing
// span excludes it.
func NewWaitZone(name string) *Zone { return newZone(name, forWaits) }

// NewRootZone returns a new zone whose calls are units: the requests, jobs or messages that a program serves, as the frames of a
// loop are those of a game:
//
//	var request = strobe.NewRootZone("request")
//
//	func handle(w http.ResponseWriter, r *http.Request) {
//		defer request.Enter().Exit()
//		strobe.Note("route", r.URL.Path)
//		...
//	}
//
// Viewers show the rate and the latencies of units, and the slowest of them with their own call trees. A span of a root zone
// costs what any other span costs: viewers find the units in what is measured and recorded anyway. Units may overlap on several
// goroutines; spans on other goroutines are part of a unit if they are begun with its Task.
//
// A call of a root zone inside a call of another one is a unit of its own, and also part of the outer one. A call inside a call of
// the same zone is no unit. If the zone is sampled, the calls that are not timed count, but there is nothing else to show of
// them, and their notes and tasks are lost.
func NewRootZone(name string) *Zone { return newZone(name, forUnits) }

func newZone(name string, r role) *Zone {
	if r == forUnits {
		looks.Expect()
	}
	z := &Zone{role: r, name: keep(name)}
	z.every.Store(1)
	if _, file, line, ok := runtime.Caller(2); ok {
		z.where = file + ":" + strconv.Itoa(line)
	}
	zones.Lock()
	defer zones.Unlock()
	if !memory.Take(z.bytes(), budget.Essential) {
		rest := &zones.rest[r]
		if *rest != nil {
			return *rest
		}
		*rest = z
		z.name, z.where = "(other zones)", ""
		memory.Force(z.bytes())
	}
	z.id = uint32(len(zones.all))
	zones.all = append(zones.all, z)
	z.set()
	return z
}

// zonesRefused reports whether there was no memory for some zones.
func zonesRefused() bool {
	zones.Lock()
	defer zones.Unlock()
	return zones.rest != [roles]*Zone{}
}

// set derives the mode. The lock of zones is held.
func (z *Zone) set() {
	mode := uint32(full)
	switch {
	case z.off || zones.off:
		mode = off
	case z.every.Load() > 1:
		mode = sampled
	}
	z.mode.Store(mode)
}

// SetEnabled turns all zones, frames and plots off or on again, including zones that are made later. While they are off, a
// span does not read the clock. A span that is open when the setting changes ends normally. Safe for concurrent use.
func SetEnabled(on bool) {
	zones.Lock()
	defer zones.Unlock()
	zones.off = !on
	disabled.Store(!on)
	for _, z := range zones.all {
		z.set()
	}
}

// disabled is a copy of zones.off that can be read without the lock.
var disabled atomic.Bool

// SetSampling times one in n calls, chosen at random, and counts all of them. The durations of the others are estimated
// from those that were timed, and later changes of n do not change the estimate. How many calls of a recursive function are inside
// others is estimated from some of the stacks. Self times, also those of the enclosing spans, are estimated from a part of the timed
// calls, inside which all calls of sampled zones are timed as well. In call trees, spans inside a call that is not timed seem to be
// directly inside the enclosing span. 0 and 1 time every call; a negative n turns the zone
// off; an n above 2^30 counts as 2^30. A span that is open when the setting changes ends normally. SetSampling does nothing on the zero Zone. Safe for
// concurrent use.
func (z *Zone) SetSampling(n int) {
	if n > 1 {
		calibrateOnce() // estimates need the measured duration of an empty span
	}
	zones.Lock()
	defer zones.Unlock()
	if z.mode.Load() == unknown {
		return
	}
	z.off = n < 0
	z.every.Store(uint32(min(max(n, 1), 1<<30)))
	if n > 1 && z.skips.Load() == nil {
		z.skips.Store(newSkips(fewSkips))
		z.hint.Store(new(skipped))
		memory.Force(z.skips.Load().bytes())
	}
	z.set()
}

// Zones returns all zones, in the order of Snapshot.Zones. Safe for concurrent use.
func Zones() []*Zone {
	zones.Lock()
	defer zones.Unlock()
	return slices.Clone(zones.all)
}

// Do calls f inside a span of the zone.
func (z *Zone) Do(f func()) {
	defer z.Enter().Exit()
	f()
}

// Add counts a call of duration d that was measured elsewhere, such as on a graphics card or in another process. The call
// is not part of any open span or of any other zone's time. A negative d counts as 0. Nothing is counted if the zone is
// off; sampling does not apply.
func (z *Zone) Add(d time.Duration) {
	if mode := z.mode.Load(); mode == full || mode == sampled {
		laneOf().add(z, d)
	}
}

// Add counts a call of z of duration d on the lane. See Zone.Add.
func (l *Lane) Add(z *Zone, d time.Duration) {
	if mode := z.mode.Load(); (mode == full || mode == sampled) && l.at.Get() != 0 {
		l.add(z, d)
	}
}

func (z *Zone) info() profile.ZoneInfo {
	info := profile.ZoneInfo{Name: z.name, Where: z.where, Wait: z.role == forWaits, Root: z.role == forUnits, Every: 1}
	switch z.mode.Load() {
	case off:
		info.Every = -1
	case sampled:
		info.Every = int(z.every.Load())
	}
	return info
}
