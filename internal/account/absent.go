// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"
	"sort"
)

// missing is how many samples in a row must be missing for that to tell something: one may have come while the system ran.
const missing = 4

// absent returns the parts of a time, all of which a thread was on a processor by the kernel's records, in which it executed nothing of the
// program as far as is known: its stack was not sampled though it should have been, it had no page faults, and the goroutine neither began
// or ended a span nor allocated. Either the system had the processor, as in a call that the runtime is not told of or in an interrupt, or
// the machine did not run.
func (w *Window) absent(thread int64, i Interval) (parts []Interval) {
	least := missing * w.Period
	if least == 0 || i.length() < least || !w.Exact(i.From) {
		return nil
	}
	signs := appendTimes(nil, w.Switches.Missed, i, func(at int64) Time { return Time(at) }) // it may have been sampled then
	for _, all := range [][]sample{w.samples[thread], w.faults[thread]} {
		signs = appendTimes(signs, all, i, func(s sample) Time { return s.at })
	}
	w.runs.during(i, func(r *run, part Interval) {
		if r.thread != thread {
			return
		}
		signs = appendTimes(signs, w.zones[r.goroutine], part, func(c change) Time { return c.at })
		signs = appendTimes(signs, w.news[r.goroutine], part, func(a allocated) Time { return a.at })
	})
	signs = append(signs, i.To)
	slices.Sort(signs)
	last := i.From
	for _, at := range signs {
		if gap := (Interval{last, at}); gap.length() >= least { // it may have run until the sample was due
			parts = append(parts, Interval{last + Time(w.Period), at})
		}
		last = at
	}
	return parts
}

// appendTimes appends the times of what was in i, of all, which are in order.
func appendTimes[T any](times []Time, all []T, i Interval, of func(T) Time) []Time {
	for n := sort.Search(len(all), func(n int) bool { return of(all[n]) > i.From }); n < len(all) && of(all[n]) < i.To; n++ {
		times = append(times, of(all[n]))
	}
	return times
}
