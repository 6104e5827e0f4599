// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A benchmark is one that exists on both sides.
type benchmark struct {
	pkg           *pkg
	name          string // without "Benchmark"
	baseName      string // on the base, if that is another one
	ownTests      bool   // it is that of the base's own tests, where the others are those of the new side
	limit         float64
	limits        []bound       // of what else decides
	once          time.Duration // duration of the first call on the slower side
	iterations    int           // calls in a run; 0 until it is calibrated
	rounds        []round
	disturbed     []round   // those that do not count
	quiet         quietRule // decides which those are
	blocks        int       // blocks of calls in a run; each block is timed separately
	processors    int       // GOMAXPROCS; 0 for as many as there are
	concurrent    bool      // its source starts goroutines
	overhead      float64   // processor time of a run apart from its calls, ns; 0 if unknown
	overheadCount float64   // instructions of a run apart from its calls; 0 if unknown
	uncounted     string    // why instructions are not counted
	rewritten     bool      // its source differs between the sides
	broken        string    // why it is no longer measured
	brokenSide    int       // the side that failed
	noisy         bool      // it prints
	grown         string    // the function whose time grew the most, by profiles of both sides
}

// A round is one run of each side, with the same layout.
type round struct {
	wall      [2]float64 // ns per call, the least of all blocks
	cpu       [2]float64 // ns of the whole process
	allocs    [2]float64 // per call
	more      [2]map[metric]float64
	runs      [2]disturbance
	counts    [2]counts
	baseFirst bool
	layout    int
}

// waited returns the share of the time that a run of the round waited for a processor, the larger one of the two runs. ok is false
// if the system does not report it.
func (r *round) waited() (share float64, ok bool) {
	return max(r.runs[oldSide].waited, r.runs[newSide].waited), r.runs[oldSide].known && r.runs[newSide].known
}

// maxProcs returns GOMAXPROCS of its runs.
func (b *benchmark) maxProcs() int {
	switch {
	case b.pkg.machine != nil:
		return 1
	case b.processors > 0:
		return b.processors
	}
	return runtime.GOMAXPROCS(0)
}

// title is the name of a benchmark in sentences.
func (b *benchmark) title() string {
	return b.pkg.path[strings.LastIndexByte(b.pkg.path, '/')+1:] + "." + b.name
}

// on returns the name on a side.
func (b *benchmark) on(side int) string {
	if side == oldSide && b.baseName != "" {
		return b.baseName
	}
	return b.name
}

// base returns the index of its binaries on the base.
func (b *benchmark) base() int {
	if b.ownTests {
		return ownSide
	}
	return oldSide
}

// likeForLike reports whether both sides run the source of the new side.
func (b *benchmark) likeForLike() bool { return b.pkg.flags != nil && !b.ownTests }

// cost returns what a side cost in a round, in ns per call.
func (b *benchmark) cost(r *round, side int, by string) float64 {
	if by == "cpu" {
		return (r.cpu[side] - b.overhead) / float64(b.iterations*b.blocks)
	}
	return r.wall[side]
}

// run runs the program of one side once, as a process that makes the given number of blocks of calls, each of iterations calls. It
// returns the least time of a call among the blocks.
func (b *benchmark) run(ctx context.Context, side, layout, iterations, blocks int, timeout time.Duration, more ...string) (v values, r command.Run, err error) {
	of := side
	if side == oldSide {
		of = b.base()
	}
	p := process{binary: b.pkg.binaries[of][layout], dir: b.pkg.dirs[side], pattern: exactly(b.on(side)), iterations: iterations, blocks: blocks, processors: b.processors,
		timeout: timeout, more: more, machine: b.pkg.machine}
	out, err := b.pkg.exec(ctx, b, side, layout, p)
	b.noisy = b.noisy || out.noise
	v, n := out.least(b.on(side))
	switch {
	case err != nil:
	case n == 0:
		err = errors.New("printed no result")
	case n < blocks:
		err = fmt.Errorf("printed %d results of %d", n, blocks)
	}
	if err != nil {
		b.brokenSide = side
	}
	return v, out.run, err
}

