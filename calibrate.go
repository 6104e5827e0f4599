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

// A calibration is the effect of measuring on the measured times, on this machine at this moment.
type calibration struct {
	cost        time.Duration // of a span, when spans follow each other directly
	floor       time.Duration // measured duration of a span with an empty body
	uncertainty time.Duration // maximum error of a measured duration
}

// A workbench is a lane for calibration only; it does not appear in snapshots.
type workbench struct {
	sync.Mutex
	lane  *Lane
	zone  *Zone
	colds [5]float64
	turn  int
}

var bench workbench

var calibrateOnce = sync.OnceFunc(func() { calibrate() })

// calibrate runs with each snapshot, since the results depend on the state of the machine. Spans that follow each other
// directly show the whole cost of a span. Around work the processor hides part of it, because it reads the clock while
// earlier and later work is in progress. The error of a span is therefore measured around two chains of multiplications,
// which are also timed without spans. It is assumed to be at least the cost, which is the most that can be hidden.
func calibrate() calibration {
	bench.Lock()
	defer bench.Unlock()
	if bench.lane == nil && !bench.make() {
		return calibration{}
	}
	cold := bench.cold() // before anything warms it up
	whole, empty := bench.spans(0)
	worst := whole
	for _, length := range []int{10, 40} {
		bare := bench.bare(length)
		_, read := bench.spans(length)
		worst = max(worst, math.Abs(read-bare))
	}
	floorTicks.Store(uint64(empty + 0.5))
	whole += cold
	rate := nsPerTick()
	return calibration{cost: time.Duration(whole*rate + 0.5), floor: time.Duration(empty*rate + 0.5), uncertainty: time.Duration(math.Ceil(worst*rate) + 1)}
}

const (
	calibrationRounds = 9
	calibrationTurns  = 16
)

// make makes the lane. It reports false if the budget does not allow one.
func (b *workbench) make() bool {
	for range 100_000 { // the clock is slower in its first millisecond
		if clock.Ticks(); clock.Counting() {
			break
		}
	}
	l := &Lane{pooled: true, hand: manualKey}
	memory.Force(laneBytes + accumulatorBytes)
	l.key.Store(manualKey)
	if !l.tree.makeRoot(true) {
		return false
	}
	l.at.Set(addr(l.tree.root()))
	z := &Zone{}
	memory.Force(z.bytes())
	z.mode.Store(full)
	n := l.tree.grow(l.tree.root(), z, true)
	if n == nil {
		return false
	}
	n.acc = newAccumulator(z)
	b.lane, b.zone = l, z
	return true
}

// spans returns the total and the measured time of a span around a chain of that length, in ticks.
func (b *workbench) spans(length int) (whole, read float64) {
	n := b.lane.tree.root().child(b.zone)
	var all, reads [calibrationRounds]float64
	x := uint64(1)
	for i := range all {
		before := n.total.Get()
		begin := clock.TicksOrdered()
		for range calibrationTurns {
			s := b.lane.Enter(b.zone)
			x = chain(x, length)
			s.Exit()
		}
		all[i] = float64(clock.TicksOrdered()-begin) / calibrationTurns
		reads[i] = float64(n.total.Get()-before) / calibrationTurns
	}
	chained.Store(x)
	return median(all[:]), median(reads[:])
}

// cold returns how much longer a span takes when other goroutines have run since the lane's last span, in ticks. It uses the
// first span of a calibration, when as little of the lane is in the caches as for any other lane that has not run for a
// while. It returns the median of the latest values, or 0 while there are few lanes, which stay in the caches.
func (b *workbench) cold() float64 {
	one := func() float64 {
		begin := clock.TicksOrdered()
		b.lane.Enter(b.zone).Exit()
		return float64(clock.TicksOrdered() - begin)
	}
	first, second := one(), one()
	b.colds[b.turn%len(b.colds)] = first - second
	b.turn++
	lanes.Lock()
	few := len(lanes.awake) <= DefaultDistributions
	lanes.Unlock()
	if few || b.turn < len(b.colds) {
		return 0
	}
	latest := b.colds
	return max(0, median(latest[:]))
}

// bare returns the time that a chain of that length takes, in ticks.
func (b *workbench) bare(length int) float64 {
	var all [calibrationRounds]float64
	x := uint64(1)
	for i := range all {
		begin := clock.TicksOrdered()
		for range calibrationTurns {
			x = chain(x, length)
		}
		all[i] = float64(clock.TicksOrdered()-begin) / calibrationTurns
	}
	chained.Store(x)
	return median(all[:])
}

var chained atomic.Uint64

// chain is n multiplications, each of which depends on the one before.
//
//go:noinline
func chain(x uint64, n int) uint64 {
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
