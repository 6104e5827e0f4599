// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"maps"
	"math"
	"slices"
)

// A tally is the number of samples of a category.
type tally struct {
	runs []int // one a run
	all  int
}

// A table has the samples of a side by function.
type table struct {
	runs       []int // samples of each run
	n          int
	own, total map[string]tally
	busy       float64 // samples over periods of elapsed time: 1 for a single processor that never waits
	error      float64 // relative standard error of busy
	used       float64 // processor time of a call, ns
	usedError  float64 // relative standard error of used
	byUse      bool    // busy is used over the cost of a call
}

// tableOf counts the samples of a side, by the names that its functions have after a rename.
func (s *sampled) tableOf(names map[string]string) table {
	t := table{own: map[string]tally{}, total: map[string]tally{}}
	add := func(to map[string]tally, name string, run, n int) {
		if other, ok := names[name]; ok {
			name = other
		}
		x := to[name]
		if x.runs == nil {
			x.runs = make([]int, len(s.runs))
		}
		x.runs[run] += n
		x.all += n
		to[name] = x
	}
	for i, r := range s.runs {
		t.runs = append(t.runs, r.all)
		t.n += r.all
		for k, n := range r.count {
			st := s.stacks[k]
			add(t.own, st.own, i, n)
			for j, f := range st.frames {
				if !slices.Contains(st.frames[:j], f) { // a recursive function counts once
					add(t.total, f, i, n)
				}
			}
		}
	}
	t.busy, t.error = s.per(func(r *sampledRun) float64 { return r.slots })
	t.used, t.usedError = s.per(func(r *sampledRun) float64 { return r.calls })
	return t
}

// per returns the samples over a sum, and the relative standard error of that ratio, which is that of the residuals.
func (s *sampled) per(of func(*sampledRun) float64) (ratio, error float64) {
	runs, all, samples := s.runs, 0.0, 0
	for i := range runs {
		all += of(&runs[i])
		samples += runs[i].all
	}
	if all == 0 || samples == 0 {
		return 0, 0
	}
	ratio = float64(samples) / all
	square := 0.0
	for i := range runs {
		d := float64(runs[i].all) - ratio*of(&runs[i])
		square += d * d
	}
	if n := float64(len(runs)); n > 1 {
		error = math.Sqrt(square*n/(n-1)) / float64(samples)
	}
	return ratio, error
}

// list returns the tallies of categories, in an order on which no sum of them depends.
func list(categories map[string]tally) (all []tally) {
	for _, name := range slices.Sorted(maps.Keys(categories)) {
		all = append(all, categories[name])
	}
	return all
}

// of returns a tally, which may be of a function that the side does not have.
func (t *table) of(categories map[string]tally, name string) tally {
	if c, ok := categories[name]; ok {
		return c
	}
	return tally{runs: make([]int, len(t.runs))}
}

// work sets how busy the side was.
func (t *table) work(busy, error float64) { t.busy, t.error = busy, error }

// leastWaiting is the share of the elapsed time from which on a side is said to have waited.
const leastWaiting = 0.05

// On a busy machine, a single processor is taken to have worked all the time if a call used this share of what it costs, and if the
// time without that of others, which is not known well there, does not say that it worked for less than half of it.
const (
	leastUsed = 0.9
	leastBusy = 0.5
)

// works reports whether the side worked all the time on a busy machine.
func (t *table) works(call float64) bool { return !t.waits(call) && t.busy >= leastBusy }

// waits reports whether a call costs more than the processor time that it used.
func (t *table) waits(call float64) bool { return t.used < leastUsed*call }

// limit sets how busy the side was on a busy machine: as the processor time of a call says.
func (t *table) limit(call float64) {
	t.work(min(1, t.used/call), t.usedError)
	t.byUse = true
}

// idle reports whether the side certainly waited, t standard errors away from what does not matter.
func (t *table) idle(errors float64) bool { return t.busy*(1+errors*t.error) < 1-leastWaiting }
