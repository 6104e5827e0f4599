// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// instructions is what is compared with --exact, as reports call it.
const instructions = "instructions (emulated)"

const (
	mostMachines = 4 // at a time; each takes a processor and some hundred MB
	mostCounts   = 5 // of a side whose counts differ
)

// count counts the instructions of both sides of all benchmarks. Nothing that runs beside changes a count, so several machines
// run at a time.
func (m *measurement) count(s *session.Session) {
	began := clock.Now()
	defer func() { m.spent = clock.Since(began) }()
	limited, cancel := context.WithTimeout(s.Ctx, time.Duration(m.flags.MaxTime))
	defer cancel()
	type end struct {
		*benchmark
		err error
	}
	work, ends := make(chan *benchmark), make(chan end)
	for range min(mostMachines, runtime.GOMAXPROCS(0), len(m.all)) {
		go func() {
			for b := range work {
				ends <- end{b, b.count(limited, m.flags.timeout())}
			}
		}()
	}
	go func() {
		for _, b := range m.all {
			work <- b
		}
		close(work)
	}()
	p := s.Progress()
	defer p.Clear()
	for i := range m.all {
		p.Show("counting instructions, %d of %d benchmarks done", i, len(m.all))
		if e := <-ends; e.err != nil && limited.Err() == nil {
			e.giveUp(e.err)
		}
	}
}

// count counts each side once. If the counts are the same, so is the code that runs, and both are certain. Otherwise it counts
// again, to learn whether the counts of a side repeat, and more often if they do not and that matters.
func (b *benchmark) count(ctx context.Context, timeout time.Duration) error {
	for len(b.rounds) < mostCounts {
		var r round
		for side := range sideNames {
			v, _, err := b.run(ctx, side, 0, b.iterations, 1, timeout)
			if err != nil {
				return err
			}
			r.cost[side], r.allocs[side], r.more[side] = v.ns, v.allocs, v.more
		}
		b.rounds = append(b.rounds, r)
		outcome, lo, hi := b.judge()
		if (r.cost[oldSide] == r.cost[newSide] && lo == hi || len(b.rounds) > 1 && outcome != decide.Undecided) && b.settled() {
			break
		}
	}
	return nil
}

// settled reports whether the counts decide about all other metrics that have a limit. One count fails nothing.
func (b *benchmark) settled() bool {
	return !slices.ContainsFunc(b.limits, func(l charge) bool {
		o := b.within(l.bound)
		return o == decide.Undecided || o == decide.Failed && len(b.rounds) < 2
	})
}

// bounds returns the least and the most instructions of a side.
func (b *benchmark) bounds(side int) (least, most float64) {
	least = math.Inf(1)
	for _, r := range b.rounds {
		least, most = min(least, r.cost[side]), max(most, r.cost[side])
	}
	return least, most
}

// judge returns the outcome by the counts, and the least and the largest ratio of the sides.
func (b *benchmark) judge() (o decide.Outcome, lo, hi float64) {
	leastOld, mostOld := b.bounds(oldSide)
	leastNew, mostNew := b.bounds(newSide)
	lo, hi = ratioOf(leastNew, mostOld), ratioOf(mostNew, leastOld)
	switch {
	case len(b.rounds) == 0:
		return decide.Undecided, lo, hi
	case hi <= 1+b.limit:
		return decide.Passed, lo, hi
	case lo > 1+b.limit:
		return decide.Failed, lo, hi
	}
	return decide.Undecided, lo, hi
}

// ratioOf returns after/before; 1 for two zeros.
func ratioOf(after, before float64) float64 {
	if after == before {
		return 1
	}
	return after / before
}

// byInstructions judges a benchmark by its counts.
func (m *measurement) byInstructions(b *benchmark) (x row) {
	x = row{benchmark: b}
	outcome, lo, hi := b.judge()
	if x.outcome = outcome; len(b.rounds) == 0 {
		x.sentence = b.title() + ": there was no time to count; give more with --max-time"
		return x
	}
	before, after := b.median(oldSide), b.median(newSide)
	if center := ratioOf(after, before); !math.IsInf(hi, 0) {
		x.comparison.Ratio = stat.Interval{Center: center, Lo: lo, Hi: hi, Level: 1}
	}
	what := fmt.Sprintf("%s runs %s %s a call, %s on %s, over %d calls", b.title(), count(after), instructions, count(before), sideNames[oldSide], b.iterations)
	found := small(after/before, lo, hi)
	switch outcome {
	case decide.Passed:
		x.sentence = fmt.Sprintf("%s: %s, no more than the allowed %s", what, found, exact(1+b.limit))
	case decide.Failed:
		x.sentence = fmt.Sprintf("%s: %s, more than the allowed %s", what, found, exact(1+b.limit))
	default:
		x.sentence = fmt.Sprintf("%s: %s, and the allowed %s is between them; the counts differ from run to run", what, found, exact(1+b.limit))
	}
	return x
}
