// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

const (
	mostExplained  = 3                      // benchmarks that are profiled: those that became slower by most
	explainShare   = 5                      // profiles take at most a fifth of --max-time, in addition to it
	allocationPart = 4                      // a fourth of that is left for what is allocated
	profiledRun    = 500 * time.Millisecond // of the processor profile, which has 100 samples a second
	fewestRounds   = 4                      // before anything is said; then twice as many, and so on
	countedRuns    = 3                      // pairs of runs of each side in which allocations are counted, one less if they agree
	countedRun     = 20 * time.Millisecond  // that the shorter of a pair takes without the profile, unless it makes
	mostCounted    = 20_000                 // calls, of which each allocation is recorded
	unlikeSides    = 4                      // ratio of the costs from which on the sides make different numbers of calls
)

// An explanation is what profiles of a benchmark that failed say about its cause.
type explanation struct {
	compared    profdiff.Comparison
	allocations []profdiff.Allocation
	uncounted   bool // there was no time to count them
	rounds      int
	samples     [2]int
	spent       time.Duration
	page        string   // that was written, empty for none
	files       []string // that were kept: pairs of profiles
	profiles    *profdiff.Profiles
}

// explain profiles the benchmarks that failed.
func (m *measurement) explain(s *session.Session) (unwritten error) {
	if m.emulator != nil || m.flags.Self || !m.flags.Explain {
		return nil
	}
	var failed []row
	for i, b := range m.all {
		if b.broken != "" || len(b.rounds) == 0 {
			continue
		}
		if x := m.row(i); x.byTime == decide.Failed || x.allocatesMore() {
			failed = append(failed, x)
		}
	}
	if len(failed) > mostExplained {
		slices.SortStableFunc(failed, func(a, b row) int { return cmp.Compare(b.comparison.Ratio.Center, a.comparison.Ratio.Center) })
		m.notes = append(m.notes, fmt.Sprintf("%s failed; those %d were profiled that became slower by most", layout.Plural(uint64(len(failed)), "benchmark"), mostExplained))
		failed = failed[:mostExplained]
	}
	if len(failed) > 0 && m.checkout != nil {
		m.edits = m.checkout.edits(s.Ctx)
	}
	began, budget := clock.Now(), time.Duration(m.flags.MaxTime)/explainShare
	if m.flags.WithBuilds { // nothing comes on top
		budget = min(budget, time.Duration(m.flags.MaxTime)-m.elapsed())
	}
	p := s.Progress()
	defer p.Clear()
	for i, x := range failed {
		p.Show("profiling %s", x.title())
		e := explainer{benchmark: x.benchmark, temp: m.temp, timeout: m.flags.timeout(), seed: m.seed, error: 1 - float64(m.flags.Level),
			budget: (budget - clock.Since(began)) / time.Duration(len(failed)-i)}
		e.cost, e.calls = x.failedCost()
		e.timed = x.byTime == decide.Failed
		err := e.explain(s.Ctx)
		if s.Interrupted() {
			return unwritten
		}
		if err != nil {
			m.notes = append(m.notes, fmt.Sprintf("no profile of %s: %v", x.title(), err))
			continue
		}
		if m.flags.Profile != "" {
			unwritten = errors.Join(unwritten, e.keep(m.flags.Profile))
		}
		x.explained = &e.explanation
	}
	return unwritten
}

// failedCost returns the cost of a call that failed: that in short blocks, or if these did not fail, that in long runs, with their
// number of calls. Otherwise that is 0.
func (x *row) failedCost() (c profdiff.Cost, calls int) {
	s, comparison := &x.series, x.comparison
	for side := range c.Waited {
		c.Waited[side] = s.medianOf(func(r *round) float64 { return r.runs[side].waited })
	}
	if x.opinion != nil && x.opinion.outcome == decide.Failed && comparison.Ratio.Lo <= 1+x.limit {
		s, comparison, calls = &x.long, x.opinion.comparison, x.longCalls
		c.Waited = [2]float64{} // that is not part of their costs
	}
	c.Call, c.Ratio = [2]float64{s.median(oldSide), s.median(newSide)}, comparison.Ratio
	return c, calls
}

// allocatesMore reports whether what a benchmark allocates has failed.
func (x *row) allocatesMore() bool {
	return slices.ContainsFunc(x.answers, func(a answer) bool {
		return a.decides && a.outcome == decide.Failed && (a.metric == byAllocs || a.metric == byBytes)
	})
}
