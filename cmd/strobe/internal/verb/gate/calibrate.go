// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"runtime"
	"time"
)

const (
	mostBlocks = 40                    // of a run: the least of many short ones is the time of undisturbed calls
	manyBlocks = 200                   // where the core is shared: it is left alone for a fraction of a millisecond at a time
	startCost  = 4 * time.Millisecond  // about what a Go process costs to start, of processor time
	mostSetup  = 30 * time.Millisecond // what the setups of all blocks of a run may cost; few blocks cost far more in noise on a busy machine
)

// calibrate chooses the number of blocks in a run, and of calls in a block, so that a run of the slower side takes about as long as
// target. It also chooses the number of processors: the given one, or if that is 0, a single one unless more make a difference.
//
// Each block begins with a garbage collection, which stops and wakes the threads of all processors. Where another program wants a
// processor too, that takes longer than the block and adds most of the scatter.
func (b *benchmark) calibrate(ctx context.Context, target, timeout time.Duration, processors int) error {
	b.asked = processors
	if b.processors = processors; processors > 0 || b.concurrent {
		return b.chooseBlocks(ctx, target, timeout)
	}
	b.processors = 1
	err := b.chooseBlocks(ctx, target, timeout)
	if err != nil || runtime.GOMAXPROCS(0) == 1 {
		return err
	}
	if enough, err := b.oneIsEnough(ctx, timeout); err != nil || enough {
		return err
	}
	b.processors = 0
	return b.chooseBlocks(ctx, target, timeout)
}

// chooseBlocks chooses the number of blocks in a run and of calls in a block. On a busy machine a process costs more than what it
// measures, so few are started.
func (b *benchmark) chooseBlocks(ctx context.Context, target, timeout time.Duration) error {
	v, r, err := b.run(ctx, oldSide, 0, 1, 2, timeout)
	if err != nil {
		return err
	}
	_, b.uncounted = countsOf(&r)
	setup := max(1, v.ns, (processorTime(&r)-float64(startCost))/2) // of a block, with its first call
	if setup < float64(mostSetup/4) {                               // then most of that may be the start of the process, which is dear on a busy machine
		const many = 16
		v2, longer, err := b.run(ctx, oldSide, 0, 1, 2+many, timeout)
		if err != nil {
			return err
		}
		v.ns = min(v.ns, v2.ns)
		setup = max(1, v.ns, (processorTime(&longer)-processorTime(&r))/many)
	}
	most := float64(mostBlocks)
	if b.shared {
		most = manyBlocks
	}
	b.blocks = max(1, int(min(most, max(float64(target), float64(mostSetup))/setup)))
	block := float64(target) / float64(b.blocks)
	b.iterations = max(1, int(min(100, block/max(1, v.ns))))
	for side := oldSide; side <= newSide; {
		if side == newSide {
			if err := b.approach(ctx, block, timeout); err != nil {
				return err
			}
		}
		v, _, err := b.run(ctx, side, 0, b.iterations, b.blocks, timeout)
		if err != nil {
			return err
		}
		took := v.ns * float64(b.iterations)
		if side == oldSide && took < block/2 && b.iterations < 1e9 {
			b.iterations = int(min(1e9, max(float64(b.iterations+1), float64(b.iterations)*min(100, block/max(1, took)))))
			continue
		}
		if side == newSide {
			b.limitCalls(took, block)
		}
		side++
	}
	return nil
}

// limitCalls lowers the number of calls in a block for a side on which they take much longer than a block should.
func (b *benchmark) limitCalls(took, block float64) {
	if took > 4*block {
		b.iterations = max(1, int(float64(b.iterations)*4*block/took))
	}
}

// approach makes fewer calls on the new side first, if as many as the base makes might exceed the time limit there.
func (b *benchmark) approach(ctx context.Context, block float64, timeout time.Duration) error {
	if float64(b.once)*float64(b.iterations)*float64(b.blocks) < float64(timeout)/2 {
		return nil
	}
	const step = 16
	for n := max(1, b.iterations/(step*step)); n < b.iterations; n *= step {
		v, _, err := b.run(ctx, newSide, 0, n, 1, timeout)
		if err != nil {
			return err
		}
		b.limitCalls(v.ns*float64(b.iterations), block)
	}
	return nil
}

// oneIsEnough reports whether a call takes about as long with one processor as with all, on both sides. Other programs can only
// make it look longer, so a call that looks much longer is timed again.
func (b *benchmark) oneIsEnough(ctx context.Context, timeout time.Duration) (bool, error) {
	one := *b
	all := *b
	all.processors = 0
	for side := range sideNames {
		var least [2]float64
		for try := 0; ; try++ {
			for i, x := range [2]*benchmark{&one, &all} {
				v, _, err := x.run(ctx, side, 0, b.iterations, min(b.blocks, 8<<try), timeout)
				if err != nil {
					b.brokenSide = side
					return false, err
				}
				if try == 0 || v.ns < least[i] {
					least[i] = v.ns
				}
			}
			if x := least[1] / least[0]; x >= leastAlike && x <= mostAlike {
				break
			}
			if try == 2 {
				return false, nil
			}
		}
	}
	return true, nil
}

// The ratio of the times with all processors and with one where more processors are said to make no difference.
const (
	leastAlike = 0.9
	mostAlike  = 1.5
)
