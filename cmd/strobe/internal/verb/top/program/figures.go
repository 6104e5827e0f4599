// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// A Zone describes one zone during the last seconds, summed over lanes.
type Zone struct {
	Name     string
	Wait     bool
	Calls    uint64        // since the program started
	PerSec   float64       // calls
	Share    float64       // share of the time, including inner zones; more than 1 if lanes work in parallel
	Self     *float64      // the same without inner zones; nil if unknown
	Mean     time.Duration // mean duration of a call; 0 if none ended, or if it is unknown
	PerFrame time.Duration // time in it per frame; 0 if the frame rate is unknown
}

// Rated returns the length of time that the figures of zones cover; 0 if nothing is known yet.
func (p *Program) Rated() time.Duration {
	if len(p.states) < 2 {
		return 0
	}
	return time.Duration(p.states[len(p.states)-1].At - p.states[0].At)
}

// Zones returns the zones in the order of their numbers. It is empty until two states have been received.
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
			continue // the hello with its name has not been received yet
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
		if calls > 0 && t.Sum != nil { // the total of a recursive zone counts each instant once, but its calls overlap
			z.Mean = time.Duration(float64(less(*t.Sum, b.Sum)) / float64(calls))
		}
		if last.Rate != nil && *last.Rate > 0 {
			z.PerFrame = time.Duration(z.Share * 1e9 / *last.Rate)
		}
		all = append(all, z)
	}
	return all
}

// less returns now-before, at least 0. A nil before means 0.
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

// State returns the latest state; ok is false if there is none yet.
func (p *Program) State() (s feed.State, ok bool) {
	if len(p.states) == 0 {
		return s, false
	}
	return p.states[len(p.states)-1], true
}

// Budget returns how long a frame may take: the budget that the program gave, or else the median of its frames; 0 if there are
// none.
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

// Over returns how many of the last frames took longer than budget, and the number of these frames.
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

// Recent returns the latest frames, as many as the program's own figures cover. Do not change them.
func (p *Program) Recent() []feed.Frame { return p.Frames[max(0, len(p.Frames)-ratedFrames):] }

// Runtime returns figures of Go's runtime in the last seconds: the sums of collections and pauses, the worst latency, the latest
// heap and number of goroutines. over is the length of that time; ok is false if nothing is known.
func (p *Program) Runtime() (r feed.Runtime, over time.Duration, ok bool) {
	if len(p.runtime) < 2 {
		return r, 0, false
	}
	for _, s := range p.runtime[1:] { // the first one describes earlier time
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
