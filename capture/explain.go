// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/profile"
)

// report explains a slow unit, and tells everyone who wants to know.
func (w *watch) report(c *candidate) {
	c.root.settle()
	r := w.explain(c)
	file := ""
	if w.options.Dir != "" && w.options.DiskBytes > 0 {
		var err error
		if file, err = (folder{w.options.Dir, w.options.DiskBytes}).write(r); err != nil {
			w.voice.failed(err)
		}
	}
	publish(r)
	w.voice.report(&r, file, time.Now())
	if w.options.On != nil {
		w.options.On(r)
	}
}

// A scene is what an explanation needs of the sources, in the time of the runtime's trace.
type scene struct {
	*watch
	shift  int64 // runtime's time less instant
	window *account.Window
}

func (s *scene) time(at clock.Instant) account.Time { return account.Time(int64(at) + s.shift) }

func (s *scene) interval(from clock.Instant, took time.Duration) account.Interval {
	return account.Interval{From: s.time(from), To: s.time(from) + account.Time(took)}
}

// mostUsual is how many ordinary units the slow one is compared with.
const mostUsual = 24

// explain makes the report of a slow unit.
func (w *watch) explain(c *candidate) Report {
	began := clock.NowOrdered()
	at, mono, known := moment()
	s := &scene{watch: w, shift: mono - int64(at)}
	got, release := snapshot(int64(s.time(c.turn.from)) - int64(time.Second))
	defer release()
	w.read()
	degrees := slices.Concat(w.degrees, got.degrees)
	if !known && got.trace != nil {
		got.trace = nil
		degrees = append(degrees, "the runtime's trace has another clock on "+runtime.GOOS+", so that waits are not explained")
	}
	u := c.unit
	if c.root.loop {
		u = w.spans.unit(c.turn)
	}
	s.window = account.NewWindow(s.sources(&got))
	slow := s.window.Of(s.unit(&u))
	oldest := c.turn.from - clock.Instant(time.Minute)
	if got.trace != nil {
		oldest = clock.Instant(int64(got.trace.From) - s.shift)
	}
	var usual []account.Account
	for _, t := range c.root.ordinary(oldest, mostUsual) {
		usual = append(usual, s.window.Of(account.Unit{Goroutine: t.goroutine, Interval: s.interval(t.from, t.took)}))
	}
	if len(usual) >= len(c.root.usual) || len(usual) >= 8 {
		c.root.usual = usual
	}
	verdict := account.Judge(&slow, c.root.usual, c.root.median)
	if !slow.States && got.trace != nil {
		degrees = append(degrees, missingStates(&u, got.trace, s))
	}
	ended := clock.NowOrdered()
	w.busy = append(w.busy[max(0, len(w.busy)-16):], busy{began, ended})
	r := Report{Schema: Schema, Root: c.root.name, Unit: "span", Goroutine: u.Goroutine, At: time.Now().Add(-ended.Sub(u.Start)), Took: u.Took, Usual: c.root.median,
		Cause: Cause(verdict.Cause), Share: verdict.Share, Spent: verdict.Spent, Notes: u.Notes, Degrees: degrees, Left: w.left, Cost: ended.Sub(began),
		Program: filepath.Base(os.Args[0]), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if c.root.loop {
		r.Unit = "frame"
	}
	for i := range slow.Parts {
		p := s.part(&slow.Parts[i])
		p.Usual = verdict.Usual[i]
		r.Account = append(r.Account, p)
	}
	if verdict.Part >= 0 {
		p := &r.Account[verdict.Part]
		r.Zone, r.Where, r.By = p.Zone, p.Where, p.By
	}
	r.Next = next[r.Cause]
	r.Evidence = s.evidence(u, &slow, &got)
	return r
}

// missingStates says why the trace does not have a unit.
func missingStates(u *profile.Unit, t *gotrace.Trace, s *scene) string {
	switch {
	case u.Goroutine == 0:
		return "the goroutine is unknown, so that waits are not explained: enter a zone on it"
	case s.time(u.Start) < t.From:
		return "the flight recorder does not reach back to the beginning of the unit; raise Options.MemoryBytes if there are many events"
	default:
		return "the flight recorder does not have the goroutine"
	}
}

// sources returns what is known about the window.
func (s *scene) sources(got *records) account.Sources {
	out := account.Sources{Trace: got.trace, Switches: got.switches, Faults: got.options.Faults, Fault: faultTime(), Frames: frames}
	for _, list := range [][]span{s.spans.ended, s.spans.open} {
		for _, o := range list {
			if o.goroutine != 0 {
				out.Spans = append(out.Spans, account.Span{Goroutine: o.goroutine, Interval: s.interval(o.from, o.took), Depth: o.depth, Zone: o.zone})
			}
		}
	}
	for _, b := range s.busy {
		out.Busy = append(out.Busy, account.Interval{From: s.time(b.from), To: s.time(b.to)})
	}
	for _, r := range s.readings {
		out.Readings = append(out.Readings, account.Reading{At: s.time(r.at), Reading: r.Reading})
	}
	return out
}

// unit returns what is accounted for.
func (s *scene) unit(u *profile.Unit) account.Unit {
	out := account.Unit{Goroutine: u.Goroutine, Interval: s.interval(u.Start, u.Took)}
	for _, o := range u.Spans {
		if g := s.spans.goroutines[o.Lane]; o.Linked && g != 0 {
			out.Links = append(out.Links, account.Link{Goroutine: g, Interval: s.interval(o.Start, o.Took)})
		}
	}
	slices.SortStableFunc(out.Links, func(a, b account.Link) int { return int(a.Goroutine - b.Goroutine) })
	return out
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
	out := Part{Cause: Cause(p.Cause), Took: p.Took, Zone: s.zone(p.Zone), Where: p.Where}
	if p.Goroutine != 0 {
		out.By = goroutine(p.Goroutine)
	}
	if g := p.By.Goroutine; g != 0 {
		if out.By != "" {
			out.By += " and "
		}
		out.By += goroutine(g)
		if p.By.Where != "" && p.Cause != account.NoProcessor {
			out.By += " at " + p.By.Where
		}
		if m := &p.By.Main; p.By.Took > 0 && m.Cause != account.Unclear {
			out.By += ", which " + doing[m.Cause]
			if m.Where != "" {
				out.By += " at " + m.Where
			}
			if zone := s.zone(m.Zone); zone != "" {
				out.By += " in zone " + zone
			}
			out.By += " for " + short(p.By.Took)
		}
	}
	return out
}

func goroutine(id int64) string { return "goroutine " + strconv.FormatInt(id, 10) }

// zone returns the name of a zone; "" if there is none.
func (s *scene) zone(index int) string {
	if index < 0 || index >= len(s.spans.zones) {
		return ""
	}
	return s.spans.zones[index].Name
}
