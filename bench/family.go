// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A Member is one comparison of a [Family].
type Member struct {
	Base, Other string  // names, for the comparison
	Limit       float64 // relative slowdown that still passes, such as 0.05
	Tolerance   float64 // a slowdown of up to Limit + Tolerance passes too, unless it is shown to be above Limit
}

// A Family applies a gate to several comparisons together. Rounds are added to each as to [Pairs], and each comparison is
// decided as early as its rounds allow.
//
// The two outcomes have different errors. A failure is a claim about any of the members, so the level holds for all of them
// together: the probability that one or more of the members that are not slower than their limit fail is at most 1 - level,
// whatever the others cost (S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
// Statistics 6, 1979). A pass is a claim about every one of them, so each is tested at the full level: a family with a member
// that is slower than its limit passes with probability at most 1 - level (the intersection-union principle: R. L. Berger,
// "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982). Leave out members that cannot differ:
// they would use part of the level.
//
// The interim analyses of a member, after 12, 16, 21, 28 rounds and so on, use parts of the error that are fixed in advance,
// together half of it; the last analysis, by Finish, uses the other half. Any rule that depends only on the outcomes may
// therefore decide which members stop and which get more rounds.
//
// A Family is not safe for concurrent use.
type Family struct {
	level   float64
	warning string // about the level
	members []*member
}

// A member is the state of one comparison.
type member struct {
	Member
	limit         float64   // logarithm of the ratio above which it fails
	passing       float64   // logarithm of the largest ratio that passes
	first, second []float64 // log-ratios of rounds where the base ran first, second
	rounds        int       // including those without a ratio
	next          int       // number of rounds at the next look
	looks         []look
	outcome       decide.Outcome
	by            look    // the look that decided
	error         float64 // of failing, for all looks: now, or when it was decided
}

// A look is the state of a member at an interim analysis: the rounds of the two groups, the number of means of pairs of them
// that are at most the limit, and at most what passes, and the share of the error that the look may spend.
type look struct {
	first, second   int
	within, passing int
	share           float64
}

// firstLook is the number of rounds at the first look.
const firstLook = 12

// NewFamily returns a family without rounds. Members are identified by their index. The level must be above one half and below
// 1; 0 means 0.99. An invalid level is replaced by 0.99, and a warning of each ratio says so.
func NewFamily(level float64, members ...Member) *Family {
	f := &Family{level: level}
	if !(level > 0.5 && level < 1) {
		f.level = compareDefaults.Level
		if level != 0 {
			f.warning = fmt.Sprintf("Level %v is invalid (want a fraction above 0.5 and below 1): used %v", level, f.level)
		}
	}
	for _, m := range members {
		limit := max(m.Limit, 0)
		f.members = append(f.members, &member{Member: m, limit: math.Log1p(limit), passing: math.Log1p(limit + max(m.Tolerance, 0)), next: firstLook,
			error: (1 - f.level) / float64(len(members))})
	}
	return f
}

// Add adds a round of member i: both costs, in the same unit, and whether the base ran first, which an [Order] must have drawn.
// A round with a cost that is not above zero has no ratio; it is counted but otherwise ignored. Rounds of a decided member
// are ignored.
func (f *Family) Add(i int, base, other float64, baseFirst bool) {
	m := f.members[i]
	if m.outcome != decide.Undecided {
		return
	}
	m.rounds++
	d := math.Log(other) - math.Log(base)
	switch {
	case !(base > 0 && other > 0) || math.IsInf(d, 0) || math.IsNaN(d):
	case baseFirst:
		m.first = append(m.first, d)
	default:
		m.second = append(m.second, d)
	}
	if len(m.first)+len(m.second) == m.next {
		m.next += m.next / 3
		f.look(m, decide.Interim(len(m.looks)))
		f.sweep()
	}
}

// Finish analyses all undecided members for the last time. Nothing may be added afterwards.
func (f *Family) Finish() {
	for _, m := range f.members {
		if m.outcome == decide.Undecided {
			f.look(m, decide.Final)
		}
	}
	f.sweep()
}

// look adds a look at a member.
func (f *Family) look(m *member, share float64) {
	l := look{first: len(m.first), second: len(m.second), share: share}
	if l.first > 0 && l.second > 0 {
		twice := doubled(m.first, m.second)
		l.within, l.passing = twice.AtMost(2*m.limit), twice.AtMost(2*m.passing)
	}
	m.looks = append(m.looks, l)
}

