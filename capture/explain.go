// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
