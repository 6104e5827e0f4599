// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// A Zone is what happened in one zone during the latest seconds, all lanes summed up.
type Zone struct {
	Name     string
	Wait     bool
	Calls    uint64        // since the program started
	PerSec   float64       // calls
	Share    float64       // of the time, inner zones included; more than 1 where lanes work side by side
	Self     *float64      // the same without inner zones; nil if unknown
	Mean     time.Duration // of a call; 0 if none ended, or if the program does not say
	PerFrame time.Duration // time in it; 0 where the rate of frames is not known
}

// Rated returns over how much time the figures of zones are; 0 if nothing is known yet.
func (p *Program) Rated() time.Duration {
	if len(p.states) < 2 {
		return 0
	}
	return time.Duration(p.states[len(p.states)-1].At - p.states[0].At)
}

// Zones returns the zones in the order of their numbers. It is empty until two states have come.
func (p *Program) Zones() []Zone {
	span := p.Rated().Seconds()
	if span <= 0 {
		return nil
	}
	last := p.states[len(p.states)-1]
	before := byZone(p.states[0].Totals)
	all := make([]Zone, 0, len(last.Totals))
	for _, t := range last.Totals {
		if t.Zone < 0 || t.Zone >= len(p.Hello.Zones) {
			continue // the hello that names it is yet to come
		}
		b := before[t.Zone]
		z := Zone{Name: p.Hello.Zones[t.Zone].Name, Wait: p.Hello.Zones[t.Zone].Wait, Calls: t.Calls}
		calls, total := t.Calls-b.Calls, max(0, t.Total-b.Total)
		z.PerSec = float64(calls) / span
		z.Share = float64(total) / 1e9 / span
		if t.Self != nil {
			self := float64(less(*t.Self, b.Self)) / 1e9 / span
			z.Self = &self
		}
		if calls > 0 && t.Sum != nil { // the total of a recursive zone counts each instant once, and its calls do not
			z.Mean = time.Duration(float64(less(*t.Sum, b.Sum)) / float64(calls))
		}
		if last.Rate != nil && *last.Rate > 0 {
			z.PerFrame = time.Duration(z.Share * 1e9 / *last.Rate)
		}
		all = append(all, z)
	}
	return all
}

// less returns now-before, which is not negative. Before is nil if there was nothing.
func less(now int64, before *int64) int64 {
	if before != nil {
		now -= *before
	}
	return max(0, now)
}

// Busy returns the zones that were entered, those with the largest share first.
func (p *Program) Busy() []Zone {
	all := slices.DeleteFunc(p.Zones(), Zone.Idle)
	slices.SortStableFunc(all, func(a, b Zone) int { return cmp.Compare(b.Share, a.Share) })
	return all
}

// Idle reports whether nothing entered the zone.
func (z Zone) Idle() bool { return z.PerSec == 0 && z.Share == 0 }

// State returns what the program said last of its frames; ok is false if it has not yet.
func (p *Program) State() (s feed.State, ok bool) {
	if len(p.states) == 0 {
		return s, false
	}
	return p.states[len(p.states)-1], true
}

// Budget returns how long a frame may take: what the program says, else the median of its frames. It is 0 if there are none.
func (p *Program) Budget() (budget time.Duration, given bool) {
	if b := p.Hello.Budget; b != nil && *b > 0 {
		return time.Duration(*b), true
	}
	last := p.Recent()
	if len(last) == 0 {
		return 0, false
	}
	took := make([]int64, len(last))
	for i, f := range last {
		took[i] = f.Took
	}
	slices.Sort(took)
	return time.Duration(took[len(took)/2]), false
}

// Over returns how many of the last frames took longer than budget, and of how many.
func (p *Program) Over(budget time.Duration) (over, of int) {
	for _, f := range p.Recent() {
		if f.Took > int64(budget) {
			over++
		}
	}
	return over, len(p.Recent())
}

// Slowest returns the slowest of some frames; ok is false if there are none.
func Slowest(frames []feed.Frame) (f feed.Frame, ok bool) {
	for _, g := range frames {
		if g.Took > f.Took || !ok {
			f, ok = g, true
		}
	}
	return f, ok
}

// Recent returns the latest frames, as many as the program's own figures are of. Do not change them.
func (p *Program) Recent() []feed.Frame { return p.Frames[max(0, len(p.Frames)-ratedFrames):] }

// Runtime returns what Go's runtime did in the latest seconds: collections and pauses summed up, the worst latency, the latest heap
// and goroutines. Over is how long that is; ok is false if nothing is known.
func (p *Program) Runtime() (r feed.Runtime, over time.Duration, ok bool) {
	if len(p.runtime) < 2 {
		return r, 0, false
	}
	for _, s := range p.runtime[1:] { // the first is of the time before it
		r.Collections += s.Collections
		r.Pause += s.Pause
		r.Heap, r.Goroutines = s.Heap, s.Goroutines
		if s.Latency != nil && (r.Latency == nil || *s.Latency > *r.Latency) {
			r.Latency = s.Latency
		}
	}
	return r, time.Duration(p.runtime[len(p.runtime)-1].at - p.runtime[0].at), true
}

// Plots returns the latest value of each plot, by name.
func (p *Program) Plots() []feed.Plot {
	all := make([]feed.Plot, 0, len(p.plots))
	for name, v := range p.plots {
		all = append(all, feed.Plot{Name: name, Value: v})
	}
	slices.SortFunc(all, func(a, b feed.Plot) int { return strings.Compare(a.Name, b.Name) })
	return all
}
