// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"strings"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// A walker goes through the states of a goroutine, and of those that it follows.
type walker struct {
	sums
	links  []Link
	within int // how many goroutines it follows
}

// deepest is how many goroutines that work for each other are followed.
const deepest = 8

// walk adds what goroutine g did in i.
func (k *walker) walk(id int64, i Interval) {
	k.window.steps(id, i, func(part Interval) { k.add(id, part, Unclear, "") }, k.step)
}

// steps calls each for the steps of a goroutine in i, and unknown for the time of which the trace has none.
func (w *Window) steps(id int64, i Interval, unknown func(Interval), each func(g *gotrace.Goroutine, s int, part Interval)) {
	g := w.Trace.Goroutine(id)
	if g == nil {
		unknown(i)
		return
	}
	s := max(0, g.At(i.From))
	if len(g.Steps) == 0 || g.Steps[s].At > i.From {
		end := i.To
		if len(g.Steps) > 0 {
			end = min(end, g.Steps[s].At)
		}
		unknown(Interval{i.From, end})
	}
	for ; s < len(g.Steps) && g.Steps[s].At < i.To; s++ {
		whole := Interval{g.Steps[s].At, w.end(g, s)}
		if s == len(g.Steps)-1 {
			whole.To = max(whole.To, i.To) // the trace was written while this went on
		}
		if part := whole.and(i); part.From < part.To {
			each(g, s, part)
		}
	}
}

// step adds step s of g.
func (k *walker) step(g *gotrace.Goroutine, s int, i Interval) {
	step := &g.Steps[s]
	switch step.State {
	case gotrace.Running:
		if s > 0 && g.Steps[s-1].State == gotrace.Runnable && g.Steps[s-1].Reason == "yield" && k.window.place(g.Steps[s-1].Stack).gc {
			k.add(g.ID, i, GC, k.window.place(g.Steps[s-1].Stack).where) // runtime.GC sweeps and yields in turn
			return
		}
		k.running(g.ID, step.Thread, i)
	case gotrace.Runnable:
		if p := k.window.place(step.Stack); step.Reason == "yield" && p.gc {
			k.add(g.ID, i, GC, p.where)
			return
		}
		k.ready(g.ID, i)
	case gotrace.Waiting:
		end := gotrace.Step{By: nobody} // it goes on
		if s+1 < len(g.Steps) {
			end = g.Steps[s+1]
		}
		k.waiting(g.ID, i, step, &end)
	case gotrace.Syscall:
		k.syscall(g.ID, step, i)
	default:
		k.add(g.ID, i, Unclear, "")
	}
}

// nobody is who ended a wait that goes on; 0 is a timer, or the network.
const nobody = -1

// waiting adds a wait that end ended.
func (k *walker) waiting(g int64, i Interval, step, end *gotrace.Step) {
	at := k.window.place(step.Stack)
	cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) {
		// Of a wait that began before it, the trace has no reason, and a stack only if the wait goes on to the next generation.
		c := waitFor(cmp.Or(step.Reason, at.wait, k.window.place(end.ByStack).wake), end.By)
		if c == GC || at.malloc && !at.gc {
			k.collector(g, i, end.By, at.where)
			return
		}
		if end.By > 0 && (c == Lock || c == Channel || c == Unclear) && k.within < deepest && k.window.works(k.links, end.By, i) {
			i = k.follow(i, end)
		}
		if fired, ok := k.window.timer(end.By); ok && fired > i.From && c == Channel {
			until := min(fired, i.To)
			k.wait(g, Interval{i.From, until}, Sleep, at, 0, "")
			i.From = until
		}
		k.wait(g, i, c, at, max(0, end.By), k.window.place(end.ByStack).where)
		if end.By == 0 && (c == Sleep || c == Network) {
			k.overdue(c, end, i)
		}
	})
}

// collector adds a wait for the collector, which by ended. Other programs may have made it long.
func (k *walker) collector(g int64, i Interval, by int64, where string) {
	if by <= 0 {
		k.help(g, i, where)
		return
	}
	cut(i, k.window.heldBack(by, i), itself, func(_ Interval, part Interval) { k.add(g, part, Preempted, "") }, func(i Interval) { k.help(g, i, where) })
}

// timer returns when a goroutine began, if a timer started it, as time.AfterFunc and the deadline of a context do.
func (w *Window) timer(id int64) (fired Time, ok bool) {
	g := w.Trace.Goroutine(id)
	if g == nil || len(g.Steps) == 0 || g.Steps[0].Reason != "created" || g.Steps[0].By != 0 {
		return 0, false
	}
	return g.Steps[0].At, true
}

// waitFor returns the cause of a wait that the runtime gives a reason for.
func waitFor(reason string, by int64) Cause {
	switch reason {
	case "sync", "sync.(*Cond).Wait":
		return Lock
	case "chan receive", "select":
		if by == 0 { // the channel of a timer ended it
			return Sleep
		}
		return Channel
	case "chan send", "forever", "synctest":
		return Channel
	case "sleep":
		return Sleep
	case "network":
		return Network
	case "preempted": // for the collector, which looks at its stack
		return GC
	}
	if strings.Contains(reason, "GC") {
		return GC
	}
	return Unclear
}

// follow adds what the goroutine that ended a wait did meanwhile, and returns the time before it existed or worked for the unit.
func (k *walker) follow(i Interval, end *gotrace.Step) (before Interval) {
	from, known := k.window.joined(k.links, end.By, i)
	if !known {
		return i
	}
	child := *k
	child.child, child.within = end.By, k.within+1
	child.walk(end.By, Interval{from, i.To})
	k.absent = child.absent
	return Interval{i.From, from}
}
