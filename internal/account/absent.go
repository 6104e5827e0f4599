// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"

	"github.com/strobe-go/strobe/internal/switches"
)

// missing is how many samples in a row must be missing for that to tell something: one may have come while the system ran.
const missing = 4

// absent returns the parts of a time, all of which a thread was on a processor by the kernel's records, in which it executed nothing of the
// program as far as is known: its stack was not sampled though it should have been, it had no page faults, and the goroutine neither began
// or ended a span nor allocated. Either the system had the processor, as in a call that the runtime is not told of or in an interrupt, or
// the machine did not run.
func (w *Window) absent(thread int64, i Interval) (parts []Interval) {
	least := missing * w.Period
	if least == 0 || i.length() < least || !w.Exact(i.From) || w.Switches.Lost > 0 {
		return nil
	}
	var signs []Time
	for _, all := range [][]sample{w.samples[thread], w.faults[thread]} {
		for _, s := range since(all, i.From) {
			signs = append(signs, s.at)
		}
	}
	w.runs.during(i, func(r *run, part Interval) {
		if r.thread != thread {
			return
		}
		for _, c := range w.zones[r.goroutine] {
			signs = append(signs, c.at)
		}
		for _, a := range w.news[r.goroutine] {
			signs = append(signs, a.at)
		}
	})
	signs = append(signs, i.To)
	slices.Sort(signs)
	last := i.From
	for _, at := range signs {
		if at = min(at, i.To); at <= last {
			continue
		}
		if gap := (Interval{last, at}); gap.length() >= least { // it may have run until the sample was due
			parts = append(parts, Interval{last + Time(w.Period), at})
		}
		last = at
	}
	return parts
}

// stoppedThread returns the parts of a time in which a thread was off the processor and, if absences count, those in which it executed nothing.
func (w *Window) stoppedThread(thread int64, i Interval, absences bool) (parts []Interval) {
	cut(i, w.offs[thread], offTime, func(_ switches.Off, part Interval) { parts = append(parts, part) }, func(part Interval) {
		if absences {
			parts = append(parts, w.absent(thread, part)...)
		}
	})
	return parts
}
