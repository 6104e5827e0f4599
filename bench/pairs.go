// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// A Comparison is what came of measuring two in turn.
type Comparison struct {
	Base    string        // name of the one compared with
	Other   string        // name of the one judged
	Ratio   stat.Interval // cost of the other over cost of the base; N is the rounds
	Verdict Verdict       // about the other
	Within  float64       // the share below which a difference counts as none
	Options Options       // as used, with the seed of the order

	BaseTime  stat.Interval // ns a call; of Compare, else without samples
	OtherTime stat.Interval // ns a call; of Compare, else without samples
}

// String says it in a line: "new is 1.048 [1.041, 1.055] times old: slower".
func (c Comparison) String() string {
	if c.Ratio.Level == 0 {
		return fmt.Sprintf("%s against %s: %s, %s", c.Other, c.Base, c.Verdict, c.Ratio.In(1, ""))
	}
	verdict := string(c.Verdict)
	if c.Verdict == Same {
		verdict = fmt.Sprintf("same within %.3g %%", 100*c.Within)
	}
	return fmt.Sprintf("%s is %s times %s: %s", c.Other, c.Ratio.In(1, ""), c.Base, verdict)
}

// Pairs compares what was measured in rounds: in each the base and the other once, in the order that an [Order] gives. The ratio
// of a round is free of what is slow enough to hit both.
//
// What counts is the block of two rounds in opposite order: ABBA or BAAB, by a coin. Were both the same, the log-ratio of each block could as
// well have had the other sign, whatever the noise is like and however it hangs together; what depends on who goes first cancels. The
// center is the median of the means of every two blocks, the interval the one that Wilcoxon's signed rank test gives. With fewer than
// 20 rounds it is Student's t, with fewer than 6 there is none.
//
// When to stop may depend on the interval's width, from 20 rounds on, which says nothing about where it lies; and with [Options].Gate on
// where it lies, at looks after 8, 16, 32 rounds and so on: those share 1 - Level among each other, most of it kept for the last.
//
// Make one with NewPairs. Not safe for concurrent use.
type Pairs struct {
	base, other string
	options     Options
	logs        []float64 // of the ratios, by round; NaN where there is none
	dropped     int       // those without
	next, look  int       // rounds at which the width and the gate are looked at next
	time        float64   // part of the information that there was at the last look
	spent       float64   // of 1 - Level
	decided     *stat.Interval
}

// NewPairs returns an empty comparison.
func NewPairs(base, other string, o Options) *Pairs {
	return &Pairs{base: base, other: other, options: o.forPairs(), look: 8}
}

// Add takes one round. A cost that is not above zero has no ratio: the round is counted and left out.
func (p *Pairs) Add(base, other float64) {
	d := math.Log(other) - math.Log(base)
	if !(base > 0 && other > 0) || math.IsInf(d, 0) {
		d = math.NaN()
	}
	if math.IsNaN(d) {
		p.dropped++
	}
	p.logs = append(p.logs, d)
}

// Done reports whether it is time to stop: the interval is narrow enough, or the gate is decided, or all of what there was to spend, of
// time or of rounds, is spent. It is never done before Options.MinRepeat rounds. Call it after each round.
func (p *Pairs) Done(spent float64) bool {
	n := len(p.logs)
	switch {
	case p.decided != nil:
		return true
	case n < p.options.MinRepeat || n%2 == 1 && spent < 2: // an odd round has no opposite
		return false
	case spent >= 1:
		return true
	case n < max(p.next, p.options.MinRepeat):
		return false
	}
	p.next = n + n/16
	iv := p.interval(p.options.Level)
	if iv.Level == 0 {
		return false
	}
	half := (math.Log(iv.Hi) - math.Log(iv.Lo)) / 2
	// The scatter of a few blocks is too uncertain to stop by.
	if n >= 2*few && p.options.Precision > 0 && half <= p.options.Precision {
		return true
	}
	if p.options.Gate > 0 && n >= p.look {
		p.look = 2 * n
		p.time = max(p.time, spent)
		if p.options.Precision > 0 {
			p.time = max(p.time, p.options.Precision/half*p.options.Precision/half)
		}
		return p.glance()
	}
	return false
}

// glance looks whether the gate is decided, for the part of the error that it may spend now: it grows with the square of the
// information, which leaves most to the end.
func (p *Pairs) glance() bool {
	alpha := 1 - p.options.Level
	may := alpha*min(1, p.time)*min(1, p.time) - p.spent
	if may <= 1e-9 {
		return false
	}
	p.spent += may
	iv := p.interval(1 - may)
	if iv.Level == 0 || iv.Lo <= 1+p.options.Gate && iv.Hi > 1+p.options.Gate {
		return false
	}
	p.decided = &iv
	return true
}

// Comparison returns what is known so far. Without an interval the verdict is Inconclusive, and the first warning of Ratio says why.
func (p *Pairs) Comparison() Comparison {
	iv := p.decided
	if iv == nil {
		last := p.interval(p.options.Level + p.spent)
		iv = &last
	}
	if iv.Level > 0 {
		iv.Level = p.options.Level // all looks together
	}
	if p.dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Sprintf("%d rounds without a positive cost are left out", p.dropped))
	}
	return Comparison{Base: p.base, Other: p.other, Ratio: *iv, Verdict: judge(*iv, p.options.Within), Within: p.options.Within,
		Options: p.options}
}

// interval returns that of the ratio.
func (p *Pairs) interval(level float64) stat.Interval {
	var blocks []float64
	for i := 1; i < len(p.logs); i += 2 {
		if block := (p.logs[i-1] + p.logs[i]) / 2; !math.IsNaN(block) {
			blocks = append(blocks, block)
		}
	}
	n := uint64(len(p.logs) - p.dropped)
	center, lo, hi, method, ok := location(blocks, level)
	if !ok {
		return stat.Interval{Center: 1, Lo: -math.MaxFloat64, Hi: math.MaxFloat64, Method: "rounds", N: n, NEff: float64(n),
			Warnings: []string{fmt.Sprintf("no interval: needs at least %d rounds, has %d", 2*fewest, n)}}
	}
	return stat.Interval{Center: exp(center), Lo: exp(lo), Hi: exp(hi), Level: level, Method: method + " of interleaved blocks",
		N: n, NEff: float64(2 * len(blocks))}
}

// exp returns e to the x, within the range of float64 and above zero.
func exp(x float64) float64 { return math.Exp(max(-700, min(x, 700))) }
