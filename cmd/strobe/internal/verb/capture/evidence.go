// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
)

const (
	mostDeeds = 3  // of a goroutine
	least     = 20 // what took less of the unit than one in so many is no evidence
)

// evidence says what a report rests on: what the goroutines did, and what else happened in the unit.
func evidence(r capture.Report) (lines []string) {
	e := r.Evidence
	if e == nil {
		return nil
	}
	for _, t := range e.Tracks {
		for _, d := range deedsOf(t.States, r.Took) {
			lines = append(lines, fmt.Sprintf("goroutine %d: %s", t.Goroutine, d.describe()))
		}
	}
	if took := together(e.Ranges, func(x capture.Range) (from, to time.Duration) { return x.From, x.To }, r.Took); took > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s of the garbage collector or of a stopped world", duration(took), layout.Plural(uint64(len(e.Ranges)), "phase")))
	}
	preempted := slices.DeleteFunc(slices.Clone(e.Off), func(o capture.Off) bool { return !o.Preempted })
	if took := together(preempted, func(x capture.Off) (from, to time.Duration) { return x.From, x.To }, r.Took); took > 0 {
		lines = append(lines, fmt.Sprintf("%s in which other programs had the processor of a thread, %s", duration(took), layout.Plural(uint64(len(preempted)), "time")))
	}
	if name, n := mostSeen(e.Samples); n > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s in %s", n, layout.Plural(uint64(len(e.Samples)), "sample"), name))
	}
	for i, line := range lines {
		lines[i] = plain.Text(line)
	}
	return lines
}

// A deed is what a goroutine did at one place, once or several times.
type deed struct {
	capture.State // the first
	n             int
	took          time.Duration // in the unit, in all
}

// deedsOf returns what a goroutine did for a considerable part of a unit, in the order in which it began.
func deedsOf(states []capture.State, unit time.Duration) []deed {
	type kind struct{ state, reason, zone, where string }
	at := make(map[kind]int)
	var all []deed
	for _, s := range states {
		of := kind{s.State, s.Reason, s.Zone, s.Where}
		i, found := at[of]
		if !found {
			i = len(all)
			at[of] = i
			all = append(all, deed{State: s})
		}
		all[i].n++
		all[i].took += max(0, min(s.To, unit)-max(s.From, 0))
	}
	all = slices.DeleteFunc(all, func(d deed) bool { return d.took < unit/least || d.took == 0 })
	slices.SortStableFunc(all, func(a, b deed) int { return cmp.Compare(b.took, a.took) })
	all = all[:min(len(all), mostDeeds)]
	slices.SortStableFunc(all, func(a, b deed) int { return cmp.Compare(a.From, b.From) })
	return all
}

// describe says what was done, how long and where, and who ended it.
func (d deed) describe() string {
	text := d.State.State
	switch {
	case text == "syscall" && strings.Contains(d.Where, "(C."):
		text = "in C code"
	case text == "syscall":
		text = "in a system call"
	}
	if d.Reason != "" {
		text += " (" + d.Reason + ")"
	}
	text += " for " + duration(d.took)
	switch {
	case d.n > 1:
		text += fmt.Sprintf(", %d times", d.n)
	case d.From > 0:
		text += fmt.Sprintf(" from %s on", duration(d.From))
	}
	if d.Where != "" {
		text += ", at " + d.Where
	}
	if d.Zone != "" {
		text += ", in zone " + d.Zone
	}
	if d.By != 0 && d.n == 1 {
		text += fmt.Sprintf("; goroutine %d ended it", d.By)
		if d.ByWhere != "" {
			text += ", at " + d.ByWhere
		}
	}
	return text
}

// together returns how much of a unit at least one of the stretches of time covers.
func together[T any](list []T, ends func(T) (from, to time.Duration), took time.Duration) (sum time.Duration) {
	type stretch struct{ from, to time.Duration }
	var all []stretch
	for _, x := range list {
		from, to := ends(x)
		all = append(all, stretch{max(from, 0), min(to, took)})
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	reached := time.Duration(0)
	for _, s := range all {
		if s.to > reached {
			sum += s.to - max(s.from, reached)
			reached = s.to
		}
	}
	return sum
}

// mostSeen returns the function that most samples have innermost.
func mostSeen(samples []capture.Sample) (name string, n int) {
	seen := make(map[string]int)
	for _, s := range samples {
		if len(s.Stack) == 0 {
			continue
		}
		f := strings.TrimSpace(s.Stack[0])
		if seen[f]++; seen[f] > n || seen[f] == n && f < name {
			name, n = f, seen[f]
		}
	}
	return name, n
}

// missing says what the report does not rest on.
func missing(r capture.Report) []string {
	all := append([]string(nil), r.Degrees...)
	if e := r.Evidence; e != nil {
		all = append(all, e.Unit.Missing...)
	}
	if text := r.Coverage(); text != "" {
		all = append(all, text)
	}
	return all
}
