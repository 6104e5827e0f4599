// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	goroutines "github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/looks"
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
	turns    map[turnKey]mark // the latest of a loop on a lane
	spans    spans
	pressure *pressure.Reader
	readings []reading
	quickest time.Duration // of the readings
	due      clock.Instant // when the next one is
	budget   *budget
	self     int64 // number of the goroutine
	degrees  []string
	thinned  string // a degree
	began    time.Time
	explains time.Duration // processor time
	reads    time.Duration // processor time
	events   time.Duration // processor time of the program, an estimate; 0: unknown
	voice    voice
	seen     uint64      // units
	slow     []candidate // that wait to be explained, the slowest first
	looking  survey
	taken    *atomic.Pointer[Overhead] // where others read what it has taken
}

type rootKey struct {
	name string
	loop bool
}

type turnKey struct {
	name string
	lane int
}

// A mark is the end of a turn of a loop, and the beginning of the next.
type mark struct {
	at        clock.Instant
	goroutine int64 // 0: unknown
}

// several stands for the goroutine of a turn that began on one and ended on another.
const several = -1

func newWatch(o Options) *watch {
	w := &watch{
		options: o, release: strobe.KeepRecording(o.MemoryBytes / 4), reader: strobe.NewTimelineReader(), units: unit.NewCollector(o.MemoryBytes / 8),
		roots: make(map[rootKey]*root), turns: make(map[turnKey]mark),
		budget: newBudget(o.Cost*(1-surveyShare), time.Now()), voice: voice{log: o.Log}, began: time.Now(), looking: newSurvey(o.Cost, time.Now()),
	}
	return w
}

// run watches until stop is closed.
func (w *watch) run(stop <-chan struct{}) {
	defer w.release()
	w.self = int64(goroutines.Number())
	w.degrees = openSources(w.options.MemoryBytes/2, w.options.MemoryBytes/8/int64(runtime.NumCPU()), w.options.without)
	defer closeSources()
	w.open()
	defer w.pressure.Close()
	w.voice.missing(w.degrees)
	defer func() {
		if w.looking.looks {
			looks.End()
		}
	}()
	timer := time.NewTimer(interval)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			w.look()
			return
		case <-timer.C:
			before, pause := w.seen, idle
			if w.look(); w.seen != before || len(w.slow) > 0 {
				pause = interval
			}
			pause = min(pause, w.looking.left(w.timeline.At))
			w.due = clock.NowOrdered() + clock.Instant(pause)
			timer.Reset(pause)
		}
	}
}

// open opens the counters.
func (w *watch) open() {
	w.pressure = pressure.Open(pressure.Options{})
	for _, m := range w.pressure.Missing() {
		if m.Counter == pressure.ProcessTime || m.Counter == pressure.Throttled || m.Counter == pressure.Continued {
			w.degrees = append(w.degrees, "the counter "+m.Counter.String()+" is missing: "+m.Reason+remedied(m.Remedy))
		}
	}
}

// remedied returns a remedy as the end of a sentence.
func remedied(remedy string) string {
	if remedy == "" {
		return ""
	}
	return "; " + remedy
}

// look reads what is new, and explains the slowest units of it, if there is budget for that.
func (w *watch) look() {
	before := w.explains
	spent := w.processorTime(w.lookNow)
	w.reads += spent - (w.explains - before)
	o := w.overhead(time.Now())
	w.taken.Store(&o)
}

func (w *watch) lookNow() {
	w.read()
	now := time.Now()
	begins := w.looking.begins(now)
	if looks.Expected() {
		w.readUnits(now)
	} else if begins || w.looking.from != 0 {
		w.looking.spend(w.processorTime(func() {
			if begins { // what was recorded until now is not needed
				w.reader = strobe.NewTimelineReader()
			}
			w.readUnits(now)
		}))
	}
	resting := ""
	if w.choose(now) {
		resting = w.thinned
	}
	w.survey(now, resting, begins)
}

// readUnits reads what was recorded since the latest time, and adds the units.
func (w *watch) readUnits(now time.Time) {
	w.reader.ReadInto(&w.timeline)
	t := &w.timeline
	w.spans.read(t, ageKept())
	watched := w.watched()
	is := func(zone int) bool { return zone >= 0 && zone < len(t.Zones) && (watched == nil || watched[zone]) }
	of := func(zone int) *root { return w.root(rootKey{t.Zones[zone].Name, false}, zone) }
	// The outline of other units is enough. Those with tasks, of which surveys need the links, are whole in any case.
	w.units.Whole = func(zone int, took time.Duration) bool {
		if !is(zone) {
			return false
		}
		r := of(zone)
		return r != nil && r.slow(took, &w.options)
	}
	w.units.Read(*t, func(u *profile.Unit) {
		if is(u.Zone) && !u.Open {
			w.looking.unit(u)
			w.add(of(u.Zone), turn{u.Lane, u.Goroutine, u.Start, u.Took}, u)
		}
	})
	if watched == nil {
		w.loops(t)
	}
	w.looking.read(t, now)
}

