// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// Pairs compares two costs that are measured in rounds: each once per round, in the order given by an Order. Disturbances
// that last longer than a round do not affect its ratio.
//
// The center of the ratio is the median over all pairs of one round where the base ran first and one where it ran second.
// The interval is that of the Mann-Whitney test between these two groups, which holds for any noise because the order is
// random. With too few rounds for that test, it is Student's t; with fewer than 6 rounds, or with all of them in the same
// order, there is no interval.
//
// The decision to stop may depend on the width of the interval, which says nothing about its position. With a gate it also
// depends on the position, which is examined after 8, 16, 32 rounds and so on. These interim analyses together use at most
// half of 1 - Level, so that the level of the last interval is always close to the one requested.
//
// The zero value compares two unnamed costs with the default options. It is not safe for concurrent use.
type Pairs struct {
	base, other string
	options     CompareOptions
	ready       bool     // options are filled in
	warnings    []string // about the options

	first, second []float64 // log-ratios of rounds where the base ran first, second
	rounds        int       // those without a ratio included
	next, look    int       // numbers of rounds at which to examine the width and the gate next
	spent         float64   // share of 1 - Level that looks at the gate have used
	decided       *stat.Interval
}

// NewPairs returns an empty comparison of two costs with these names.
func NewPairs(base, other string, o CompareOptions) *Pairs {
	p := &Pairs{base: base, other: other, options: o}
	p.prepare()
	return p
}

// prepare fills in the options once.
func (p *Pairs) prepare() {
	if !p.ready {
		p.options, p.warnings = p.options.filled()
		p.ready, p.look = true, 8
	}
}

// Add adds one round: both costs, in the same unit, and whether the base ran first. A round with a cost that is not above
// zero has no ratio; it is counted but otherwise ignored.
func (p *Pairs) Add(base, other float64, baseFirst bool) {
	p.rounds++
	d := math.Log(other) - math.Log(base)
	switch {
	case !(base > 0 && other > 0) || math.IsInf(d, 0) || math.IsNaN(d):
	case baseFirst:
		p.first = append(p.first, d)
	default:
		p.second = append(p.second, d)
	}
}

// Done reports whether to stop: the interval is narrow enough, the gate is decided, or the budget is used up. spent is the
// share of the time, or of the rounds, used so far, where 1 is all of it. Done is never true before MinRounds rounds. Call it
// after each round.
func (p *Pairs) Done(spent float64) bool {
	p.prepare()
	switch {
	case p.decided != nil:
		return true
	case p.rounds < p.options.MinRounds:
		return false
	case spent >= 1:
		return true
	case p.rounds < p.next:
		return false
	}
	p.next = p.rounds + p.rounds/16
	iv := p.interval(1 - p.options.Level)
	if !iv.Bounded() {
		return false
	}
	narrow := 0.0 // how narrow the interval is, where 1 is enough, as far as a few rounds can show
	if p.options.Precision > 0 && p.rounds >= steady {
		narrow = p.options.Precision / ((math.Log(iv.Hi) - math.Log(iv.Lo)) / 2)
	}
	if narrow >= 1 {
		return true
	}
	if p.options.Gate > 0 && p.rounds >= p.look {
		p.look = 2 * p.rounds
		return p.lookAtGate(max(spent, narrow*narrow))
	}
	return false
}

// steady is the number of rounds below which their scatter is too uncertain for a decision to stop.
const steady = 20

// lookAtGate reports whether the gate is decided, and spends part of the error on this look. information is the current share
// of the final information. The error spent so far is proportional to its square and ends at half of the total, so that early
// looks, which rarely decide, cost little, and the last interval keeps at least the other half.
func (p *Pairs) lookAtGate(information float64) bool {
	may := (1-p.options.Level)*decide.Spent(information) - p.spent
	if may <= 1e-9 {
		return false
	}
	p.spent += may
	iv := p.interval(may)
	if !iv.Bounded() || iv.Lo <= 1+p.options.Gate && iv.Hi > 1+p.options.Gate {
		return false
	}
	p.decided = &iv
	return true
}

// Comparison returns the result so far. Without an interval the verdict is Inconclusive, and Ratio.Reason says why.
func (p *Pairs) Comparison() Comparison {
	p.prepare()
	var iv stat.Interval
	if p.decided != nil {
		iv = *p.decided
	} else {
		iv = p.interval(1 - p.options.Level - p.spent)
	}
	if iv.Bounded() {
		iv.Level = p.options.Level // for all looks together
	}
	if dropped := p.rounds - len(p.first) - len(p.second); dropped > 0 {
		iv.Warnings = append(iv.Warnings, fmt.Sprintf("%d rounds without a positive cost are ignored", dropped))
	}
	iv.Warnings = append(iv.Warnings, p.warnings...)
	return Comparison{Base: p.base, Other: p.other, Ratio: iv, Verdict: judge(iv, p.options.Within), Within: p.options.Within, Options: p.options}
}

// interval returns the interval of the ratio with level 1-alpha.
func (p *Pairs) interval(alpha float64) stat.Interval {
	n := uint64(len(p.first) + len(p.second))
	center, lo, hi, method, ok := location(p.first, p.second, alpha)
	if !ok {
		reason := fmt.Sprintf("needs at least %d rounds, has %d", fewest, n)
		if n >= fewest {
			reason = "the same side ran first in every round"
		}
		return stat.Point(exp(middle(p.first, p.second)), n, "rounds", reason)
	}
	return stat.Interval{Center: exp(center), Lo: exp(lo), Hi: exp(hi), Level: 1 - alpha, Method: method + " of interleaved rounds",
		N: n, NEff: float64(n)}
}

// exp returns e to the x, kept within the range of float64 and above zero.
func exp(x float64) float64 { return math.Exp(max(-700, min(x, 700))) }
