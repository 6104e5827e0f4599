// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/stat/decide"
)

// A question is whether a metric of a benchmark, other than its time, is within its bound.
type question struct {
	*benchmark
	charge
}

// An answer is what is known about a metric of a benchmark.
type answer struct {
	charge
	decides       bool
	before, after float64 // medians
	rounds        int     // that have both
	apart         bool    // every run of one side has more than any of the other
	outcome       decide.Outcome
	sentence      string // empty if it does not decide
}

// ask adds the questions to the members of the family that decides about time, so that all share one error. If time does not
// decide, they have a family of their own.
func (m *measurement) ask(members []bench.Member) []bench.Member {
	var more []bench.Member
	for _, b := range m.all {
		for _, l := range b.limits {
			m.questions = append(m.questions, question{b, l})
			more = append(more, bench.Member{Base: sideNames[oldSide], Other: b.title(), Limit: l.limit()})
		}
	}
	if m.flags.judges(byTime) {
		m.first = len(members)
		return append(members, more...)
	}
	m.others = bench.NewFamily(float64(m.flags.Level), more...)
	return members
}

// questioned returns the family of the questions.
func (m *measurement) questioned() *bench.Family {
	if m.others != nil {
		return m.others
	}
	return m.family
}

// tell adds a round of a benchmark to the questions about it. A round that lacks a value is none.
func (m *measurement) tell(b *benchmark, r *round) {
	for k, q := range m.questions {
		if q.benchmark != b {
			continue
		}
		base, other := 0.0, 0.0
		if before, after, ok := r.both(q.metric); ok {
			base, other = q.costs(before, after)
		}
		m.questioned().Add(m.first+k, base, other, r.baseFirst)
	}
}

// both returns a metric of both runs of a round.
func (r *round) both(k metric) (before, after float64, ok bool) {
	before, hasOld := r.more[oldSide][k]
	after, hasNew := r.more[newSide][k]
	return before, after, hasOld && hasNew
}

// asks reports whether a question about a benchmark is open.
func (m *measurement) asks(b *benchmark) bool {
	for k, q := range m.questions {
		if o := m.questioned().Outcome(m.first + k); q.benchmark == b && (o == decide.Undecided || o == decide.Failed && !b.layoutsFail(q.bound)) {
			return true
		}
	}
	return false
}

// layoutsFail reports whether a metric is worse than allowed in more than three quarters of the layouts.
func (b *benchmark) layoutsFail(l bound) bool {
	ratios := map[int][]float64{}
	for i := range b.rounds {
		if before, after, ok := b.rounds[i].both(l.metric); ok {
			base, other := l.costs(before, after)
			ratios[b.rounds[i].layout] = append(ratios[b.rounds[i].layout], other/base)
		}
	}
	worse := 0
	for _, all := range ratios {
		slices.Sort(all)
		if all[len(all)/2] > 1+l.limit() {
			worse++
		}
	}
	return len(ratios) < 3 || 4*worse > 3*len(ratios)
}

// answers returns what is known about all metrics of a benchmark but its time, those that decide first.
func (m *measurement) answers(b *benchmark) (all []answer) {
	for k, q := range m.questions {
		if q.benchmark != b {
			continue
		}
		a := b.answer(q.charge)
		a.decides = true
		switch {
		case a.rounds == 0:
			a.sentence = fmt.Sprintf("%s reports no %s in a run on both sides", b.title(), q.unit())
		case m.emulator != nil:
			m.sentence(&a, b, b.within(q.bound))
		default:
			o := m.questioned().Outcome(m.first + k)
			if o == decide.Failed && !b.layoutsFail(q.bound) {
				o = decide.Undecided
			}
			m.sentence(&a, b, o)
		}
		all = append(all, a)
	}
	seen := map[metric]bool{}
	for i := range b.rounds {
		for k := range b.rounds[i].more[newSide] {
			seen[k] = true
		}
	}
	for _, k := range slices.Sorted(maps.Keys(seen)) {
		if slices.ContainsFunc(all, func(a answer) bool { return a.metric == k }) {
			continue
		}
		if a := b.answer(charge{bound: bound{metric: k}}); a.rounds > 0 {
			all = append(all, a)
		}
	}
	return all
}

