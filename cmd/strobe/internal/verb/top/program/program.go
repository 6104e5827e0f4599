// SPDX-License-Identifier: BSD-3-Clause

// Package program keeps the recent history of a program, received through a feed, and computes the figures to show.
package program

import (
	"maps"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/profile"
)

// The amount of history that is kept.
const (
	keptFrames  = 8192
	ratedFrames = 1000          // number of frames from which the program computes its own figures
	window      = 2_000_000_000 // ns of program time over which the rates of zones are taken
	runtimeSpan = 10_000_000_000
	unitSpan    = 10_000_000_000
	keptUnits   = 16
	keptSlow    = 1000
	keptStates  = 64
	keptPlots   = 1000
	keptPaths   = 100_000
)

// A Program holds what is known about one run of a program. The zero value is empty. Only Add changes a Program; Clone makes a
// copy that does not change.
type Program struct {
	Hello  feed.Hello
	Frames []feed.Frame // ascending numbers; a gap in them is a gap in time
	Lost   uint64       // spans
	At     int64        // of the latest message, ns of the program's clock

	states  []feed.State
	runtime []sample
	units   []profile.Snapshot
	served  []profile.UnitStats // between the first and the last of units
	looks   *profile.Looks      // in that time, or since package capture was started; nil if it was not
	worst   []feed.Slowest      // one of each root zone, of the latest minute
	unknown error               // why there are no later units
	plots   map[string]float64
	why     causes
	slow    map[int64]feed.Unit // by number
	reports []feed.Report       // of the latest minute, at most keptReports
}

type sample struct {
	at int64
	feed.Runtime
}

// Clone returns a copy that later calls of Add do not change.
func (p *Program) Clone() *Program {
	c := *p
	c.Frames, c.states, c.runtime = slices.Clone(p.Frames), slices.Clone(p.states), slices.Clone(p.runtime)
	c.units = slices.Clone(p.units)
	c.plots = make(map[string]float64, len(p.plots))
	for name, v := range p.plots {
		c.plots[name] = v
	}
	c.why, c.slow = p.why.clone(), maps.Clone(p.slow)
	return &c
}

