// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

// explain explains slow units from one copy of what the sources have, and tells everyone who wants to know.
func (w *watch) explain(slow []candidate) {
	var reports []Report
	var rate float64 // bytes of the trace a second; 0: unknown
	cost := w.processorTime(func() {
		s, release := w.scene(slow)
		for i := range slow {
			slow[i].root.settle()
			reports = append(reports, s.report(&slow[i]))
		}
		rate = s.got.rate
		release()
	})
	for i := range reports {
		if d := reports[i].Degrees; slow[i].lost > 0 {
			d[len(d)-1] += keepFor(reports[i].Took, slow[i].lost, rate)
		}
	}
	for i := range reports {
		r, root := &reports[i], slow[i].root
		root.explained++
		r.Cost, r.Left, r.Slow, r.Explained = cost/time.Duration(len(slow)), root.left, root.exceeded, root.explained
		root.left = 0
		r.Overhead = w.overhead(time.Now())
		w.tell(r)
	}
}

// tell passes a report on.
func (w *watch) tell(r *Report) {
	file := ""
	if w.options.Dir != "" && w.options.DiskBytes > 0 {
		var err error
		if file, err = (folder{w.options.Dir, w.options.DiskBytes}).write(*r); err != nil {
			w.voice.failed(err)
		}
	}
	publish(*r)
	w.voice.report(r, file, time.Now())
	if w.options.On != nil {
		w.options.On(*r)
	}
}

// mostUsual is how many ordinary units the slow one is compared with.
const mostUsual = 24

