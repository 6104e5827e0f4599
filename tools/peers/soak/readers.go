// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"slices"
	"sync"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// readers are Readers of the program: what they say is added up, and must be what was counted.
type readers struct {
	all []*reader

	mu     sync.Mutex
	memory int64
	shared bool
	notes  []string
}

// A reader reads once in a number of turns.
type reader struct {
	strobe.Reader
	every  int
	turns  int
	sums   counts
	source source
}

// start makes the Readers. Those that list all lanes would need more memory than all that is measured here.
func (r *readers) start() {
	for _, kind := range []struct{ lanes, every int }{{-1, 1}, {100, 7}, {-1, 60}} {
		one := &reader{every: kind.every, sums: make(counts, zones), source: source{name: "counts/readings"}}
		one.Lanes = kind.lanes
		r.all = append(r.all, one)
	}
}

// read reads those whose turn it is.
func (r *readers) read(c *checks, p *plain) {
	for _, one := range r.all {
		if one.turns++; one.turns%one.every != 0 {
			continue
		}
		ended := read(&p.ended)
		s := one.Read()
		one.add(s)
		one.source.compare(c, slices.Clone(one.sums), ended, read(&p.begun))
		r.mu.Lock()
		r.memory, r.notes = s.Memory, s.Notes
		r.mu.Unlock()
	}
}

// add adds the calls of a reading.
func (r *reader) add(s profile.Snapshot) {
	for z, calls := range calls(s) {
		r.sums[z] += calls
	}
}

// calls returns the calls of the program's zones.
func calls(s profile.Snapshot) counts {
	all := make(counts, zones)
	totals := s.Totals()
	for i := range s.Zones {
		if z := kindOf(s.Zones[i].Name); z >= 0 {
			all[z] += totals[i].Calls
		}
	}
	return all
}

// kindOf returns the zone with a name; -1 if there is none.
func kindOf(name string) int {
	for z := range kinds {
		if prefix+kinds[z].name == name {
			return z
		}
	}
	return -1
}

func (r *readers) said() (memory int64, shared bool, notes []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.memory, r.shared, r.notes
}

// last compares a snapshot and the sums of all Readers with what was counted, after the program has ended: they must be the same, apart
// from misuse where goroutines shared a lane.
func (r *readers) last(c *checks, p *crowd) {
	s := strobe.TakeSnapshot()
	shared := slices.ContainsFunc(s.Lanes, func(l profile.LaneStats) bool { return l.Shared })
	said := calls(s)
	same := func(name, what string, got, want uint64) {
		c.that(got == want, name, "%s at the end: %s: %d, not %d", name, what, got, want)
	}
	for _, one := range r.all {
		one.add(one.Read())
		for z := range one.sums {
			same("counts/readings", kinds[z].name, one.sums[z], said[z])
		}
	}
	const name = "counts/snapshot"
	totals := s.Totals()
	open := 0
	for i := range s.Zones {
		z := kindOf(s.Zones[i].Name)
		if z < 0 {
			continue
		}
		if !shared || !misused[z] {
			same(name, "calls of "+kinds[z].name, totals[i].Calls, p.ended[z].Load())
		}
		if z == leaked {
			open = totals[i].Open
		} else {
			same(name, "open spans of "+kinds[z].name, uint64(totals[i].Open), p.begun[z].Load()-p.ended[z].Load())
		}
		if h := totals[i].Histogram; !h.Empty() {
			same(name, "distribution of "+kinds[z].name, h.N(), totals[i].Timed)
		}
	}
	if !shared {
		same(name, "leaked spans", uint64(open)+s.Abandoned, p.leaks.Load())
		same(name, "spans ended twice", s.EndedTwice, p.twices.Load())
		same(name, "spans ended elsewhere", s.EndedElsewhere, p.elsewheres.Load())
		same(name, "spans ended early", s.EndedEarly, p.forgets.Load())
	}
	for _, f := range s.Frames {
		same(name, "turns", f.Turns, p.turns.Load())
	}
	for _, f := range s.Plots {
		same(name, "values of a plot", f.N, p.plotted.Load())
	}
	for _, u := range s.Units {
		same(name, "units", u.Calls, p.ended[request].Load())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory, r.notes, r.shared = s.Memory, s.Notes, shared
}
