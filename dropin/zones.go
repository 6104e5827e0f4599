// SPDX-License-Identifier: BSD-3-Clause

package dropin

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe"
)

// Zones are zones by name, which are made when they are first used, in bounded number: zones are never freed. Safe for concurrent
// use.
type Zones struct {
	newZone func(name string) *strobe.Zone
	limit   int
	other   string

	mu     sync.Mutex
	byName atomic.Pointer[map[string]*strobe.Zone] // replaced, never changed
	rest   atomic.Pointer[strobe.Zone]             // nil until needed
}

// NewZones returns a set without zones. It makes up to limit zones with newZone, such as strobe.NewRootZone, and one more, with the
// name other, for all further names. A limit below 1 means 200.
func NewZones(newZone func(name string) *strobe.Zone, limit int, other string) *Zones {
	if limit < 1 {
		limit = 200
	}
	z := &Zones{newZone: newZone, limit: limit, other: other}
	z.byName.Store(&map[string]*strobe.Zone{})
	return z
}

// Zone returns the zone with a name, which it makes at the first call. Later calls allocate nothing and take no lock.
func (z *Zones) Zone(name string) *strobe.Zone {
	zones := *z.byName.Load()
	if zone := zones[name]; zone != nil {
		return zone
	}
	if len(zones) >= z.limit {
		if rest := z.rest.Load(); rest != nil {
			return rest
		}
	}
	return z.add(name)
}

// add returns the zone with a name that was new before the lock was taken.
func (z *Zones) add(name string) *strobe.Zone {
	z.mu.Lock()
	defer z.mu.Unlock()
	before := *z.byName.Load()
	if zone := before[name]; zone != nil {
		return zone
	}
	if len(before) >= z.limit {
		if z.rest.Load() == nil {
			z.rest.Store(z.newZone(z.other))
		}
		return z.rest.Load()
	}
	name = strings.Clone(name) // which may be a part of a request
	zone := z.newZone(name)
	after := maps.Clone(before)
	after[name] = zone
	z.byName.Store(&after)
	return zone
}
