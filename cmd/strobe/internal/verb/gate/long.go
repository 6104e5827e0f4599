// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// Short blocks of calls that begin anew, whose least counts, are precise on a busy machine, but they are blind to what does not
// happen in each of them: work that is put off, the garbage collector, other goroutines, rare calls that take long, and what a call
// costs when there have been many. Long runs see all of that: the calls of each are made in one go, and all of them count.

const (
	leastLonger = 3   // times the length of a run of short blocks, whatever the time that there is
	mostLonger  = 20  // times that length: 400 ms of calls
	longRounds  = 24  // that half of the time is enough for
	fewCalls    = 2   // of a run that shows what the others cost apart from their calls
	leastCalls  = 4   // of a long run
	mostSetUp   = 0.2 // of the time of a long run that may be spent on what it does not time, and grows with its calls
	longEnough  = 12  // rounds that a second opinion takes
	tolerance   = 0.1 // slowdown beyond the limit that long runs need not exclude
	trials      = 3
)

// A target is how long the calls of a long run should take, ns.
type target struct {
	running float64 // without waiting for a processor
	elapsed float64 // at most
}

// longTarget returns that of long runs where runs of short blocks take this long.
func longTarget(run, budget time.Duration, benchmarks int) target {
	least, afford := float64(leastLonger*run), float64(budget)/float64(4*longRounds*max(1, benchmarks))
	return target{max(least, min(float64(mostLonger*run), afford)), max(least, afford)}
}

// calibrateLong chooses the number of calls of a long run: as many as the target allows on the slower side. What a call costs may grow
// with their number, so it approaches that.
func (b *benchmark) calibrateLong(ctx context.Context, want target, timeout time.Duration) error {
	const step = 16
	n := max(leastCalls, b.iterations)
	var made [2]*lengthened                                             // runs of n calls, if any
	for n > leastCalls || leastCalls*float64(b.once) < 2*want.elapsed { // otherwise they take too long, and fewer would be too few
		slower := 0.0
		for side := range sideNames {
			r, took, err := b.timeLong(ctx, side, n, want, timeout)
			if err != nil {
				return err
			}
			made[side], slower = r, max(slower, took)
		}
		if slower > 2 {
			n, made = int(float64(n)/slower), [2]*lengthened{}
		}
		if slower >= 0.5 || n >= 1e9 {
			break
		}
		n = int(min(1e9, step*float64(n), max(float64(n+1), float64(n)/max(1e-9, slower))))
	}
	b.longCalls = max(leastCalls, n)
	return b.measureSetUp(ctx, made, timeout)
}

// timeLong runs so many calls of a side and returns how long they take, as a multiple of the target. Other programs can only make it
// look longer, so more than twice the target is timed again.
func (b *benchmark) timeLong(ctx context.Context, side, calls int, want target, timeout time.Duration) (r *lengthened, took float64, err error) {
	for try := 0; try == 0 || try < trials && took > 2; try++ {
		again, err := b.lengthen(ctx, side, 0, calls, timeout)
		if err != nil {
			return nil, 0, err
		}
		if x := max(again.timed*(1-disturbanceOf(&again.Run).waited)/want.running, again.timed/want.elapsed); try == 0 || x < took {
			r, took = again, x
		}
	}
	return r, took, nil
}

// A lengthened run is one whose calls are made in one go.
type lengthened struct {
	command.Run
	calls       int
	timed       float64 // ns of all calls
	values      values  // of a call
	collections int
}

// lengthen runs the program of one side once, with so many calls.
func (b *benchmark) lengthen(ctx context.Context, side, layout, calls int, timeout time.Duration) (*lengthened, error) {
	v, out, err := b.exec(ctx, side, layout, process{iterations: calls, blocks: 1, timeout: timeout, long: true, traced: calls > fewCalls})
	if err != nil {
		return nil, err
	}
	return &lengthened{out.run, calls, v.ns * float64(calls), v, out.collections}, nil
}

// runLong runs the program of one side twice: with as many calls as a long run has, and with few.
func (b *benchmark) runLong(ctx context.Context, side, layout int, timeout time.Duration) (long, few *lengthened, err error) {
	if long, err = b.lengthen(ctx, side, layout, b.longCalls, timeout); err != nil {
		return nil, nil, err
	}
	few, err = b.lengthen(ctx, side, layout, fewCalls, timeout)
	return long, few, err
}

// measureSetUp notes whether the time that a benchmark does not want to be timed grows with the number of calls, so that the
// processor time of the calls cannot be told from that of their preparation. Other programs can only make it look longer. Long runs
// that were made already are the first it looks at.
func (b *benchmark) measureSetUp(ctx context.Context, made [2]*lengthened, timeout time.Duration) (err error) {
	b.setUpGrows = true
	for try := 0; try < trials && b.setUpGrows; try++ {
		b.setUpGrows = false
		for side := range sideNames {
			long := made[side]
			if try > 0 || long == nil {
				if long, err = b.lengthen(ctx, side, 0, b.longCalls, timeout); err != nil {
					return err
				}
			}
			few, err := b.lengthen(ctx, side, 0, fewCalls, timeout)
			if err != nil {
				return err
			}
			all := float64(long.Wall - few.Wall)
			if (twoRuns{long, few}).parts() {
				all = float64(long.Part.Wall - few.Part.Wall)
			}
			b.setUpGrows = b.setUpGrows || all-long.timed > mostSetUp*all
		}
	}
	return nil
}

// measureLong adds a round of long runs to a series. It returns nil if the round was disturbed and does not count.
func (b *benchmark) measureLong(ctx context.Context, s *series, by string, order *bench.Order, timeout time.Duration) (*round, error) {
	r := round{layout: len(s.rounds) % len(b.pkg.binaries[newSide])}
	var pairs [2]twoRuns
	for _, side := range order.Next() {
		long, few, err := b.runLong(ctx, side, r.layout, timeout)
		if err != nil {
			return nil, err
		}
		pairs[side] = twoRuns{long, few}
		r.runs[side] = disturbanceOf(&long.Run)
		r.counts[side], _ = countsOf(&long.Run)
		r.allocs[side], r.more[side], r.collections[side] = long.values.allocs, long.values.more, float64(long.collections)
	}
	count := whatCounts(pairs)
	for side, x := range pairs {
		r.cost[side] = b.longCost(x, by, count)
	}
	r.baseFirst = order.Before(oldSide, newSide)
	if !s.add(&r) {
		return nil, nil
	}
	return &r, nil
}
