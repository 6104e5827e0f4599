// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/dist"
)

// A Search finds the revisions at which the cost rises. Make one with NewSearch.
type Search struct {
	series *series
	limit  float64
	single bool        // there is one layout only
	tried  map[int]int // undecided comparisons, by the revision
	found  []Rise
}

// A Step is what to do next.
type Step struct {
	Do       Action
	Revision int
	Earlier  int // with Compare: the revision before it, or before those before it that cannot be measured
	Layout   int // with Measure: of the code of Revision, from 1
}

// An Action is the kind of a step.
type Action int

const (
	Stop    Action = iota // there is nothing left to find out
	Measure               // measure Revision in a layout, then call Measured or Unmeasurable
	Compare               // find out whether Revision costs more than Earlier, then call Compared
)

const (
	sure      = 0.95 // probability of a change at a revision from which on it is compared
	unlikely  = 0.1  // probability below which a change is not taken for a rise above the limit
	mostTries = 2    // comparisons of a revision without a decision
)

// NewSearch returns a search in n revisions, at least 2, of which the last one is known to cost more than the first. It looks for
// rises above a limit, the logarithm of a ratio. All costs are in relation to the mean cost of the first revision in a number of
// layouts, at least 1; if that is 1, the code has only one layout.
func NewSearch(n int, limit float64, layouts int) *Search {
	return &Search{series: newSeries(n, layouts), limit: limit, single: layouts == 1, tried: map[int]int{}}
}

// Next returns the next step. It is the same until something is learned.
func (s *Search) Next() Step {
	var open []change
	for _, c := range s.rises() {
		if s.tried[c.set[0]] >= mostTries {
			continue
		}
		if c.first*c.above(0) >= sure {
			return Step{Do: Compare, Revision: s.measurable(c.set[0], 1), Earlier: s.measurable(c.set[0]-1, -1)}
		}
		open = append(open, c)
	}
	i, ok := s.telling(open)
	if !ok {
		return Step{}
	}
	layout := 1
	if !s.single {
		for _, b := range s.series.revisions[i].builds {
			layout = max(layout, b.layout+1)
		}
		if i == 0 {
			layout = max(layout, s.series.reference+1)
		}
	}
	return Step{Do: Measure, Revision: i, Layout: layout}
}

// rises returns the changes that may be rises above the limit and are not confirmed yet.
func (s *Search) rises() []change {
	return slices.DeleteFunc(s.series.fit().changes(), func(c change) bool {
		return s.series.revisions[c.set[0]].change == changed || c.above(s.limit) < unlikely
	})
}

// telling returns the revision at one of the changes, or just before it, of which another build has the most information about the
// costs; ok is false if none can be measured.
func (s *Search) telling(open []change) (revision int, ok bool) {
	if len(open) == 0 {
		return 0, false
	}
	p := s.series.fit()
	variances := p.variances()
	const rounds = 4 // about as many as a build is measured in
	each, most := p.noise.ofMedian(rounds)+p.noise.jitter*p.noise.jitter, 0.0
	for _, c := range open {
		for i := slices.Min(c.set) - 1; i <= slices.Max(c.set); i++ {
			k := s.series.revisions[i].like
			if gain := math.Log1p(variances[i] / each); !s.series.revisions[k].broken && (!ok || gain > most) {
				revision, most, ok = k, gain, true
			}
		}
	}
	return revision, ok
}

// measurable returns revision i, or the next one in a direction that can be measured. The ends can.
func (s *Search) measurable(i, direction int) int {
	for s.series.revisions[i].broken {
		i += direction
	}
	return i
}

// Built says what the program of revision i is: revisions with the same text have the same one. It reports whether another revision
// is measured in its place. Those between two with the same program count as that program too, unless they are known to be another.
func (s *Search) Built(i int, program string) (elsewhere bool) {
	all := s.series.revisions
	if all[i].program != "" {
		return false
	}
	all[i].program = program
	for _, step := range []int{-1, 1} {
		for k := i + step; k >= 0 && k < len(all) && !all[k].broken; k += step {
			if all[k].program == program {
				s.series.join(min(i, k), max(i, k), all[k].like)
				return true
			}
			if all[k].program != "" {
				break
			}
		}
	}
	return false
}

// Measured adds rounds of revision i in a layout, at least one.
func (s *Search) Measured(i, layout int, rounds []float64) { s.series.add(i, layout, rounds) }

// Unmeasurable says that revision i, which is not one of the ends, cannot be measured. What changes there is not told from what
// changes at the next one that can be.
func (s *Search) Unmeasurable(i int) {
	s.series.revisions[i].broken = true
	s.series.set(i+1, same)
}

// Compared says whether revision i costs more than an earlier one by more than the limit, as a Step asked: Failed if it does, Passed
// if it does not.
func (s *Search) Compared(i, earlier int, o decide.Outcome) {
	first := earlier + 1 // stands for those between
	switch o {
	case decide.Failed:
		s.found = append(s.found, Rise{Revisions: span(first, i), Probability: 1})
		s.series.set(first, changed)
	case decide.Passed:
		s.series.set(first, same)
	default:
		s.tried[first]++
	}
}

// Apart reports whether a cost is above a limit whatever the layout: whether the mean over layouts is, with this probability of error.
// Rounds in one layout resemble each other, so that many of them in a few layouts prove less than they seem to. One layout alone
// says nothing about others, and is taken for what it is.
func Apart(layouts []float64, limit, error float64) bool {
	n := float64(len(layouts))
	if n == 0 {
		return false
	}
	mean, squares := 0.0, 0.0
	for _, x := range layouts {
		mean += x / n
	}
	for _, x := range layouts {
		squares += (x - mean) * (x - mean)
	}
	if n == 1 {
		return mean > limit
	}
	return mean-limit > dist.StudentUpper(error, n-1)*math.Sqrt(squares/(n-1)/n)
}

// A Rise is where the cost rises.
type Rise struct {
	Revisions   []int   // at one of them, the most probable first
	Probability float64 // that it is at one of them; 1 for what a comparison has confirmed
}

// Confirmed returns the rises that comparisons have confirmed, in the order in which they did. A rise has several revisions if those
// before the last one cannot be measured.
func (s *Search) Confirmed() []Rise { return s.found }

// Open returns the rises that are probable but not confirmed.
func (s *Search) Open() (all []Rise) {
	for _, c := range s.rises() {
		r := Rise{Probability: c.mass}
		for _, i := range c.set {
			for _, k := range span(i, s.measurable(i, 1)) {
				if !slices.Contains(r.Revisions, k) {
					r.Revisions = append(r.Revisions, k)
				}
			}
		}
		all = append(all, r)
	}
	return all
}

// Probabilities returns the probability that the cost changes at each revision. Of revisions that cannot be told apart, the first
// one has it all.
func (s *Search) Probabilities() []float64 {
	p := s.series.fit()
	out := make([]float64, p.n)
	for i := 1; i < p.n; i++ {
		out[i] = p.probability(i)
	}
	return out
}

// span returns the numbers from one to another, both included.
func span(from, to int) (all []int) {
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}
