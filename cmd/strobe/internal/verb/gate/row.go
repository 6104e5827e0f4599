// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/stat/decide"
)

// A row is the verdict on a benchmark.
type row struct {
	*benchmark
	outcome    decide.Outcome // of all that decides
	byTime     decide.Outcome
	proof      string   // of a change of the time
	answers    []answer // about other metrics
	comparison bench.Comparison
	opinion    *opinion // of long runs; nil where they decide first, and where instructions are counted
	sentence   string
	repeat     string   // command that measures it again, unless it passed
	seen       *float64 // with --self, the smallest slowdown that would have failed; nil if unknown
	earlier    *earlier // cost of the base; nil if it was not measured here before
}

// An opinion is what long runs say of a benchmark that runs of short blocks decide about.
type opinion struct {
	outcome    decide.Outcome
	comparison bench.Comparison
}

// row judges a benchmark.
func (m *measurement) row(i int) row {
	b := m.all[i]
	if m.emulator != nil {
		return m.finish(m.byInstructions(b))
	}
	x := row{benchmark: b}
	x.comparison, x.outcome, x.sentence = m.judge(task{i, m.flags.By == "cpu"})
	if m.flags.By == "wall" {
		m.weigh(&x, i)
	}
	if m.flags.Self {
		x.seen = m.seen(i)
	}
	return m.finish(x)
}

// judge returns the verdict of the rounds of one kind.
func (m *measurement) judge(t task) (c bench.Comparison, o decide.Outcome, sentence string) {
	b, s := m.all[t.i], m.series(t)
	c, o = m.family.Comparison(m.member(t)), m.family.Outcome(m.member(t))
	_, sentence = bench.Gate(c, b.limit)
	switch {
	case m.flags.By == "cpu" && b.setUpGrows:
		return c, decide.Undecided, b.title() + ": the processor time of its calls cannot be told from that of its preparation, which grows with their number; --by wall can"
	case len(s.rounds) == 0 && slices.Contains(m.tooSlow(), b):
		sentence = m.notBegun([]*benchmark{b})
	case len(s.rounds) == 0:
		sentence = b.title() + ": there was no time for a round; give more with --max-time"
	case c.Ratio.Level == 0:
		sentence = fmt.Sprintf("%s: too few rounds to decide at this level, %d; give more time with --max-time", b.title(), len(s.rounds))
	}
	if slow, of := s.slowLayouts(b.limit); o == decide.Failed && of > 1 {
		sentence += fmt.Sprintf(", in %d of %d layouts of the code", slow, of)
		if !s.layoutsAgree(b.limit) {
			o = decide.Undecided
			sentence += ": the position of its functions in memory may make the difference"
		}
	}
	return c, o, sentence
}

// weigh lets the long runs of a benchmark have their say. They see more, and less precisely. What they fail has failed, and
// nothing passes or fails against what they show.
func (m *measurement) weigh(x *row, i int) {
	c, o, sentence := m.judge(task{i, true})
	x.opinion = &opinion{o, c}
	runs := fmt.Sprintf("in runs of %d calls", x.longCalls)
	switch costs := runs + " it costs " + change(c.Ratio); {
	case o == decide.Failed && x.outcome == decide.Failed:
		x.sentence += "; " + costs
	case o == decide.Failed:
		x.outcome = decide.Failed
		x.sentence = fmt.Sprintf("%s, %s, which short blocks of %d do not show", sentence, runs, x.iterations)
	case x.outcome == decide.Failed && m.contradicted(i):
		x.outcome = decide.Undecided
		x.sentence += "; but " + costs + ": the cost of a call depends on how many are made. --by cpu judges long runs alone"
	case x.outcome == decide.Passed && o == decide.Undecided:
		x.outcome = decide.Undecided
		if c.Ratio.Level == 0 {
			costs = fmt.Sprintf("there was time for %s %s only", layout.Plural(uint64(len(x.long.rounds)), "round"), runs)
		}
		x.sentence += "; but " + costs + fmt.Sprintf(", where %+.4g %% or less has to be shown: give more time with --max-time", 100*(x.limit+tolerance))
	}
}

// finish adds to a row what does not depend on how it was judged: the other metrics, and the command that repeats it.
func (m *measurement) finish(x row) row {
	b := x.benchmark
	m.join(&x)
	if text := b.explained.cause(); text != "" && x.outcome == decide.Failed {
		x.sentence += "; " + text
	}
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

// isWaived reports whether the time may be above its limit, and a waiver allows that.
func (x *row) isWaived() bool {
	iv := x.comparison.Ratio
	return x.time.waiver != nil && len(x.rounds) > 0 && x.byTime == decide.Passed && !(iv.Level > 0 && iv.Hi <= 1+x.time.plain.share)
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

// seen returns the smallest slowdown that would have failed, if all rounds had been slower by it.
func (m *measurement) seen(i int) *float64 {
	b := m.all[i]
	alpha := (1 - float64(m.flags.Level)) / 2 / float64(len(m.all)) // of the last interim analysis
	p := bench.NewPairs("", "", bench.CompareOptions{Level: 1 - 2*alpha})
	for _, r := range b.rounds {
		p.Add(r.cost[oldSide], r.cost[newSide], r.baseFirst)
	}
	iv := p.Comparison().Ratio
	if iv.Level == 0 || !(iv.Lo > 0) {
		return nil
	}
	v := (1+b.limit)*iv.Center/iv.Lo - 1
	return &v
}