// measureOverhead measures what a run costs apart from its calls: the processor time and the instructions of processes that make
// one call in each block. The figures of the cheaper side are used for both, so that an error in them cannot make the sides differ.
func (b *benchmark) measureOverhead(ctx context.Context, timeout time.Duration) error {
	least, fewest := math.Inf(1), math.Inf(1)
	for side := range sideNames {
		for range 2 {
			_, r, err := b.run(ctx, side, 0, 1, b.blocks, timeout)
			if err != nil {
				return err
			}
			least = min(least, processorTime(&r))
			c, _ := countsOf(&r)
			fewest = min(fewest, c.instructions)
		}
	}
	b.overhead, b.overheadCount = least, max(0, fewest)
	return nil
}

// measure adds a round. It returns nil if the round was disturbed and does not count.
func (b *benchmark) measure(ctx context.Context, order *bench.Order, timeout time.Duration) (*round, error) {
	r := round{layout: len(b.rounds) % len(b.pkg.binaries[newSide])}
	for _, side := range order.Next() {
		v, run, err := b.run(ctx, side, r.layout, b.iterations, b.blocks, timeout)
		if err != nil {
			return nil, err
		}
		r.wall[side], r.cpu[side], r.runs[side] = v.ns, processorTime(&run), disturbanceOf(&run)
		r.counts[side], _ = countsOf(&run)
		r.allocs[side], r.more[side] = v.allocs, v.more
	}
	r.baseFirst = order.Before(oldSide, newSide)
	if _, ok := r.waited(); ok && b.quiet.setsApart(r.runs[oldSide].waited, r.runs[newSide].waited) {
		b.disturbed = append(b.disturbed, r)
		return nil, nil
	}
	b.rounds = append(b.rounds, r)
	return &r, nil
}

// giveUp records why the benchmark cannot be measured.
func (b *benchmark) giveUp(err error) { b.broken = fmt.Sprint(err) }

// median returns the median of a side's costs, in ns per call.
func (b *benchmark) median(side int, by string) float64 {
	all := make([]float64, len(b.rounds))
	for i := range b.rounds {
		all[i] = b.cost(&b.rounds[i], side, by)
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// waiting returns the median share of waiting of the rounds that count, and the mean number of preemptions of their runs; nil if
// the system does not report them.
func (b *benchmark) waiting() (share, preempted *float64) {
	var shares []float64
	sum, runs := 0.0, 0
	for i := range b.rounds {
		if w, ok := b.rounds[i].waited(); ok {
			shares = append(shares, w)
		}
		for _, d := range b.rounds[i].runs {
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
func (b *benchmark) allocations(side int) (least, most float64) {
	least, most = b.rounds[0].allocs[side], b.rounds[0].allocs[side]
	for _, r := range b.rounds {
		least, most = min(least, r.allocs[side]), max(most, r.allocs[side])
	}
	return least, most
}

// slowLayouts returns the number of layouts in which the benchmark is slower than allowed, and the number of all layouts.
func (b *benchmark) slowLayouts(by string) (slow, of int) {
	ratios := map[int][]float64{}
	for _, r := range b.rounds {
		ratios[r.layout] = append(ratios[r.layout], b.cost(&r, newSide, by)/b.cost(&r, oldSide, by))
	}
	for _, all := range ratios {
		slices.Sort(all)
		if all[len(all)/2] > 1+b.limit {
			slow++
		}
	}
	return slow, len(ratios)
}

// layoutsAgree reports whether the benchmark is slower than allowed in more than three quarters of the layouts. The rounds in one
// layout resemble each other, so chance in a few layouts could look like certainty.
func (b *benchmark) layoutsAgree(by string) bool {
	slow, of := b.slowLayouts(by)
	return of < 3 || 4*slow > 3*of
}
