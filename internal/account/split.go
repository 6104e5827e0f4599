// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/switches"
)

// A Split divides a time of goroutines by what they did.
type Split struct {
	Running time.Duration // on a processor; if the window is not Exact, also while other programs had it
	Ready   time.Duration // they could have run, but had no processor
	Waiting time.Duration // for something else than a processor
	Unknown time.Duration // no source tells
}

// Split divides the time of a unit. Where the unit waited for a goroutine that worked for it, what that one did counts, as in Of.
func (w *Window) Split(u Unit) (s Split) {
	if w.Trace == nil {
		return Split{Unknown: u.length()}
	}
	k := w.splitter(u.Interval, func(_ int64, i Interval, to state) { s.add(to, i.length()) })
	k.links = u.Links
	k.walk(u.Goroutine, u.Interval)
	return s
}

// SplitZones divides what all goroutines did in i by the innermost zone that was open.
func (w *Window) SplitZones(i Interval) map[int]*Split {
	all := make(map[int]*Split)
	if w.Trace == nil {
		return all
	}
	k := w.splitter(i, func(g int64, i Interval, to state) {
		w.inZones(g, i, func(zone int, part Interval) {
			if zone < 0 {
				return
			}
			if all[zone] == nil {
				all[zone] = new(Split)
			}
			all[zone].add(to, part.length())
		})
	})
	for g := range w.zones {
		k.walk(g, i)
	}
	return all
}

// A state is a field of a Split.
type state int

const (
	unknown state = iota
	running
	ready
	waiting
)

func (s *Split) add(to state, d time.Duration) {
	switch to {
	case running:
		s.Running += d
	case ready:
		s.Ready += d
	case waiting:
		s.Waiting += d
	default:
		s.Unknown += d
	}
}

// A splitter goes through the states of a goroutine, and of those that it follows.
type splitter struct {
	window  *Window
	links   []Link
	stopped []Interval
	exact   bool
	within  int // how many goroutines it follows
	put     func(g int64, i Interval, to state)
}

func (w *Window) splitter(i Interval, put func(g int64, i Interval, to state)) splitter {
	return splitter{window: w, stopped: w.stopped(i), exact: w.Exact(i.From), put: put}
}

func (k *splitter) walk(id int64, i Interval) {
	k.window.steps(id, i, func(part Interval) { k.put(id, part, unknown) }, func(g *gotrace.Goroutine, s int, part Interval) {
		cut(part, k.stopped, itself, func(_ Interval, part Interval) { k.put(id, part, ready) }, func(part Interval) { k.step(g, s, part) })
	})
}

func (k *splitter) step(g *gotrace.Goroutine, s int, i Interval) {
	switch step := &g.Steps[s]; step.State {
	case gotrace.Running:
		k.on(g.ID, step.Thread, i, running)
	case gotrace.Syscall:
		k.on(g.ID, step.Thread, i, unknown)
	case gotrace.Runnable:
		k.put(g.ID, i, ready)
	case gotrace.Waiting:
		if s+1 < len(g.Steps) && k.within < deepest {
			i = k.follow(g, s, i)
		}
		k.put(g.ID, i, waiting)
	default:
		k.put(g.ID, i, unknown)
	}
}

// on adds time of a thread that ran g or was in a system call; what that is if the system does not tell is otherwise.
func (k *splitter) on(g, thread int64, i Interval, otherwise state) {
	if !k.exact {
		k.put(g, i, otherwise)
		return
	}
	cut(i, k.window.offs[thread], offTime, func(o switches.Off, part Interval) {
		if o.Preempted || o.Earlier {
			k.put(g, part, ready)
		} else {
			k.put(g, part, waiting)
		}
	}, func(part Interval) { k.put(g, part, running) })
}

// follow adds what the goroutine that ended a wait of g did meanwhile, if it worked for the unit, and returns the rest of i.
func (k *splitter) follow(g *gotrace.Goroutine, s int, i Interval) (rest Interval) {
	by := g.Steps[s+1].By
	if by == 0 || !k.window.works(k.links, by, i) {
		return i
	}
	switch waitFor(cmp.Or(g.Steps[s].Reason, k.window.place(g.Steps[s].Stack).wait), by) {
	case Lock, Channel, Unclear:
	default:
		return i
	}
	from, known := k.window.joined(k.links, by, i)
	if !known {
		return i
	}
	child := *k
	child.within++
	child.walk(by, Interval{from, i.To})
	return Interval{i.From, from}
}
