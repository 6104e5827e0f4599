// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/stamp"
)

// A calibration is the effect of measuring on the measured times, on this machine at this moment.
type calibration struct {
	cost        float64       // in ns, of a span, when spans follow each other directly
	cold        float64       // in ns, of a span whose data other work has displaced from the caches; cost if that is more, or not known yet
	skipped     float64       // in ns, of a call that is not timed; cost if that cannot be measured
	floor       float64       // in ns, measured duration of a span with an empty body
	uncertainty time.Duration // maximum error of a measured duration
}

// A workbench is a lane for calibration only; it does not appear in snapshots.
type workbench struct {
	sync.Mutex
	lane  *Lane
	other *Lane
	zone  *Zone
	turns [5]float64 // the latest results of switched
	few   Zone       // sampled
	parts [2]Zone    // sampled: the calls of the second are inside dissected ones of the first
	next  int
	swept int // number of lanes when all of turns were measured

	apart  [8]Zone    // each entered once in a calibration
	firsts [9]float64 // the latest results of first, of taken in all
	taken  int
	used   time.Time // when first was called, or they were made
}

var bench workbench

var calibrateOnce = sync.OnceFunc(func() { calibrate() })

// calibrate runs with each snapshot, since the results depend on the state of the machine. Spans that follow each other
// directly show the whole cost of a span. Around work the processor hides part of it, because it reads the clock while
// earlier and later work is in progress. The error of a span is therefore measured around two chains of multiplications,
// which are also timed without spans. It is assumed to be at least the cost, which is the most that can be hidden.
//
// A program that does much else between two calls of a function finds the data of its zone displaced from the caches. The workbench is
// such a function, since it is used now and then, so its first spans cost what they do there.
//
// Where many goroutines take turns, their lanes are not in the caches when they are needed. A span then takes longer by what
// switched measures for as many lanes as were in use, on average over a turn of ten spans.
func calibrate() calibration {
	bench.Lock()
	defer bench.Unlock()
	if bench.lane == nil && !bench.make() {
		return calibration{}
	}
	bench.first()
	whole, empty := bench.spans(0)
	worst := whole
	for _, length := range []int{10, 40} {
		bare := bench.bare(length)
		_, read := bench.spans(length)
		worst = max(worst, math.Abs(read-bare))
	}
	floorTicks.Store(uint64(empty + 0.5))
	besideTicks.Store(bench.beside(empty))
	whole += bench.switched(int(lanesInUse.Load()))
	rate := nsPerTick()
	skipped, ok := bench.skipped()
	if !ok {
		skipped = whole
	}
	return calibration{cost: tenths(whole * rate), cold: tenths(max(whole, bench.cold()) * rate), skipped: tenths(skipped * rate), floor: tenths(empty * rate), uncertainty: time.Duration(math.Ceil(worst*rate) + 1)}
}

// tenths rounds to tenths of a ns, below which a calibration means nothing.
func tenths(ns float64) float64 { return math.Round(10*ns) / 10 }

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
	z := &Zone{}
	z.mode.Store(full)
	l, other := b.laneOf(z), b.laneOf(z)
	if l == nil || other == nil || !b.makeApart(l) {
		return false
	}
	memory.Force(z.bytes())
	b.lane, b.other, b.zone = l, other, z
	for i, z := range []*Zone{&b.few, &b.parts[0], &b.parts[1]} {
		z.id = uint32(i) // so that the lane finds them at once
		z.every.Store(1 << 30)
		z.skips.Store(newSkips(1))
		z.mode.Store(sampled)
		memory.Force(z.skips.Load().bytes())
	}
	b.used = time.Now()
	return true
}

// laneOf makes a lane for spans of a zone. It returns nil if the budget does not allow one.
func (b *workbench) laneOf(z *Zone) *Lane {
	l := &Lane{pooled: true, hand: manualKey, random: 1}
	memory.Force(laneBytes + accumulatorBytes)
	l.key.Store(manualKey)
	if !l.tree.makeRoot(true) {
		return nil
	}
	l.at.Set(addr(l.tree.root()))
	n := l.tree.grow(l.tree.root(), z, true)
	if n == nil {
		return nil
	}
	n.acc.Store(newAccumulator(z))
	return l
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

// skipped returns how much longer a call takes that is not timed, with a zone behind Due, in ticks; ok is false if that cannot be
// measured.
func (b *workbench) skipped() (ticks float64, ok bool) {
	record := stamp.Record()
	if record == 0 {
		return 0, false
	}
	counts := &skipped{}
	counts.record.Store(record)
	b.few.hint.Store(counts)
	var all, none [calibrationRounds]float64
	for i := range all {
		counts.left.Set(calibrationTurns)
		begin := clock.TicksOrdered() // the functions are called from different places, so that each call is predicted
		for range calibrationTurns {
			behindDue(&b.few)
		}
		middle := clock.TicksOrdered()
		for range calibrationTurns {
			nothing(&b.few)
		}
		end := clock.TicksOrdered()
		all[i], none[i] = float64(middle-begin)/calibrationTurns, float64(end-middle)/calibrationTurns
	}
	return max(0, median(all[:])-median(none[:])), true
}

// beside returns how much the self time of a dissected call grows with each empty call of a sampled zone inside, beyond what is
// subtracted, in ticks. empty is what a call without any measures.
func (b *workbench) beside(empty float64) uint64 {
	l, outer := b.lane, b.lane.sampled(&b.parts[0])
	var all [calibrationRounds]float64
	for i := range all {
		outer.left.Load().left.Set(0) // the next call is timed, and dissected
		outer.until = 0
		s := l.Enter(outer.zone)
		before := s.node.total.Get() + s.start&^slowly - s.node.inside()
		for range calibrationTurns {
			insideZone(l, &b.parts[1])
		}
		direct := l.timing.open[0].direct
		s.Exit()
		all[i] = float64(s.node.total.Get()-s.node.inside()-(before^isOpen)-direct) / calibrationTurns
	}
	return uint64(max(0, median(all[:])-empty/calibrationTurns) + 0.5)
}

//go:noinline
func insideZone(l *Lane, z *Zone) {
	if z.mode.Load() == sampled {
		defer l.Enter(z).Exit()
	}
}

//go:noinline
func behindDue(z *Zone) {
	if z.Due() {
		defer z.Enter().Exit()
	}
}

//go:noinline
func nothing(*Zone) {}

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
