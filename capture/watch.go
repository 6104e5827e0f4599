// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	goroutines "github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// The recording is read often enough for the flight recorder to still have a unit that was slow; less often after a reading without
// units.
const (
	interval = 50 * time.Millisecond
	idle     = 200 * time.Millisecond
)

// A watch reads the recording, and explains units that were slow. It is for one goroutine.
type watch struct {
	options  Options
	release  func() // the recording
	reader   *strobe.TimelineReader
	timeline profile.Timeline
	units    *unit.Collector
	roots    map[rootKey]*root
	turns    map[turnKey]clock.Instant // when the latest turn of a loop on a lane began
	spans    spans
	pressure *pressure.Reader
	readings []reading
	budget   *budget
	self     int64 // number of the goroutine
	degrees  []string
	thinned  string // a degree
	voice    voice
	seen     uint64        // units
	slow     []candidate   // that wait to be explained, the slowest first
	missed   time.Duration // what the slowest unit took beyond its median that was not explained lately
}

type rootKey struct {
	name string
	loop bool
}

type turnKey struct {
	name string
	lane int
}

// A candidate is a slow unit.
type candidate struct {
	root *root
	turn turn
	unit profile.Unit // of a root zone
}

func newWatch(o Options) *watch {
	w := &watch{
		options: o, release: strobe.KeepRecording(o.MemoryBytes / 4), reader: strobe.NewTimelineReader(), units: unit.NewCollector(o.MemoryBytes / 8),
		roots: make(map[rootKey]*root), turns: make(map[turnKey]clock.Instant),
		budget: newBudget(o.Cost, time.Now()), voice: voice{log: o.Log},
	}
	return w
}

// run watches until stop is closed.
func (w *watch) run(stop <-chan struct{}) {
	defer w.release()
	w.self = int64(goroutines.Number())
	w.degrees = openSources(w.options.MemoryBytes/2, w.options.MemoryBytes/32, w.options.without)
	defer closeSources()
	w.open()
	defer w.pressure.Close()
	w.voice.missing(w.degrees)
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			w.look()
			return
		case <-timer.C:
			before := w.seen
			if w.look(); w.seen != before || len(w.slow) > 0 {
				timer.Reset(interval)
			} else {
				timer.Reset(idle)
			}
		}
	}
}

// open opens the counters.
func (w *watch) open() {
	w.pressure = pressure.Open(pressure.Options{})
	for _, m := range w.pressure.Missing() {
		if m.Counter == pressure.ProcessTime || m.Counter == pressure.Throttled || m.Counter == pressure.Continued {
			w.degrees = append(w.degrees, "the counter "+m.Counter.String()+" is missing: "+m.Reason)
		}
	}
}

// look reads what is new, and explains the slowest units of it, if there is budget for that.
func (w *watch) look() {
	w.read()
	w.reader.ReadInto(&w.timeline)
	t := &w.timeline
	w.spans.read(t)
	watched := w.watched()
	w.units.Read(*t, func(u *profile.Unit) {
		if u.Zone < 0 || u.Zone >= len(t.Zones) || u.Open || watched != nil && !watched[u.Zone] {
			return
		}
		r := w.root(rootKey{t.Zones[u.Zone].Name, false}, u.Zone)
		w.add(r, turn{u.Lane, u.Goroutine, u.Start, u.Took}, u)
	})
	if watched == nil {
		w.loops(t)
	}
	w.choose(time.Now())
}

// patience is how long a slow unit waits for the budget to allow an explanation: as long as the flight recorder has it.
const patience = 800 * time.Millisecond

// choose explains the slowest units, if there is budget for that. While slower ones had to be left out, others are left out too, so that
// the budget is there for the next slow one.
func (w *watch) choose(now time.Time) {
	w.missed -= w.missed / 256 // half in nine seconds
	for i := len(w.slow) - 1; i >= 0 && w.options.Cost > 0; i-- {
		if w.slow[i].excess() < w.missed/4 {
			w.leave(i)
		}
	}
	var rests bool
	rests, w.thinned = thin(now, w.options.Cost)
	if len(w.slow) > 0 && !rests && w.budget.allows(now) {
		w.explain(w.slow)
		w.budget.spend(time.Since(now))
		clear(w.slow)
		w.slow = w.slow[:0]
	}
	for i := len(w.slow) - 1; i >= 0; i-- {
		if w.timeline.At-w.slow[i].turn.to() > clock.Instant(patience) {
			w.leave(i)
		}
	}
}

// leave gives up a slow unit.
func (w *watch) leave(i int) {
	c := &w.slow[i]
	c.root.left++
	w.missed = max(w.missed, c.excess())
	w.slow = slices.Delete(w.slow, i, i+1)
}

// watched returns the zones of Options.Roots, by index; nil if all are watched.
func (w *watch) watched() map[int]bool {
	if len(w.options.Roots) == 0 {
		return nil
	}
	all := make(map[int]bool)
	for i, z := range strobe.Zones() {
		if slices.Contains(w.options.Roots, z) {
			all[i] = true
		}
	}
	return all
}

func (c *candidate) excess() time.Duration { return c.turn.took - c.root.median }

// mostRoots is how many loops and root zones are watched.
const mostRoots = 1000

// root returns the root of that key; nil if there are too many.
func (w *watch) root(key rootKey, zone int) *root {
	r := w.roots[key]
	if r == nil && len(w.roots) < mostRoots {
		r = &root{name: key.name, loop: key.loop, zone: zone}
		w.roots[key] = r
	}
	return r
}

// loops finds the turns of loops in a reading: each lasts from a mark of its lane to the next.
func (w *watch) loops(t *profile.Timeline) {
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != profile.FrameEvent {
			continue
		}
		key, goroutine := turnKey{e.Name, -1}, int64(0)
		if e.Lane >= 0 {
			key.lane, goroutine = t.Lanes[e.Lane].ID, t.Lanes[e.Lane].Goroutine
		}
		began, known := w.turns[key]
		if !known && len(w.turns) >= mostRoots {
			continue
		}
		w.turns[key] = e.Start
		if r := w.root(rootKey{e.Name, true}, -1); known && r != nil && e.Start > began {
			w.add(r, turn{key.lane, goroutine, began, e.Start.Sub(began)}, nil)
		}
	}
}

// mostSlow is how many units of a reading are explained: a second one costs much less than the first.
const mostSlow = 3

// add adds a unit to its root, and keeps it if it is one of the slowest.
func (w *watch) add(r *root, t turn, u *profile.Unit) {
	if w.seen++; r == nil {
		return
	}
	if r.fresh >= window/4 || r.count <= warm {
		r.settle()
	}
	if r.slow(t.took, &w.options) {
		c := candidate{root: r, turn: t}
		at := 0
		for at < len(w.slow) && w.slow[at].excess() >= c.excess() {
			at++
		}
		if at < mostSlow && u != nil {
			c.unit = unit.Clone(u)
		}
		if w.slow = slices.Insert(w.slow, at, c); len(w.slow) > mostSlow {
			w.leave(mostSlow)
		}
	}
	r.add(t)
}
