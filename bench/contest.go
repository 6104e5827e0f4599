// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// A contest measures the two functions of a rig, by rounds and by long stretches.
type contest struct {
	rig   rig
	o     CompareOptions // filled in
	batch int            // calls of a function in a round
	loop  float64        // ns that the loop takes for a batch
	off   float64        // ns of that to subtract in ratios
	order *Order
	rng   *rand.Rand

	all, alone rounds   // rounds: all of them, and those in which nothing else used the core
	fastest    [2]int64 // batch
	slow       bool     // a batch is as long as a stretch should be
	began      time.Duration
	first      memory // when the rounds began

	long       [2]stretches
	collecting time.Duration // processor time that the collector took during the stretches
	live       uint64
	beside     stat.Interval
}

// rounds are all rounds of a contest, or some of them.
type rounds struct {
	pairs *Pairs
	mean  [2]stat.BatchMeans // ns of a batch
}

func newContest(r rig, o CompareOptions, batch int, loop float64) *contest {
	c := &contest{rig: r, o: o, batch: batch, loop: loop, off: loop, order: NewOrder(2, o.Seed), rng: rand.New(rand.NewPCG(o.Seed, 1)),
		fastest: [2]int64{math.MaxInt64, math.MaxInt64}, beside: stat.Unknown("not measured")}
	c.all.pairs, c.alone.pairs = NewPairs("base", "other", o), NewPairs("base", "other", o)
	return c
}

// warmUp calls both functions without measuring.
func (c *contest) warmUp(ctx context.Context) {
	for once := true; once || c.rig.elapsed() < c.o.WarmUp && ctx.Err() == nil; once = false {
		took, _ := c.rig.round(c.order.Next(), c.rng.IntN(depths))
		c.slow = min(took[0], took[1]) >= int64(shortestStretch)
	}
	c.order = NewOrder(2, c.o.Seed)
}

// measureRounds runs rounds until their ratio is known well enough, or half of the time is up.
func (c *contest) measureRounds(ctx context.Context) {
	c.began, c.first = c.rig.elapsed(), c.rig.memory()
	budget := float64(c.o.MaxTime-c.began) / 2
	if c.slow { // then the rounds are long stretches too
		budget *= 2
	}
	for {
		c.round()
		spent := 2.0
		if budget > 0 {
			spent = float64(c.rig.elapsed()-c.began) / budget
		}
		if ctx.Err() != nil || spent > 0.1 && c.done(spent) { // a few ms are not enough, even if the result looks good
			return
		}
	}
}

// round runs one round.
func (c *contest) round() {
	var took [2]int64
	alone := true
	depth, order := c.rng.IntN(depths), c.order.Next()
	if c.slow {
		for _, i := range order {
			s := c.rig.stretch(i, depth, c.batch, math.MaxInt64)
			took[i] = int64(s.wall)
			c.long[i].add(s, c.off/float64(c.batch))
		}
	} else {
		took, alone = c.rig.round(order, depth)
	}
	for i, t := range took {
		c.fastest[i] = min(c.fastest[i], t)
	}
	first := c.order.Before(0, 1)
	c.all.add(took, c.off, first)
	if alone {
		c.alone.add(took, c.off, first)
	}
}

func (t *rounds) add(took [2]int64, off float64, baseFirst bool) {
	t.pairs.Add(float64(took[0])-off, float64(took[1])-off, baseFirst)
	t.mean[0].Add(took[0])
	t.mean[1].Add(took[1])
}

// counted returns the rounds that count: those in which nothing else used the core, if there are enough.
func (c *contest) counted() *rounds {
	if c.alone.pairs.rounds >= max(steady, c.o.MinRounds) {
		return &c.alone
	}
	return &c.all
}

// done reports whether there are enough rounds. Their results matter only once it is clear which of them count.
func (c *contest) done(spent float64) bool {
	if t := c.counted(); t == &c.alone || c.slow {
		return t.pairs.Done(spent)
	}
	return spent >= 1 && c.all.pairs.rounds >= c.o.MinRounds
}

// The lengths of long stretches and of the pause. A stretch should see several collections, if there are any.
const (
	shortestStretch = 5 * time.Millisecond
	periods         = 4
	longestPause    = 50 * time.Millisecond
	waking          = 500 * time.Microsecond // processor time in the pause that sleeping, waking and the runtime may take
	finest          = 0.01                   // half-width of the ratio of long stretches: a narrower interval is not worth the time
	patience        = 50                     // a stretch ends after so many times its expected length, since its function gets slower and slower
)

