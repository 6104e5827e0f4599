// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/profile"
)

// A scene is what the sources had at one time, to explain slow units.
type scene struct {
	*watch
	got     records
	degrees []string
	now     clock.Instant
	at      time.Time // that is now
	shift   int64     // the time of the runtime's trace less that of instants
	window  *account.Window

	compared map[*root]bool // whose ordinary units have been accounted for
}

// before is how much of the time before a unit is read, for ordinary units, unless fewer milliseconds have enough of them. At least nearest
// is read: what happened just before may have caused the delay. Of the time after a unit that ended long ago, behind is read.
const (
	before  = 500 * time.Millisecond
	nearest = 25 * time.Millisecond
	behind  = 100 * time.Millisecond
)

// A reach is the time of which the sources are needed.
type reach[T clock.Instant | account.Time] struct {
	from  T // if that is not too much
	least T // from, at the latest
	to    T
	much  int // bytes of the trace, of which the rest is read only if it is needed
}

// include makes a reach include another one.
func (r *reach[T]) include(o reach[T]) {
	r.from, r.least, r.to, r.much = min(r.from, o.from), min(r.least, o.least), max(r.to, o.to), max(r.much, o.much)
}

// reachOf returns the time of which the sources are needed for a slow unit, at a time now.
func (w *watch) reachOf(c *candidate, now clock.Instant) reach[clock.Instant] {
	end := c.turn.to()
	r := reach[clock.Instant]{from: c.turn.from - clock.Instant(before), least: c.turn.from - clock.Instant(nearest), to: now, much: muchTrace}
	for i := len(w.readings) - 1; i >= 0 && w.readings[i].at >= end; i-- { // the counters are compared with the trace between two readings
		r.to = max(w.readings[i].at, min(now, end+clock.Instant(behind)))
	}
	usual := c.ordinary(r.from, r.to)
	if more := c.ordinary(r.from, now); len(more) > len(usual) {
		usual, r.to = more, now
	}
	if len(usual) < mostUsual {
		return r
	}
	needed := min(r.least, usual[mostUsual-1].from)
	for i := len(w.readings) - 1; i >= 0; i-- {
		if at := w.readings[i].at; at <= needed {
			r.from = max(at, r.from)
			break
		}
	}
	return r
}

// scene copies what the sources have about some units. It is valid until release.
func (w *watch) scene(slow []candidate) (s *scene, release func()) {
	now := clock.NowOrdered()
	r := w.reachOf(&slow[0], now)
	for i := range slow[1:] {
		r.include(w.reachOf(&slow[1+i], now))
	}
	return w.sceneOf(r, slices.Concat(w.spans.ended, w.spans.open))
}

// sceneOf copies what the sources have of a time.
func (w *watch) sceneOf(r reach[clock.Instant], spans []span) (s *scene, release func()) {
	now, unknown := readMoment()
	s = &scene{watch: w, now: now.at, at: time.Now(), shift: int64(now.trace) - int64(now.at), compared: make(map[*root]bool)}
	s.got, release = snapshot(now, reach[account.Time]{s.time(r.from), s.time(r.least), s.time(r.to), r.much})
	w.read()
	s.degrees = slices.Concat(w.degrees, s.got.degrees)
	if w.thinned != "" {
		s.degrees = append(s.degrees, w.thinned)
	}
	if unknown != nil && s.got.trace != nil { // it was known when the recorder was started
		s.got.trace = nil
		s.degrees = append(s.degrees, "the runtime's trace cannot be read, so that waits are not explained: "+unknown.Error())
	}
	s.window = account.NewWindow(s.sources(spans))
	return s, release
}

func (s *scene) time(at clock.Instant) account.Time { return account.Time(int64(at) + s.shift) }

func (s *scene) interval(from clock.Instant, took time.Duration) account.Interval {
	return account.Interval{From: s.time(from), To: s.time(from) + account.Time(took)}
}