// sweep decides all members that can be decided. Those that have not failed have equal parts of the error of failing.
func (f *Family) sweep() {
	var open []*member
	for _, m := range f.members {
		if m.outcome != decide.Failed {
			open = append(open, m)
		}
	}
	passing := 1 - f.level
	decide.Holm(1-f.level, decide.Equal(len(open)), func(i int, failing float64) bool { return open[i].test(failing, passing) })
}

// test decides an undecided member, if it can with these errors for all looks, and reports whether it has failed.
func (m *member) test(failing, passing float64) bool {
	if m.outcome != decide.Undecided {
		return false
	}
	m.error = failing
	if len(m.looks) == 0 {
		return false
	}
	for _, l := range m.looks {
		if l.below(l.within, failing*l.share) {
			m.outcome, m.by = decide.Failed, l
			return true
		}
	}
	if last := m.looks[len(m.looks)-1]; last.below(last.first*last.second-last.passing, passing*last.share) {
		m.outcome, m.by = decide.Passed, last
	}
	return false
}

// below reports whether a value of the Mann-Whitney statistic is too small to be chance, at this level of error.
func (l look) below(count int, alpha float64) bool {
	if l.first == 0 || l.second == 0 {
		return false
	}
	cut, ok := decide.Cut(l.first, l.second, alpha)
	return ok && count <= cut
}

// Outcome returns the outcome of member i so far.
func (f *Family) Outcome(i int) decide.Outcome { return f.members[i].outcome }

// Comparison returns member i with the interval of its ratio at the look that decided it, at the last one, or now. Its lower
// bound is that of the test for failing, which allows for the other members, and its upper bound that of the test for
// passing; each holds with the level of the family, so the interval has the level 2*level - 1. [Gate] with the limit of the
// member gives the same outcome and a reason. With too few rounds a bound is infinite, and the reason says so.
func (f *Family) Comparison(i int) Comparison {
	m := f.members[i]
	l := m.by
	if m.outcome == decide.Undecided {
		l = look{first: len(m.first), second: len(m.second), share: decide.Final}
	}
	n := l.first + l.second
	few := fmt.Sprintf("too few rounds for this level, %d", n)
	first, second := m.first[:l.first], m.second[:l.second]
	ratio := stat.Point(exp(middle(first, second)), uint64(n), "rounds", few)
	if lo, hi, ok := shift(first, second, m.error*l.share, (1-f.level)*l.share, m.outcome); ok {
		ratio.Lo, ratio.Hi, ratio.Level, ratio.Method = lo, hi, 2*f.level-1, "Mann-Whitney of interleaved rounds"
		if ratio.Bounded() {
			ratio.Reason = ""
		}
	}
	if dropped := m.rounds - len(m.first) - len(m.second); dropped > 0 {
		ratio.Warnings = append(ratio.Warnings, fmt.Sprintf("%d rounds without a positive cost are left out", dropped))
	}
	if f.warning != "" {
		ratio.Warnings = append(ratio.Warnings, f.warning)
	}
	return Comparison{Base: m.Base, Other: m.Other, Ratio: ratio, Verdict: judge(ratio, 0), Options: CompareOptions{Level: f.level, Gate: m.Limit}}
}

// shift returns a lower and an upper bound of the ratio with these errors, from log-ratios. A bound that needs more rounds than
// there are is infinite; ok is false if the outcome then has no bound to support it.
func shift(first, second []float64, below, above float64, o decide.Outcome) (lo, hi float64, ok bool) {
	if len(first) == 0 || len(second) == 0 {
		return 0, 0, false
	}
	twice := doubled(first, second)
	lo, hi = math.Inf(-1), math.Inf(1)
	lower, hasLower := decide.Cut(len(first), len(second), below)
	if hasLower {
		lo = exp(twice.At(lower+1) / 2)
	}
	upper, hasUpper := decide.Cut(len(first), len(second), above)
	if hasUpper {
		hi = exp(twice.At(twice.N()-upper) / 2)
	}
	return lo, hi, hasLower && hasUpper || hasUpper && o == decide.Passed || hasLower && o == decide.Failed
}
