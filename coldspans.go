// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// displaced is how long the workbench must not have been used, so that other work can have displaced its data from the caches.
const displaced = 10 * time.Millisecond

// makeApart makes the paths of the zones that first enters on a lane. It reports false if the budget does not allow them.
func (b *workbench) makeApart(l *Lane) bool {
	n := l.tree.root()
	for i := range b.apart {
		z := &b.apart[i]
		z.id = uint32(i)
		z.mode.Store(full)
		memory.Force(accumulatorBytes)
		if n = l.tree.grow(n, z, true); n == nil {
			return false
		}
		n.acc.Store(newAccumulator(z))
	}
	for range 2 { // the second duration of each makes its histogram
		b.nest(l)
	}
	return true
}

// nest returns the time that a span takes if each of the zones is entered once, in ticks.
func (b *workbench) nest(l *Lane) float64 {
	var open [len(b.apart)]Span
	begin := clock.TicksOrdered()
	for i := range open {
		open[i] = l.Enter(&b.apart[i])
	}
	for _, s := range slices.Backward(open[:]) {
		s.Exit()
	}
	return float64(clock.TicksOrdered()-begin) / float64(len(open))
}

// first measures spans of zones that were not entered for a while, each of another zone: what a span costs in a program that does much
// else between two calls of a function. It comes before anything else in a calibration.
func (b *workbench) first() {
	now := time.Now()
	if now.Sub(b.used) >= displaced {
		b.firsts[b.taken%len(b.firsts)] = b.nest(b.lane)
		b.taken++
	}
	b.used = now
}

// cold returns what such a span takes, in ticks: the median of the latest results; 0 if there is none.
func (b *workbench) cold() float64 {
	latest, n := b.firsts, min(b.taken, len(b.firsts))
	if n == 0 {
		return 0
	}
	return median(latest[:n])
}

// A turn is what a goroutine is assumed to do between two switches of goroutines: this many spans.
const spansATurn = 10

// turn returns the time that a span of a turn takes, in ticks.
func (b *workbench) turn(l *Lane) float64 {
	var open [spansATurn]Span
	begin := clock.TicksOrdered()
	for i := range open {
		open[i] = l.Enter(b.zone)
	}
	for _, s := range slices.Backward(open[:]) {
		s.Exit()
	}
	return float64(clock.TicksOrdered()-begin) / spansATurn
}

// mostSwept is the number of lanes above which the cost of a span is not measured anew: they fill any cache that a processor
// does not share with many others.
const mostSwept = 2048

// switched returns how much longer a span takes in the first turn after n other lanes had theirs, in ticks. What these use of the
// caches, it uses by reading them; the code stays in the caches, since another lane runs it.
func (b *workbench) switched(n int) float64 {
	n = min(n, mostSwept)
	if n < 2 {
		return 0
	}
	turns := 1
	if 2*n < b.swept || n > 2*b.swept {
		turns, b.swept = len(b.turns), n
	}
	lanes.Lock()
	others := append([]*Lane(nil), lanes.awake[:min(n, len(lanes.awake))]...)
	lanes.Unlock()
	for range turns {
		b.turn(b.lane)
		for _, l := range others {
			l.touch()
		}
		b.turn(b.other)
		first := b.turn(b.lane)
		b.turns[b.next%len(b.turns)] = first - b.turn(b.lane)
		b.next++
	}
	latest := b.turns
	return max(0, median(latest[:]))
}

// touch reads what a turn on the lane would use.
func (l *Lane) touch() {
	x := l.key.Load() + uint64(l.id)
	if !l.shared {
		for id := range min(l.tree.count.Read(), spansATurn) {
			x += l.tree.node(id).calls.Read()
		}
	}
	if x == 0 {
		chained.Add(1) // so that the reads are not left out
	}
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
