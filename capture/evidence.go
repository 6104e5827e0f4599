// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/profile"
)

// Limits of Evidence.
const (
	mostTracks  = 8
	mostStates  = 512 // of a track
	mostEntries = 512 // of each other list
	mostFrames  = 24  // of a stack
)

// evidence returns what the account was made from.
func (s *scene) evidence(u profile.Unit, slow *account.Account) *Evidence {
	got := &s.got
	e := &Evidence{Unit: u, Zones: slices.Clone(s.spans.zones)}
	for i := range e.Zones { // the folders are nobody's business
		where := &e.Zones[i].Where
		*where = (*where)[strings.LastIndexAny(*where, `/\\`)+1:]
	}
	t := got.trace
	if t == nil {
		return e
	}
	i := s.interval(u.Start, u.Took)
	threads := make(map[int64]bool)
	seen := make(map[int64]bool)
	track := func(id int64, role string) {
		if g := t.Goroutine(id); g != nil && !seen[id] && len(e.Tracks) < mostTracks {
			seen[id] = true
			e.Tracks = append(e.Tracks, Track{id, role, s.states(e, t, g, i, threads)})
		}
	}
	track(u.Goroutine, "unit")
	for k := range slow.Parts {
		track(slow.Parts[k].Goroutine, "child")
	}
	for k := range slow.Parts {
		track(slow.Parts[k].By.Goroutine, "waker")
	}
	at := func(t account.Time) time.Duration { return time.Duration(t - i.From) }
	for _, r := range t.Ranges {
		if r.From < i.To && r.To > i.From && (r.Kind != gotrace.Sweep || seen[r.Goroutine]) {
			e.Ranges = append(e.Ranges, Range{at(r.From), at(r.To), strings.Clone(r.Name), r.Goroutine})
		}
	}
	if got.switches != nil {
		for _, o := range got.switches.Off {
			if threads[o.Thread] && account.Time(o.From) < i.To && account.Time(o.To) > i.From {
				e.Off = append(e.Off, Off{at(account.Time(o.From)), at(account.Time(o.To)), o.Thread, o.Preempted})
			}
		}
		s.samples(e, t.Goroutine(u.Goroutine), i)
	}
	e.Ranges = longest(e.Ranges, mostEntries, &e.Left, Range.ends)
	e.Off = longest(e.Off, mostEntries, &e.Left, Off.ends)
	return e
}

var stateNames = [...]string{gotrace.Unknown: "unknown", gotrace.Running: "running", gotrace.Runnable: "ready", gotrace.Waiting: "waiting", gotrace.Syscall: "syscall"}

// states returns what g did in i, and notes the threads that it was on.
func (s *scene) states(e *Evidence, t *gotrace.Trace, g *gotrace.Goroutine, i account.Interval, threads map[int64]bool) (out []State) {
	begin, end := max(0, g.At(i.From)), g.At(i.To-1)+1
	least := account.Time(0) // shorter ones are left out if there are very many
	if end-begin > 8*mostStates {
		least = (i.To - i.From) / (8 * mostStates)
	}
	for n := begin; n < end; n++ {
		step := &g.Steps[n]
		to := t.To
		if n+1 < len(g.Steps) {
			to = g.Steps[n+1].At
		}
		from := max(step.At, i.From)
		to = min(to, i.To)
		if step.State == gotrace.Gone || from >= to {
			continue
		}
		if to-from < least {
			e.Left++
			continue
		}
		if step.Thread != 0 {
			threads[step.Thread] = true
		}
		state := State{From: time.Duration(from - i.From), To: time.Duration(to - i.From), State: stateNames[step.State], Reason: strings.Clone(step.Reason), // the trace is overwritten by the next one
			Zone: s.zone(s.window.Zone(g.ID, from)), Where: s.window.Place(step.Stack)}
		if n+1 < len(g.Steps) && step.State == gotrace.Waiting {
			state.By, state.ByWhere = g.Steps[n+1].By, s.window.Place(g.Steps[n+1].ByStack)
		}
		out = append(out, state)
	}
	return longest(out, mostStates, &e.Left, State.ends)
}

// samples adds what g was found running in i.
func (s *scene) samples(e *Evidence, g *gotrace.Goroutine, i account.Interval) {
	for _, sample := range s.got.switches.Samples {
		at := account.Time(sample.At)
		if at < i.From || at >= i.To || g == nil {
			continue
		}
		if n := g.At(at); n < 0 || g.Steps[n].Thread != sample.Thread || g.Steps[n].State != gotrace.Running {
			continue
		}
		if len(e.Samples) == mostEntries {
			e.Left++
			continue
		}
		var stack []string
		for _, f := range frames(sample.PCs[:min(mostFrames, len(sample.PCs))]) {
			stack = append(stack, account.Where(f))
		}
		e.Samples = append(e.Samples, Sample{time.Duration(at - i.From), stack})
	}
}
