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
	mostStates = 3  // of a goroutine
	least      = 20 // a state is evidence if it took at least this part of the unit, one in so many
)

// evidence says what a report rests on: what the goroutines did, and what else happened in the unit.
func evidence(r capture.Report) (lines []string) {
	e := r.Evidence
	if e == nil {
		return nil
	}
	for _, t := range e.Tracks {
		states := slices.DeleteFunc(slices.Clone(t.States), func(s capture.State) bool { return (s.To - s.From) < r.Took/least })
		slices.SortStableFunc(states, func(a, b capture.State) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
		states = states[:min(len(states), mostStates)]
		slices.SortStableFunc(states, func(a, b capture.State) int { return cmp.Compare(a.From, b.From) })
		for _, s := range states {
			lines = append(lines, fmt.Sprintf("goroutine %d: %s", t.Goroutine, describe(s)))
		}
	}
	if took := together(e.Ranges, func(x capture.Range) (from, to time.Duration) { return x.From, x.To }, r.Took); took > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s of the garbage collector or of a stopped world", duration(took), layout.Plural(uint64(len(e.Ranges)), "phase")))
	}
	if took := together(e.Off, func(x capture.Off) (from, to time.Duration) { return x.From, x.To }, r.Took); took > 0 {
		lines = append(lines, fmt.Sprintf("%s with a thread off the processor, %s", duration(took), layout.Plural(uint64(len(e.Off)), "time")))
	}
	if name, n := mostSeen(e.Samples); n > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s in %s", n, layout.Plural(uint64(len(e.Samples)), "sample"), name))
	}
	for i, line := range lines {
		lines[i] = plain.Text(line)
	}
	return lines
}

// describe says what a goroutine did, in the order of when, what, where, and who ended it.
func describe(s capture.State) string {
	text := s.State
	if s.State == "syscall" {
		text = "in a system call"
	}
	if s.Reason != "" {
		text += " (" + s.Reason + ")"
	}
	text += fmt.Sprintf(" for %s from %s on", duration(s.To-s.From), duration(s.From))
	if s.Where != "" {
		text += ", at " + s.Where
	}
	if s.Zone != "" {
		text += ", in zone " + s.Zone
	}
	if s.By != 0 {
		text += fmt.Sprintf("; goroutine %d ended it", s.By)
		if s.ByWhere != "" {
			text += ", at " + s.ByWhere
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
	if r.Left > 0 {
		all = append(all, fmt.Sprintf("%s before this were not explained, to keep to the limit on cost", layout.Plural(r.Left, "slow "+r.Unit)))
	}
	return all
}