// Add adds a message. A hello of another run discards everything that was added before; one for another loop discards the frames.
func (p *Program) Add(m feed.Message) {
	switch {
	case m.Hello != nil:
		if m.Hello.Run != p.Hello.Run {
			*p = Program{}
		} else if m.Hello.Loop != p.Hello.Loop || !same(m.Hello.Root, p.Hello.Root) {
			p.Frames, p.slow = nil, nil
			p.why.restart()
		} else if !same(m.Hello.Lane, p.Hello.Lane) {
			p.why.restart() // the time outside any zone was that of another lane
		}
		p.Hello = *m.Hello
	case m.Frames != nil:
		p.addFrames(m.Frames)
	case m.State != nil:
		p.addState(*m.State)
	case m.Figures != nil:
		p.addFigures(m.Figures)
	}
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func (p *Program) addFrames(f *feed.Frames) {
	p.At = max(p.At, f.At)
	p.Lost += f.Lost
	p.why.name(f.Paths)
	for _, frame := range f.Frames {
		parts := frame.Parts
		frame.Parts = nil
		if p.insert(frame) {
			p.why.add(p.Hello, frame, parts)
		}
	}
	p.addUnits(f)
	p.addReports(f.Reports)
	p.Frames = p.Frames[max(0, len(p.Frames)-keptFrames):]
	if len(p.Frames) > 0 {
		p.why.forget(p.Frames[0].Number)
	}
	if cap(p.Frames) > 4*keptFrames {
		p.Frames = slices.Clone(p.Frames)
	}
	if f.Runtime != nil && !f.Backlog {
		p.runtime = append(p.runtime, sample{f.At, *f.Runtime})
		p.runtime = p.runtime[recent(p.runtime, func(s sample) int64 { return s.at }, f.At-runtimeSpan):]
		p.runtime = p.runtime[max(0, len(p.runtime)-keptFrames):]
	}
	for _, v := range f.Plots {
		if _, known := p.plots[v.Name]; known || len(p.plots) < keptPlots {
			if p.plots == nil {
				p.plots = map[string]float64{}
			}
			p.plots[v.Name] = v.Value
		}
	}
}

// addUnits keeps the slow units, and compares them with the mean of the random sample.
func (p *Program) addUnits(f *feed.Frames) {
	if f.Reset {
		p.slow = nil
		p.why.restart()
	}
	for _, number := range f.Gone {
		delete(p.slow, number)
		delete(p.why.frames, number)
	}
	for _, u := range f.Units {
		parts := u.Parts
		u.Parts = nil
		if u.Sampled {
			p.why.count(p.Hello, u.Took, parts)
		}
		if u.Slow && len(p.slow) < keptSlow {
			if p.slow == nil {
				p.slow = map[int64]feed.Unit{}
			}
			p.slow[u.Number] = u
			p.why.keep(p.Hello, u.Number, u.Took, parts)
		}
	}
}

// insert inserts a frame by its number, since the worst frames of the backlog come first. It reports whether the frame is new.
func (p *Program) insert(f feed.Frame) bool {
	n := len(p.Frames)
	if n == 0 || p.Frames[n-1].Number < f.Number {
		p.Frames = append(p.Frames, f)
		return true
	}
	at, known := slices.BinarySearchFunc(p.Frames, f.Number, func(g feed.Frame, number int64) int {
		switch {
		case g.Number < number:
			return -1
		case g.Number > number:
			return 1
		}
		return 0
	})
	if !known {
		p.Frames = slices.Insert(p.Frames, at, f)
	}
	return !known
}

func (p *Program) addState(s feed.State) {
	p.At = max(p.At, s.At)
	if n := len(p.states); n > 0 && (s.At <= p.states[n-1].At || fell(p.states[n-1].Totals, s.Totals)) {
		p.states = nil // it was reset
	}
	p.states = append(p.states, s)
	// Keep the latest state that is at least a window old, and all later ones.
	at := recent(p.states, func(s feed.State) int64 { return s.At }, s.At-window+1)
	p.states = p.states[max(at-1, len(p.states)-keptStates, 0):]
}

func (p *Program) addFigures(u *feed.Figures) {
	if p.unknown = u.Err; u.Err != nil {
		return
	}
	s := u.Snapshot
	if n := len(p.units); n > 0 && (s.At <= p.units[n-1].At || forgot(p.units[n-1], s)) {
		p.units = nil // it was reset
	}
	p.units = append(p.units, s)
	// Keep the latest that is at least a window old, and all later ones.
	at := recent(p.units, func(s profile.Snapshot) int64 { return int64(s.At) }, int64(s.At)-unitSpan+1)
	p.units = p.units[max(at-1, len(p.units)-keptUnits, 0):]
	since := s.Sub(p.units[0])
	p.served, p.looks, p.worst = since.Units, since.Looks, u.Slowest
	if p.looks == nil || p.looks.Covered == 0 {
		p.looks = s.Looks
	}
}

// forgot reports whether the number of calls of a root zone has decreased.
func forgot(before, after profile.Snapshot) bool {
	now := after.Totals()
	for i, z := range before.Totals() {
		if i < len(now) && now[i].Calls < z.Calls {
			return true
		}
	}
	return false
}

// fell reports whether a total has decreased.
func fell(before, after []feed.Total) bool {
	was := byZone(before)
	for _, t := range after {
		if w, ok := was[t.Zone]; ok && t.Calls < w.Calls {
			return true
		}
	}
	return false
}

func byZone(totals []feed.Total) map[int]feed.Total {
	m := make(map[int]feed.Total, len(totals))
	for _, t := range totals {
		m[t.Zone] = t
	}
	return m
}

// recent returns the index of the first element at or after an instant.
func recent[T any](all []T, at func(T) int64, since int64) int {
	for i, x := range all {
		if at(x) >= since {
			return i
		}
	}
	return len(all)
}