// report makes the report of a slow unit.
func (s *scene) report(c *candidate) Report {
	u := c.unit
	if c.root.loop {
		u = s.spans.unit(c.turn)
	}
	i := s.interval(u.Start, u.Took)
	u.Goroutine = s.who(u.Goroutine, i)
	slow := s.window.Of(s.unit(&u))
	if !s.compared[c.root] {
		s.compared[c.root] = true
		s.compare(c)
	}
	verdict := account.Judge(&slow, c.root.usual, c.usual, func() []account.Account {
		from, to := s.reaches(c)
		return s.accounts(c.longer(from, to, &s.options))
	})
	r := Report{Schema: Schema, Root: c.root.name, Unit: "span", Goroutine: u.Goroutine, At: s.at.Add(-s.now.Sub(u.Start)), Took: u.Took, Usual: c.usual,
		Cause: Cause(verdict.Cause), Share: verdict.Share, Spent: verdict.Spent, Notes: u.Notes, Degrees: slices.Clone(s.degrees),
		Program: filepath.Base(os.Args[0]), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if c.root.loop {
		r.Unit = "frame"
	}
	if l := verdict.Late; l.Of != account.Unclear {
		r.Degrees = append(r.Degrees, lateness(l))
	}
	if slow.Absent > 0 && 4*slow.Absent >= u.Took-c.usual {
		r.Degrees = append(r.Degrees, "for "+short(slow.Absent)+" a thread had a processor, and no sample found it in the program: the system used the processor, or the machine did not run")
	}
	if !slow.States && s.got.trace != nil {
		if ago := s.got.copied.Sub(u.Start); u.Goroutine != 0 && ago > s.got.age && s.time(u.Start) < s.got.trace.From {
			c.lost = ago
		}
		r.Degrees = append(r.Degrees, s.lacks(&u, c.lost))
	}
	if s.got.switches != nil && slow.States && !slow.Exact {
		r.Degrees = append(r.Degrees, "the kernel's records of switches do not reach back to the beginning of the unit; if that is because there are many, raise Options.MemoryBytes")
	}
	for i := range slow.Parts {
		p := s.part(&slow.Parts[i])
		p.Usual = verdict.Usual[i]
		r.Account = append(r.Account, p)
	}
	if verdict.Part >= 0 {
		p := &r.Account[verdict.Part]
		r.Zone, r.Where, r.Object, r.By = p.Zone, p.Where, p.Object, p.By
	}
	r.Next = whatNext(r.Cause)
	if r.Cause == Lock && !held(r.Object) {
		r.Next = next[Channel]
	}
	if slow.States {
		split := splitOf(s.window.Split(s.unit(&u)))
		r.Split = &split
		looks.AddUnits([]looks.Unit{{Zone: c.root.zone, Loop: c.root.loopName(), Lane: u.Lane, Goroutine: u.Goroutine, Start: u.Start, Took: u.Took, Split: split}})
	}
	r.Evidence = s.evidence(u, &slow)
	return r
}

// lateness says why nothing tells how long a wait would have lasted.
func lateness(l account.Late) string {
	looked, what := "timers", "the sleep may have been meant to be shorter"
	switch l.Of {
	case account.Network:
		looked, what = "connections", "what the unit waited for may have been there before"
	case account.Syscall:
		looked, what = "system calls", "the system call may have been over before"
	case account.Lock, account.Channel:
		looked, what = "what ended the wait", "it may have come late"
	}
	why := "nothing looked at " + looked + " while all processors were busy"
	switch took := short(l.Took); l.Cause {
	case account.Throttled:
		why = "the quota of the control group was used up for up to " + took + " meanwhile"
	case account.Stopped:
		why = "the process may not have run for up to " + took + " of that time, as if it had been frozen"
	case account.Unclear:
		why = "nothing may have looked at " + looked + " for up to " + took
	}
	return why + ", so that " + what
}

// compare accounts for the ordinary units of the same root in the window.
func (s *scene) compare(c *candidate) {
	from, to := s.reaches(c)
	usual := s.accounts(c.ordinary(from, to))
	if len(usual) >= len(c.root.usual) || len(usual) >= 8 {
		c.root.usual = usual
	}
}

// reaches returns the time of which the window can account for units like a slow one.
func (s *scene) reaches(c *candidate) (from, to clock.Instant) {
	if t := s.got.trace; t != nil {
		return clock.Instant(int64(t.From) - s.shift), clock.Instant(int64(t.To) - s.shift)
	}
	return c.turn.from - clock.Instant(time.Minute), s.now
}

// accounts accounts for units, except those whose goroutine is not known.
func (s *scene) accounts(units []turn) (all []account.Account) {
	for _, t := range units {
		i := s.interval(t.from, t.took)
		if g := s.who(t.goroutine, i); g != 0 || s.got.trace == nil {
			all = append(all, s.window.Of(account.Unit{Goroutine: g, Interval: i}))
		}
	}
	return all
}

// lacks says why the trace does not have a unit, which began so long before the recorder had been read if that is too long.
func (s *scene) lacks(u *profile.Unit, lost time.Duration) string {
	kept := time.Duration(s.time(s.now) - s.got.trace.From)
	switch {
	case u.Goroutine == 0 && s.time(u.Start) >= s.got.trace.From:
		return "the unit's goroutine cannot be told from others, so that waits are not explained"
	case lost > 0 && u.Took > kept:
		return fmt.Sprintf("the unit is longer than what the flight recorder keeps: the latest %s, and what was before is not accounted for", short(kept))
	case lost > 0:
		return fmt.Sprintf("the flight recorder was not read until %s after the unit began, and had lost its beginning", short(lost))
	case s.time(u.Start) < s.got.trace.From:
		return "the flight recorder does not reach back to the beginning of the unit; if that is because there are many events, raise Options.MemoryBytes"
	default:
		return "the flight recorder does not have the goroutine"
	}
}

// keepFor has units of a duration that began so long ago recorded whole from now on, and says so.
func keepFor(took, ago time.Duration, rate float64) string {
	kept := lengthen(took, ago, rate)
	switch {
	case kept >= ago:
		return "; from now on it keeps the latest " + short(kept)
	case kept == longestAge:
		return "; it keeps the latest minute at most"
	default:
		return "; there are too many events to keep more"
	}
}
