// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"slices"
	"time"
)

// A round is one run of each side, with the same layout.
type round struct {
	cost        [2]float64 // of a call, ns, or instructions in the emulated machine
	allocs      [2]float64 // of a call
	more        [2]map[metric]float64
	collections [2]float64 // that the program did not ask for; only of long runs
	runs        [2]disturbance
	counts      [2]counts
	baseFirst   bool
	layout      int
}

// waited returns the share of the time that a run of the round waited for a processor, the larger one of the two runs. ok is false
// if the system does not report it.
func (r *round) waited() (share float64, ok bool) {
	return max(r.runs[oldSide].waited, r.runs[newSide].waited), r.runs[oldSide].known && r.runs[newSide].known
}

// A series has the rounds of a benchmark that were made in one way.
type series struct {
	rounds    []round
	disturbed []round       // those that do not count
	quiet     quietRule     // decides which those are
	least     time.Duration // that a round took; 0 if there is none
}

// add adds a round, and reports whether it counts.
func (s *series) add(r *round) bool {
	if _, ok := r.waited(); ok && s.quiet.setsApart(r.runs[oldSide].waited, r.runs[newSide].waited) {
		s.disturbed = append(s.disturbed, *r)
		return false
	}
	s.rounds = append(s.rounds, *r)
	return true
}

// median returns the median of a side's costs.
func (s *series) median(side int) float64 {
	return s.medianOf(func(r *round) float64 { return r.cost[side] })
}

// medianOf returns the median of a figure of the rounds.
func (s *series) medianOf(figure func(*round) float64) float64 {
	all := make([]float64, len(s.rounds))
	for i := range s.rounds {
		all[i] = figure(&s.rounds[i])
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// waiting returns the median share of waiting of the rounds that count, and the mean number of preemptions of their runs; nil if
// the system does not report them.
func (s *series) waiting() (share, preempted *float64) {
	var shares []float64
	sum, runs := 0.0, 0
	for i := range s.rounds {
		if w, ok := s.rounds[i].waited(); ok {
			shares = append(shares, w)
		}
		for _, d := range s.rounds[i].runs {
			if d.switches {
				sum += float64(d.preempted)
				runs++
			}
		}
	}
	if len(shares) > 0 {
		slices.Sort(shares)
		share = &shares[len(shares)/2]
	}
	if runs > 0 {
		sum /= float64(runs)
		preempted = &sum
	}
	return share, preempted
}

// allocations returns the smallest and the largest number of allocations in a call of a side.
func (s *series) allocations(side int) (least, most float64) {
	least, most = s.rounds[0].allocs[side], s.rounds[0].allocs[side]
	for _, r := range s.rounds {
		least, most = min(least, r.allocs[side]), max(most, r.allocs[side])
	}
	return least, most
}

// slowLayouts returns the number of layouts in which the new side is slower than this limit allows, and the number of all layouts.
func (s *series) slowLayouts(limit float64) (slow, of int) {
	ratios := map[int][]float64{}
	for _, r := range s.rounds {
		ratios[r.layout] = append(ratios[r.layout], r.cost[newSide]/r.cost[oldSide])
	}
	for _, all := range ratios {
		slices.Sort(all)
		if all[len(all)/2] > 1+limit {
			slow++
		}
	}
	return slow, len(ratios)
}

// layoutsAgree reports whether the new side is slower than allowed in more than three quarters of the layouts. The rounds in one
// layout resemble each other, so chance in a few layouts could look like certainty.
func (s *series) layoutsAgree(limit float64) bool {
	slow, of := s.slowLayouts(limit)
	return of < 3 || 4*slow > 3*of
}
