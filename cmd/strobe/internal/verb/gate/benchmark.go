// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A benchmark is one that exists on both sides.
type benchmark struct {
	series               // of what decides first: of runs of short blocks, or of long ones where processor time is compared
	long          series // of long runs, where those of short blocks decide first
	pkg           *pkg
	name          string // without "Benchmark"
	baseName      string // on the base, if that is another one
	ownTests      bool   // it is that of the base's own tests, where the others are those of the new side
	limit         float64
	time          charge        // that limit is of
	limits        []charge      // of what else decides
	once          time.Duration // duration of the first call on the slower side
	iterations    int           // calls in a block; 0 until it is calibrated
	blocks        int           // of calls in a run; each is timed separately
	longCalls     int           // calls in a long run; 0 until it is calibrated
	setUpGrows    bool          // what a long run does not time grows with the number of calls
	processors    int           // GOMAXPROCS; 0 for as many as there are
	shared        bool          // something else used the core when it was calibrated
	asked         int           // GOMAXPROCS that the flags ask for; 0 for none
	concurrent    bool          // its source starts goroutines
	overheadCount float64       // instructions of a run of blocks apart from its calls; 0 if unknown
	uncounted     string        // why instructions are not counted
	rewritten     bool          // its source differs between the sides
	broken        string        // why it is no longer measured
	brokenSide    int           // the side that failed
	noisy         bool          // it prints
	explained     *explanation  // by profiles of both sides; nil if there are none
}

// in returns the series that the rounds of a task are in.
func (b *benchmark) in(t task, by string) *series {
	if t.long && by == "wall" {
		return &b.long
	}
	return &b.series
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

// run runs the program of one side once, as a process that makes the given number of blocks of calls, each of iterations calls. It
// returns the least time of a call among the blocks.
func (b *benchmark) run(ctx context.Context, side, layout, iterations, blocks int, timeout time.Duration, more ...string) (values, command.Run, error) {
	v, out, err := b.exec(ctx, side, layout, process{iterations: iterations, blocks: blocks, timeout: timeout, more: more})
	return v, out.run, err
}

// exec runs a process of one side once. What belongs to the benchmark is added to it.
func (b *benchmark) exec(ctx context.Context, side, layout int, p process) (values, printout, error) {
	of := side
	if side == oldSide {
		of = b.base()
	}
	p.binary, p.dir, p.pattern, p.processors, p.machine = b.pkg.binaries[of][layout], b.pkg.dirs[side], exactly(b.on(side)), b.processors, b.pkg.machine
	if p.long {
		p.processors, p.from = b.asked, "Benchmark"+b.on(side)
	}
	out, err := b.pkg.exec(ctx, b, side, layout, p)
	b.noisy = b.noisy || out.noise
	v, n := out.least(b.on(side))
	switch {
	case err != nil:
	case n == 0:
		err = errors.New("printed no result")
	case n < p.blocks:
		err = fmt.Errorf("printed %d results of %d", n, p.blocks)
	}
	if err != nil {
		b.brokenSide = side
	}
	return v, out, err
}

// measureOverhead measures how many instructions a run costs apart from its calls: those of processes that make one call in each
// block. The figure of the cheaper side is used for both, so that an error in it cannot make the sides differ.
func (b *benchmark) measureOverhead(ctx context.Context, timeout time.Duration) error {
	fewest := math.Inf(1)
	for side := range sideNames {
		for range 2 {
			_, r, err := b.run(ctx, side, 0, 1, b.blocks, timeout)
			if err != nil {
				return err
			}
			c, _ := countsOf(&r)
			fewest = min(fewest, c.instructions)
		}
	}
	b.overheadCount = max(0, fewest)
	return nil
}

// measure adds a round of runs of short blocks. It returns nil if the round was disturbed and does not count.
func (b *benchmark) measure(ctx context.Context, order *bench.Order, timeout time.Duration) (*round, error) {
	r := round{layout: len(b.rounds) % len(b.pkg.binaries[newSide])}
	for _, side := range order.Next() {
		v, run, err := b.run(ctx, side, r.layout, b.iterations, b.blocks, timeout)
		if err != nil {
			return nil, err
		}
		r.cost[side], r.runs[side], r.allocs[side] = v.ns, disturbanceOf(&run), v.allocs
		r.counts[side], _ = countsOf(&run)
		r.more[side] = v.more
	}
	r.baseFirst = order.Before(oldSide, newSide)
	if !b.add(&r) {
		return nil, nil
	}
	return &r, nil
}

// giveUp records why the benchmark cannot be measured.
func (b *benchmark) giveUp(err error) { b.broken = fmt.Sprint(err) }