// sources returns what is known about the window.
func (s *scene) sources(spans []span) account.Sources {
	got := &s.got
	out := account.Sources{Trace: got.trace, Switches: got.switches, Faults: got.options.Faults, Fault: faultTime(), Frames: frames, Self: s.self, Lag: pressure.Lag, Processors: runtime.NumCPU()}
	if got.options.Samples > 0 {
		out.Period = time.Second / time.Duration(got.options.Samples)
	}
	for _, o := range spans {
		out.Spans = append(out.Spans, account.Span{Goroutine: o.goroutine, Interval: s.interval(o.from, o.took), Depth: o.depth, Zone: o.zone})
	}
	for i := range s.readings {
		r := &s.readings[i]
		one := account.Reading{At: s.time(r.at), Took: r.took, Counters: &r.Reading}
		if r.due > 0 && r.due < r.at {
			one.Overdue = account.Interval{From: s.time(r.due), To: s.time(r.at)}
		}
		out.Readings = append(out.Readings, one)
	}
	return out
}

// unit returns what is accounted for.
func (s *scene) unit(u *profile.Unit) account.Unit {
	out := account.Unit{Goroutine: u.Goroutine, Interval: s.interval(u.Start, u.Took)}
	for _, o := range u.Spans {
		if !o.Linked {
			continue
		}
		i := s.interval(o.Start, o.Took)
		if g := s.who(o.Goroutine, i); g != 0 {
			out.Links = append(out.Links, account.Link{Goroutine: g, Interval: i})
		}
	}
	slices.SortStableFunc(out.Links, func(a, b account.Link) int { return int(a.Goroutine - b.Goroutine) })
	return out
}

// who returns a goroutine, or who it was if that is not known: 0 if nothing tells, or if it was not one.
func (s *scene) who(goroutine int64, i account.Interval) int64 {
	if goroutine == 0 {
		return s.window.Who(i.From, i.To)
	}
	return max(0, goroutine)
}

// frames returns the functions of addresses of this process.
func frames(pcs []uintptr) (out []gotrace.Frame) {
	if len(pcs) == 0 {
		return nil
	}
	for f := runtime.CallersFrames(pcs); ; {
		frame, more := f.Next()
		if frame.Function != "" {
			out = append(out, gotrace.Frame{Function: frame.Function, File: frame.File, Line: frame.Line})
		}
		if !more {
			return out
		}
	}
}

// part converts a part.
func (s *scene) part(p *account.Part) Part {
	out := Part{Cause: Cause(p.Cause), Took: p.Took, Zone: s.zone(p.Zone), Where: p.Where, Object: p.Object}
	if p.Goroutine != 0 {
		out.By = goroutine(p.Goroutine)
	}
	if g := p.By.Goroutine; g != 0 {
		if out.By != "" {
			out.By += " and "
		}
		out.By += s.waker(&p.By, p.Cause != account.NoProcessor)
	}
	return out
}

// waker says what a goroutine did that others waited for, and where it ended the wait.
func (s *scene) waker(by *account.Waker, ended bool) string {
	text := goroutine(by.Goroutine)
	if by.Where != "" && ended {
		text += " at " + by.Where
	}
	m := &by.Main
	if by.Took == 0 || m.Cause == account.Unclear {
		return text
	}
	what := doing[m.Cause]
	if m.Cause == account.Syscall && inC(m.Where) {
		what = "was in C code"
	}
	text += ", which " + what
	if m.Where != "" {
		text += " at " + m.Where
	}
	text += inZone(s.zone(m.Zone), m.Where) + " for " + short(by.Took)
	switch {
	case by.First == nil:
	case by.Waits == 1:
		text += ", ended by " + s.waker(by.First, true)
	default:
		text += fmt.Sprintf(", the last of %d such waits in a row; the first was ended by %s", by.Waits, s.waker(by.First, true))
	}
	return text
}

func goroutine(id int64) string { return "goroutine " + strconv.FormatInt(id, 10) }

// zone returns the name of a zone; "" if there is none.
func (s *scene) zone(index int) string {
	if index < 0 || index >= len(s.spans.zones) {
		return ""
	}
	return s.spans.zones[index].Name
}