// measureStretches runs long stretches of calls until their ratio is known well enough, or time is up.
func (c *contest) measureStretches(ctx context.Context) {
	left := c.o.MaxTime - c.rig.elapsed()
	pause := max(time.Millisecond, min(longestPause, left/10))
	until := c.o.MaxTime - pause
	before := c.rig.memory()
	if !c.slow {
		target := c.lengthOfStretch(left - pause)
		calls := c.batch
		if per := c.perCall(); per > 0 {
			calls = int(min(largest, max(float64(calls), float64(target)/per)))
		}
		for n := 0; ctx.Err() == nil && (n < fewestStretches || c.rig.elapsed() < until && !c.narrow()); n++ {
			depth := c.rng.IntN(depths)
			for _, i := range c.order.Next() {
				c.long[i].add(c.rig.stretch(i, depth, calls, patience*max(target, shortestStretch)), c.off/float64(c.batch))
			}
		}
	}
	after := c.rig.memory()
	c.collecting, c.live = after.collector-before.collector, after.live
	if ctx.Err() != nil {
		return
	}
	used, known := c.rig.pause(pause)
	took := c.long[0].took + c.long[1].took
	if busy := c.long[0].used + c.long[1].used; known && busy > 0 && took > 0 {
		c.beside = stat.Point(float64(max(0, used-waking))/float64(pause)*float64(took)/float64(busy), 1, "processor time in a pause", "one pause")
	} else {
		c.beside = stat.Unknown(noCPU)
	}
}

// perCall returns the time of a call of the slower function in the fastest rounds, in ns, since the usual time includes that of
// other programs.
func (c *contest) perCall() float64 {
	return float64(max(c.fastest[0], c.fastest[1])) / float64(c.batch)
}

// lengthOfStretch returns the length of a stretch if all of them together may take the given time. It is the time on an idle
// machine; a busy one takes longer, by the same factor as for the rounds.
func (c *contest) lengthOfStretch(all time.Duration) time.Duration {
	period := c.rig.memory().period(c.first, c.rig.elapsed()-c.began)
	base, other := c.all.mean[0].Moments(), c.all.mean[1].Moments()
	slower := max(1, (base.Mean()+other.Mean())/float64(c.fastest[0]+c.fastest[1]))
	return min(max(shortestStretch, periods*period), time.Duration(float64(all)/(2*fewestStretches)/slower))
}

// narrow reports whether the ratio of the long stretches is known well enough.
func (c *contest) narrow() bool {
	if len(c.long[0].wall) < steady || c.o.Precision < 0 {
		return false
	}
	var l Long
	l.ratios(&c.long, c.o.Level, c.waits())
	return l.Ratio.Half() <= max(finest, c.o.Precision)
}

// waits reports whether a function spends much of its time without a processor even when nothing disturbs it.
func (c *contest) waits() bool {
	for i, s := range c.long {
		if undisturbed := float64(c.fastest[i]) - c.loop; s.calls > 0 && undisturbed > c.loop {
			if float64(s.used)/float64(s.calls) < 0.7*undisturbed/float64(c.batch) {
				return true
			}
		}
	}
	return false
}

// comparison returns the result. half is the uncertainty of the loop's cost for a batch.
func (c *contest) comparison(half float64) Comparison {
	t := c.counted()
	r := t.pairs.Comparison()
	n := float64(c.batch)
	r.BaseTime = net(t.mean[0].Interval(0.95), n, c.loop, half)
	r.OtherTime = net(t.mean[1].Interval(0.95), n, c.loop, half)
	r.Calls = uint64(c.all.pairs.rounds) * uint64(c.batch)
	r.SetApart = c.all.pairs.rounds - t.pairs.rounds
	l := &Long{Base: c.long[0].summary(), Other: c.long[1].summary(), Beside: c.beside, Live: c.live, Collector: stat.Unknown(noCPU)}
	l.ratios(&c.long, c.o.Level, c.waits())
	if used := c.long[0].used + c.long[1].used; used > 0 && c.long[0].known {
		l.Collector = stat.Point(min(1, float64(c.collecting)/float64(used)), 1, "the runtime's estimate", "an estimate of the runtime")
	}
	r.Long = l
	r.Verdict = r.weigh()
	return r
}