// patience is how long a slow unit waits for the budget to allow an explanation: as long as the flight recorder has it.
const patience = 800 * time.Millisecond

// choose explains the slowest units, if there is budget for that. While slower ones of the same root had to be left out, others are left
// out too, so that the budget is there for the next slow one. It returns whether the flight recorder rests.
func (w *watch) choose(now time.Time) (rests bool) {
	for _, r := range w.roots {
		r.missed -= r.missed / 256 // half in nine seconds
	}
	for i := len(w.slow) - 1; i >= 0 && w.options.Cost > 0; i-- {
		if c := &w.slow[i]; c.excess() < c.root.missed/4 {
			w.leave(i)
		}
	}
	rests, w.events, w.thinned = thin(now, w.options.Cost)
	if len(w.slow) > 0 && !rests && w.budget.allows(now) {
		spent := w.processorTime(func() { w.explain(w.slow) })
		w.budget.spend(spent)
		w.explains += spent
		clear(w.slow)
		w.slow = w.slow[:0]
	}
	for i := len(w.slow) - 1; i >= 0; i-- {
		if w.timeline.At-w.slow[i].turn.to() > clock.Instant(patience) {
			w.leave(i)
		}
	}
	return rests
}

// leave gives up a slow unit.
func (w *watch) leave(i int) {
	c := &w.slow[i]
	c.root.left++
	c.root.missed = max(c.root.missed, c.excess())
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
		key := turnKey{e.Name, -1}
		if e.Lane >= 0 {
			key.lane = t.Lanes[e.Lane].ID
		}
		before, known := w.turns[key]
		if !known && len(w.turns) >= mostRoots {
			continue
		}
		now := mark{e.Start, e.Goroutine}
		w.turns[key] = now
		if before.goroutine != now.goroutine {
			before.goroutine = several
		}
		if r := w.root(rootKey{e.Name, true}, -1); known && r != nil && now.at > before.at {
			t := turn{key.lane, before.goroutine, before.at, now.at.Sub(before.at)}
			w.looking.turn(key.name, t)
			w.add(r, t, nil)
		}
	}
}

// mostSlow is how many units wait to be explained together: a second one costs much less than the first.
const mostSlow = 8

// add adds a unit to its root, and keeps it if it is one of the slowest.
func (w *watch) add(r *root, t turn, u *profile.Unit) {
	if w.seen++; r == nil {
		return
	}
	if r.slow(t.took, &w.options) {
		r.exceeded++
		w.wait(candidate{root: r, turn: t, usual: r.usually(), most: -1}, u)
	}
	r.add(t)
}

// wait adds a slow unit to those that wait. If there are too many, it leaves out one: the least slow of those beside which a slower one
// took long in the same zone of the same root, or else the least slow of all.
func (w *watch) wait(c candidate, u *profile.Unit) {
	if u != nil {
		c.most = mostly(u.Tree)
	}
	at := 0
	for at < len(w.slow) && w.slow[at].excess() >= c.excess() {
		at++
	}
	w.slow = slices.Insert(w.slow, at, c)
	out := -1
	if len(w.slow) > mostSlow {
		out = mostSlow
		for i := mostSlow; i > 0; i-- {
			if of := &w.slow[i]; slices.ContainsFunc(w.slow[:i], func(c candidate) bool { return c.root == of.root && c.most == of.most }) {
				out = i
				break
			}
		}
		w.leave(out)
	}
	if out == at {
		return
	}
	if out >= 0 && out < at {
		at--
	}
	kept := &w.slow[at]
	from, to := c.turn.from-clock.Instant(before), c.turn.to()
	kept.near, kept.nearLong = c.root.ordinary(from, to, mostUsual), c.root.longer(from, to, mostUsual, &w.options)
	if u != nil {
		kept.unit = unit.Clone(u)
	}
}

// mostly returns the zone with most self time in a call tree; -1 if the tree is empty.
func mostly(tree profile.Tree) (zone int) {
	zone, most := -1, time.Duration(-1)
	for _, z := range zonesOf(tree) {
		if z.self > most {
			zone, most = z.zone, z.self
		}
	}
	return zone
}
