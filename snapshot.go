// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"strconv"
	"sync"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

// TakeSnapshot returns what has been measured so far. It stops nothing: lanes keep running while they are read, so the
// numbers of a lane may differ by a few spans, and a span that ends during the reading may appear only in the next snapshot.
// Safe for concurrent use.
func TakeSnapshot() Snapshot {
	lanes.Lock()
	all := lanes.all // only ever appended to
	lanes.Unlock()
	s, r := newSnapshot(new(scratch))
	s.Lanes = readLanes(all, r)
	inUse(seen.changed(s.Lanes))
	complete(&s, &r, s.Lanes)
	s.Units = s.UnitTotals()
	return s
}

// seen is the state of each lane in the last snapshot.
var seen laneState

type laneState struct {
	mu    sync.Mutex
	calls []uint64 // by lane
}

// changed returns the number of lanes on which spans have ended since the last snapshot.
func (s *laneState) changed(lanes []profile.LaneStats) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range lanes {
		l := &lanes[i]
		calls := uint64(l.Open)
		for j := range l.Zones {
			calls += l.Zones[j].Calls
		}
		for l.ID >= len(s.calls) {
			s.calls = append(s.calls, 0)
		}
		if s.calls[l.ID] != calls {
			s.calls[l.ID] = calls
			n++
		}
	}
	return n
}

// newSnapshot begins a snapshot: its instant, and everything that does not depend on lanes.
func newSnapshot(work *scratch) (Snapshot, converter) {
	refresh()
	rate := nsPerTick()
	now := clock.TicksOrdered()
	s := Snapshot{
		At: clock.NowOrdered(), NsPerTick: rate, Looks: looks.Read(),
		Memory: memory.Used(), Budget: memory.Limit(), Refused: memory.Refused(),
		EndedTwice: misuse.twice.Load(), EndedElsewhere: misuse.elsewhere.Load(), EndedEarly: misuse.early.Load(),
		Abandoned: misuse.abandoned.Load(),
	}
	lanes.Lock()
	if len(lanes.all) > 0 {
		s.Elapsed = max(0, s.At.Sub(lanes.first)) // the first lane may have been made after At
	}
	lanes.Unlock()
	return s, converter{scratch: work, rate: rate, now: now}
}

// complete adds the data that does not belong to a single lane, after the lanes were read: the zones include all of theirs.
func complete(s *Snapshot, r *converter, lanes []profile.LaneStats) {
	zones.Lock()
	all := zones.all // only ever appended to
	zones.Unlock()
	s.Zones = make([]profile.ZoneInfo, len(all))
	for i, z := range all {
		s.Zones[i] = z.info()
	}
	var shared []profile.ZoneStats
	s.Pooled, shared = r.pools(all)
	for i := range s.Lanes {
		if s.Lanes[i].Shared {
			s.Lanes[i].Zones = shared
		}
	}
	c := calibrate() // when it is known how many lanes are in use
	s.Cost, s.CostCold, s.CostSkipped, s.Floor, s.Uncertainty = c.cost, c.cold, c.skipped, c.floor, c.uncertainty
	missing := leaveOut(s, lanes, all)
	noLoop, noPlot := readLoops(s)
	note(s, noLoop+noPlot, missing)
}

// leaveOut removes the distributions of the zones for which the budget did not allow all cells, because they lack calls. It
// returns the number of these zones.
func leaveOut(s *Snapshot, lanes []profile.LaneStats, zones []*Zone) (n int) {
	missing := make([]bool, len(zones))
	for i, z := range zones {
		if missing[i] = z.undistributed.Load(); missing[i] {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	remove := func(from []profile.ZoneStats) {
		for i := range from {
			if x := &from[i]; x.Zone < len(missing) && missing[x.Zone] {
				x.Min, x.Max, x.Histogram = 0, 0, profile.Histogram{}
			}
		}
	}
	for i := range lanes {
		remove(lanes[i].Zones)
	}
	remove(s.Pooled)
	return n
}

// readLoops adds frames and plots, and returns the numbers of refused names.
func readLoops(s *Snapshot) (noLoop, noPlot int) {
	all, noLoop := loops.list()
	for _, l := range all {
		s.Frames = append(s.Frames, l.thing.stats(l.name, s.At))
	}
	values, noPlot := plots.list()
	for _, p := range values {
		s.Plots = append(s.Plots, p.thing.read(p.name))
	}
	return noLoop, noPlot
}

// numbered is replaced in tests.
var numbered = stamp.Numbered

// hidden is the note about a runtime in which the number of a goroutine is not found.
const hidden = "this version of Go hides the numbers of goroutines: one that begins cannot be distinguished from one that has ended. " +
	"Spans that were left open enclose those of later goroutines, in trees where they do not belong, and Abandoned does not count them; " +
	"end every span, or use NewLane"

func note(s *Snapshot, unnamed, undistributed int) {
	add := func(text string) { s.Notes = append(s.Notes, text) }
	if !stamp.HasGoroutine {
		add("goroutines cannot be distinguished in this build, with the tag purego or for a processor without the code for it: they share a lane, which has no call tree, so that self times are unknown; use NewLane")
	} else if !numbered() {
		add(hidden)
	}
	if stamp.HasGoroutine && lanes.shared.Load() != nil {
		add("the budget of " + strconv.FormatInt(s.Budget>>20, 10) + " MB is exhausted: some goroutines share a lane, which has no call tree, so that self times are unknown; see SetBudget")
	}
	if s.Refused > 0 {
		add(strconv.FormatUint(s.Refused, 10) + " distributions, tree nodes or recordings were refused: the budget of " +
			strconv.FormatInt(s.Budget>>20, 10) + " MB is exhausted; calls and totals are exact nevertheless")
	}
	if undistributed > 0 {
		add("quantiles are missing for " + strconv.Itoa(undistributed) + " zones: the budget did not allow all of their distribution; see SetBudget")
	}
	if n := folds(); n > 0 {
		add(strconv.FormatUint(n, 10) + " spans exceeded the limits of a call tree (depth " + strconv.Itoa(maxDepth) + ", " +
			strconv.Itoa(maxNodes) + " paths per lane, of which " + strconv.Itoa(maxAgain) +
			" recursive): they count on a node of their zone further up, or below the node for all other paths; paths entered earlier keep their own nodes")
	}
	if zonesRefused() {
		add("the budget of " + strconv.FormatInt(s.Budget>>20, 10) + " MB is exhausted: zones made after that are shown together as (other zones)")
	}
	if unnamed > 0 {
		add(strconv.Itoa(unnamed) + " or more frames or plots are missing: at most " + strconv.Itoa(maxNames) + " names are kept, or fewer if the budget is exhausted")
	}
}

// folds returns how many spans were folded.
func folds() (n uint64) {
	lanes.Lock()
	all := lanes.all
	lanes.Unlock()
	for _, l := range all {
		if f := l.folds.Load(); f != nil {
			n += f.count.Read()
		}
	}
	return n
}
