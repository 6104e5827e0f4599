// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat/decide"
)

// A row is the verdict on a benchmark.
type row struct {
	*benchmark
	outcome    decide.Outcome // of all that decides
	byTime     decide.Outcome
	answers    []answer // about other metrics
	comparison bench.Comparison
	sentence   string
	repeat     string   // command that measures it again, unless it passed
	seen       *float64 // with --self, the smallest slowdown that would have failed; nil if unknown
}

// row judges a benchmark.
func (m *measurement) row(i int) row {
	b := m.all[i]
	if m.emulator != nil {
		return m.finish(m.byInstructions(b))
	}
	x := row{benchmark: b, outcome: m.family.Outcome(i), comparison: m.family.Comparison(i)}
	_, x.sentence = bench.Gate(x.comparison, b.limit)
	switch {
	case len(b.rounds) == 0:
		x.sentence = b.title() + ": there was no time for a round; give more with --max-time"
	case x.comparison.Ratio.Level == 0:
		x.sentence = fmt.Sprintf("%s: too few rounds to decide at this level, %d; give more time with --max-time", b.title(), len(b.rounds))
	}
	if slow, of := b.slowLayouts(m.flags.By); x.outcome == decide.Failed && of > 1 {
		x.sentence += fmt.Sprintf(", in %d of %d layouts of the code", slow, of)
		if !b.layoutsAgree(m.flags.By) {
			x.outcome = decide.Undecided
			x.sentence += ": the position of its functions in memory may make the difference"
		}
	}
	if x.outcome == decide.Failed && b.grown != "" {
		x.sentence += "; " + b.grown
	}
	if x.outcome == decide.Undecided && m.flags.By == "wall" && b.overhead > 0 {
		if c, o := m.byProcessor(i); o != decide.Undecided {
			x.sentence += fmt.Sprintf("; by processor time it costs %s and has %s: --by cpu", change(c.Ratio), o)
		}
	}
	if m.flags.Self {
		x.seen = m.seen(i)
	}
	return m.finish(x)
}

// finish adds to a row what does not depend on how it was judged: the other metrics, and the command that repeats it.
func (m *measurement) finish(x row) row {
	b := x.benchmark
	m.join(&x)
	if b.rewritten && !b.likeForLike() && x.outcome != decide.Passed {
		x.sentence += "; the benchmark itself was changed, which may be the cause"
	}
	if x.outcome != decide.Passed {
		base := ""
		if m.checkout != nil {
			base = m.checkout.base[:12]
		}
		x.repeat = m.flags.repeat(base, b)
	}
	return x
}

// join adds the answers to a row. Its sentence is that of what has its outcome.
func (m *measurement) join(x *row) {
	x.byTime, x.answers = x.outcome, m.answers(x.benchmark)
	outcome, sentences := decide.Passed, map[decide.Outcome][]string{}
	if m.flags.judges(byTime) {
		outcome = x.outcome
		sentences[outcome] = append(sentences[outcome], x.sentence)
	}
	for _, a := range x.answers {
		if a.decides {
			outcome = outcome.And(a.outcome)
			sentences[a.outcome] = append(sentences[a.outcome], a.sentence)
		}
	}
	x.outcome, x.sentence = outcome, strings.Join(sentences[outcome], "; ")
}

// byProcessor judges a benchmark by processor time, as a member of a family as large.
func (m *measurement) byProcessor(i int) (bench.Comparison, decide.Outcome) {
	members := make([]bench.Member, len(m.all))
	for k, b := range m.all {
		members[k].Limit = b.limit
	}
	f := bench.NewFamily(float64(m.flags.Level), members...)
	b := m.all[i]
	for _, r := range b.rounds {
		f.Add(i, b.cost(&r, oldSide, "cpu"), b.cost(&r, newSide, "cpu"), r.baseFirst)
	}
	f.Finish()
	return f.Comparison(i), f.Outcome(i)
}

// seen returns the smallest slowdown that would have failed, if all rounds had been slower by it.
func (m *measurement) seen(i int) *float64 {
	b := m.all[i]
	alpha := (1 - float64(m.flags.Level)) / 2 / float64(len(m.all)) // of the last interim analysis
	p := bench.NewPairs("", "", bench.CompareOptions{Level: 1 - 2*alpha})
	for _, r := range b.rounds {
		p.Add(b.cost(&r, oldSide, m.flags.By), b.cost(&r, newSide, m.flags.By), r.baseFirst)
	}
	iv := p.Comparison().Ratio
	if iv.Level == 0 || !(iv.Lo > 0) {
		return nil
	}
	v := (1+b.limit)*iv.Center/iv.Lo - 1
	return &v
}
