// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// calibrated is what a span costs and by how much it reads wrong.
type calibrated struct {
	cost, bias time.Duration
	rate       float64 // ns per tick
}

var calibrateOnce = sync.OnceValue(calibrate)

// calibration returns the constants of this machine. They are measured once; the rate of the clock is always the latest.
func calibration() calibrated {
	c := calibrateOnce()
	c.rate = nsPerTick()
	return c
}

func nsPerTick() float64 { return float64(clock.ToDuration(1<<40)) / (1 << 40) }

// calibrate runs spans back to back, and a known kernel bare and inside a span, in turns; some 0.5 ms in all. Back to back
// shows the whole cost of a span; around work the processor hides part of it. What the kernel takes longer inside its
// span than bare is what a span reads too long.
func calibrate() calibrated {
	const rounds, turns, length = 31, 64, 60
	for until := clock.Now().Add(3 * time.Millisecond); hasG && !clock.Counting() && clock.Now() < until; {
		clock.Ticks() // in its first millisecond the clock is dearer
	}
	z := &Zone{}
	l := new(Lane)
	l.depth.set(1)
	l.accounts.Store(new([]atomic.Pointer[account]))
	l.Enter(z).Exit()
	a := (*l.accounts.Load())[0].Load()

	var empty, bare, recorded []float64
	x := uint64(1)
	for range rounds {
		t0 := clock.TicksOrdered()
		for range turns {
			l.Enter(z).Exit()
		}
		t1 := clock.TicksOrdered()
		for range turns {
			x = kernel(x, length)
		}
		t2 := clock.TicksOrdered()
		before := a.total.get()
		for range turns {
			s := l.Enter(z)
			x = kernel(x, length)
			s.Exit()
		}
		empty = append(empty, float64(t1-t0)/turns)
		bare = append(bare, float64(t2-t1)/turns)
		recorded = append(recorded, float64(a.total.get()-before)/turns)
	}
	sink.Store(x)
	rate := nsPerTick()
	return calibrated{
		cost: time.Duration(median(empty)*rate + 0.5),
		bias: time.Duration(math.Round((median(recorded) - median(bare)) * rate)),
	}
}

var sink atomic.Uint64

// kernel is a chain of multiplications, each waiting for the one before: its time does not overlap with what is around.
//
//go:noinline
func kernel(x uint64, n int) uint64 {
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