// answer returns a metric of a benchmark, without an outcome.
func (b *benchmark) answer(l charge) answer {
	var sides [2][]float64
	for i := range b.rounds {
		if before, after, ok := b.rounds[i].both(l.metric); ok {
			sides[oldSide], sides[newSide] = append(sides[oldSide], before), append(sides[newSide], after)
		}
	}
	a := answer{charge: l, rounds: len(sides[oldSide])}
	if a.rounds == 0 {
		return a
	}
	for _, all := range sides {
		slices.Sort(all)
	}
	before, after := sides[oldSide], sides[newSide]
	last := a.rounds - 1
	a.before, a.after = (before[last/2]+before[a.rounds/2])/2, (after[last/2]+after[a.rounds/2])/2
	a.apart = after[0] > before[last]+l.slack(before[last]) || after[last] < before[0]-l.slack(before[0])
	return a
}

// within returns the outcome of a metric in the emulated machine, where no run is disturbed: by the extremes.
func (b *benchmark) within(l bound) decide.Outcome {
	least, most := 0.0, 0.0
	for i := range b.rounds {
		for k := range b.rounds {
			base, other := l.costs(b.rounds[i].more[oldSide][l.metric], b.rounds[k].more[newSide][l.metric])
			if ratio := other / base; i+k == 0 {
				least, most = ratio, ratio
			} else {
				least, most = min(least, ratio), max(most, ratio)
			}
		}
	}
	switch {
	case len(b.rounds) == 0:
		return decide.Undecided
	case most <= 1+l.limit():
		return decide.Passed
	case least > 1+l.limit():
		return decide.Failed
	}
	return decide.Undecided
}

// sentence gives an answer its outcome and its sentence.
func (m *measurement) sentence(a *answer, b *benchmark, o decide.Outcome) {
	more, less := "more", "at most"
	if a.falls {
		more, less = "less", "at least"
	}
	has := fmt.Sprintf("%s has %s %s, %s on %s: %s", b.title(), a.text(a.after), a.unit(), a.text(a.before), sideNames[oldSide], a.differs())
	confidence := ""
	if m.emulator == nil {
		confidence = ", with " + m.confidence()
	}
	switch a.outcome = o; o {
	case decide.Failed:
		a.sentence = fmt.Sprintf("%s, %s than the allowed %s%s", has, more, a.allowed(), confidence)
	case decide.Passed:
		a.sentence = fmt.Sprintf("%s, %s the allowed %s%s", has, less, a.allowed(), confidence)
	default:
		a.sentence = fmt.Sprintf("%s; %s do not show whether that is %s than the allowed %s: give more time with --max-time, or another limit with --limit",
			has, layout.Plural(uint64(a.rounds), "round"), more, a.allowed())
	}
}

// confidence is that of the verdicts, which is never complete.
func (m *measurement) confidence() string {
	return fmt.Sprintf("%.4g %% confidence", min(99.99, 100*float64(m.flags.Level)))
}

// differs writes the change of a metric in percent.
func (a *answer) differs() string {
	switch {
	case a.before == a.after:
		return signed("0")
	case a.before == 0:
		return "from none"
	}
	return exact(a.after / a.before)
}

// cells returns the line of a table, for a benchmark of this name.
func (a *answer) cells(name string) []string {
	verdict := "not judged"
	if a.decides {
		verdict = verdictOf(a.outcome, a.isWaived())
	}
	return []string{name + " " + a.unit(), a.text(a.before), a.text(a.after), a.differs(), fmt.Sprint(a.rounds), verdict}
}

// shown reports whether a table has the answer: if it did not pass, or the sides differ.
func (a *answer) shown() bool {
	return a.decides && a.outcome != decide.Passed || a.isWaived() || a.rounds > 0 && a.apart
}

// isWaived reports whether a metric is worse than its limit, and a waiver allows that.
func (a *answer) isWaived() bool {
	base, other := a.costs(a.before, a.after)
	return a.waiver != nil && a.rounds > 0 && a.outcome == decide.Passed && other/base > 1+a.plain.limit()
}

// verdictOf is an outcome in a table, which a waiver may have made.
func verdictOf(o decide.Outcome, waived bool) string {
	switch {
	case o == decide.Failed:
		return strings.ToUpper(o.String())
	case waived:
		return "waived"
	}
	return o.String()
}
