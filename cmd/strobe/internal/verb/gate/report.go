// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
)

// A report is what a measurement found.
type report struct {
	m    *measurement
	rows []row
	gate *gate.Gate
}

// A row is the verdict on a benchmark.
type row struct {
	*benchmark
	outcome    bench.Outcome
	comparison bench.Comparison
	sentence   string
	again      string   // command that repeats it, unless it passed
	seen       *float64 // with --self, the smallest slowdown that would have failed; nil if unknown
}

// report draws the conclusions.
func (m *measurement) report() *report {
	r := &report{m: m, gate: gate.New(fallback)}
	for i := len(m.flags.Gate) - 1; i >= 0; i-- {
		if l := m.flags.Gate[i]; l.name == "" {
			r.gate.Limit = l.share
			break
		}
	}
	for i, b := range m.all {
		if b.broken == "" {
			r.rows = append(r.rows, m.row(i))
		}
	}
	passed := 0
	var open []row
	for _, x := range r.rows {
		switch x.outcome {
		case bench.Passed:
			passed++
		case bench.Failed:
			r.gate.Add(x.outcome, x.sentence)
		default:
			open = append(open, x)
		}
	}
	if len(open) > fewUndecided {
		r.gate.Add(bench.Undecided, fmt.Sprintf("%d of %s: what is allowed lies between the bounds of their changes; more --max-time decides more of them",
			len(open), layout.Plural(uint64(len(r.rows)), "benchmark")))
	} else {
		for _, x := range open {
			r.gate.Add(x.outcome, x.sentence)
		}
	}
	switch {
	case len(r.rows)+len(m.unchanged)+len(m.added)+len(m.vanished) == 0 && !slices.ContainsFunc(m.broken, func(f fault) bool { return !f.both }):
		r.gate.Add(bench.Undecided, "nothing could be compared")
	case passed > 0 && m.emulator != nil:
		r.gate.Add(bench.Passed, fmt.Sprintf("%d of %s at most as many %s as allowed", passed, layout.Plural(uint64(len(r.rows)), "benchmark"), instructions))
	case passed > 0:
		r.gate.Add(bench.Passed, fmt.Sprintf("%d of %s at most as slow as allowed, each with %.4g %% confidence", passed,
			layout.Plural(uint64(len(r.rows)), "benchmark"), 100*float64(m.flags.Level)))
	}
	if len(m.unchanged) > 0 {
		r.gate.Add(bench.Passed, fmt.Sprintf("%s not measured: the test program is the same on both sides", layout.Plural(uint64(len(m.unchanged)), "package")))
	}
	return r
}

// fewUndecided is up to how many undecided benchmarks have a sentence and a command each. The JSON has those of all.
const fewUndecided = 3

// row judges a benchmark.
func (m *measurement) row(i int) row {
	b := m.all[i]
	if m.emulator != nil {
		return m.finish(m.byInstructions(b))
	}
	x := row{benchmark: b, outcome: m.family.Outcome(i), comparison: m.family.Comparison(i)}
	_, x.sentence = bench.Gate(x.comparison, b.limit)
	if len(b.rounds) == 0 {
		x.sentence = b.title() + ": there was no time for a round; give more with --max-time"
	}
	if slow, of := b.slowLayouts(m.flags.By); x.outcome == bench.Failed && of > 1 {
		x.sentence += fmt.Sprintf(", in %d of %d layouts of the code", slow, of)
		if !b.layoutsAgree(m.flags.By) {
			x.outcome = bench.Undecided
			x.sentence += ": where its functions lie in memory may make the difference"
		}
	}
	if x.outcome == bench.Failed && b.grown != "" {
		x.sentence += "; " + b.grown
	}
	if x.outcome == bench.Undecided && m.flags.By == "wall" && b.idle > 0 {
		if c, o := m.byProcessor(i); o != bench.Undecided {
			x.sentence += fmt.Sprintf("; by processor time it costs %s and has %s: --by cpu", change(c.Ratio.Center), o)
		}
	}
	if m.flags.Self {
		x.seen = m.seen(i)
	}
	return m.finish(x)
}

// finish adds to a row what does not depend on how it was judged: allocations, and the command that repeats it.
func (m *measurement) finish(x row) row {
	b := x.benchmark
	if m.flags.CountAllocs && len(b.rounds) > 0 {
		if _, most := b.allocations(oldSide); m.moreAllocations(b) {
			least, _ := b.allocations(newSide)
			x.outcome = bench.Failed
			x.sentence = fmt.Sprintf("%s makes %s a call, %g against %s; %s", b.title(), layout.Plural(uint64(least), "allocation"), most, sideNames[oldSide], x.sentence)
		}
	}
	if x.outcome != bench.Passed {
		base := ""
		if m.checkout != nil {
			base = m.checkout.base[:12]
		}
		x.again = m.flags.again(base, b)
	}
	return x
}

// moreAllocations reports whether every run of the new side made more allocations than any of the base.
func (m *measurement) moreAllocations(b *benchmark) bool {
	_, most := b.allocations(oldSide)
	least, _ := b.allocations(newSide)
	return least > most
}

// byProcessor judges a benchmark by processor time, as a member of a family as large.
func (m *measurement) byProcessor(i int) (bench.Comparison, bench.Outcome) {
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
	error := (1 - float64(m.flags.Level)) / 2 / float64(len(m.all)) // that of the last look
	p := bench.NewPairs("", "", bench.CompareOptions{Level: 1 - 2*error})
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

// again returns the commands that repeat what failed, and what is undecided if that is not much.
func (r *report) again() []string {
	var failed, open []string
	for _, x := range r.rows {
		switch {
		case x.outcome == bench.Failed:
			failed = append(failed, x.again)
		case x.again != "":
			open = append(open, x.again)
		}
	}
	if len(open) > fewUndecided {
		return failed
	}
	return append(failed, open...)
}

// faults returns what could not be compared, sentence by sentence, and whether the new side is to blame for one.
func (r *report) faults() (sentences []string, blame bool) {
	all := slices.Clone(r.m.broken)
	for _, b := range r.m.all {
		if b.broken != "" {
			all = append(all, fault{name: b.pkg.path + "." + b.name, side: b.brokenSide, why: b.broken})
		}
	}
	for _, f := range all {
		where := "on " + sideNames[f.side] + " only"
		switch {
		case r.m.flags.Self:
			where, blame = "", true
		case f.both:
			where = "on both sides"
		case f.side == newSide:
			where, blame = "on "+sideNames[newSide], true
		}
		sentences = append(sentences, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.name, f.why, where)))
	}
	return sentences, blame
}

// err returns the error that decides the exit code: that of the gate if it failed, then that of what does not run any more.
func (r *report) err() error {
	faults, blame := r.faults()
	if blame && r.gate.Outcome != bench.Failed {
		return session.Failure{Code: session.CommandFailed, Err: errors.New(faults[0])}
	}
	return r.gate.Err()
}

// verdict returns one word for all.
func (r *report) verdict() string {
	if _, blame := r.faults(); blame && r.gate.Outcome != bench.Failed {
		return "broken"
	}
	return r.gate.Outcome.String()
}

// remarks returns what qualifies the results, a sentence each.
func (r *report) remarks() []string {
	notes := slices.Clone(r.m.notes)
	if len(r.rows) > 0 && r.m.layouts < 2 && r.m.emulator == nil {
		notes = append(notes, "the code was linked in one layout only, so that a change may be due to where functions lie in memory: --layouts 4 links it in several")
	}
	if text := r.disturbed(); text != "" {
		notes = append(notes, text)
	}
	var noisy []string
	for _, b := range r.m.all {
		if b.noisy {
			noisy = append(noisy, b.title())
		}
	}
	if len(noisy) > 0 {
		notes = append(notes, "what these benchmarks print costs "+map[bool]string{false: "time", true: "instructions"}[r.m.emulator != nil]+" too: "+strings.Join(noisy, ", "))
	}
	if r.m.flags.Self && r.m.emulator == nil {
		least, most, unknown := math.Inf(1), 0.0, 0
		for _, x := range r.rows {
			if x.seen == nil {
				unknown++
				continue
			}
			least, most = min(least, *x.seen), max(most, *x.seen)
		}
		if most > 0 {
			notes = append(notes, fmt.Sprintf("in %s on this machine, slowdowns from %s to %s on would fail, depending on the benchmark",
				r.m.spent.Round(1e8), change(1+least), change(1+most)))
		}
		if unknown > 0 {
			notes = append(notes, fmt.Sprintf("%s had too few rounds to see anything; give more time with --max-time", layout.Plural(uint64(unknown), "benchmark")))
		}
	}
	return notes
}

// disturbed says how many rounds were disturbed by others, empty if none were.
func (r *report) disturbed() string {
	apart, all, waited, kept, unknown := 0, 0, 0.0, 0.0, 0
	for _, b := range r.m.all {
		apart += len(b.disturbed)
		all += len(b.rounds) + len(b.disturbed)
		for i := range b.disturbed {
			w, _ := b.disturbed[i].waited()
			waited += w
		}
		for i := range b.rounds {
			w, ok := b.rounds[i].waited()
			if kept += w; !ok {
				unknown++
			}
		}
	}
	switch {
	case r.m.emulator != nil || all == 0:
		return ""
	case apart > 0:
		return fmt.Sprintf("%d of %s were disturbed: they waited for a processor for %s %% of the time; they are not counted", apart,
			layout.Plural(uint64(all), "round"), layout.Fixed(100*waited/float64(apart), 0))
	case unknown < all && kept/float64(all-unknown) > mostWaiting:
		return fmt.Sprintf("the rounds waited for a processor for %s %% of the time, so that none stands out as disturbed", layout.Fixed(100*kept/float64(all-unknown), 0))
	case unknown == all:
		return "whether others disturbed the rounds is unknown: this system does not say how long a program waits for a processor"
	}
	return ""
}

// counted reports whether instructions stand beside time.
func (r *report) counted() bool {
	return slices.ContainsFunc(r.rows, func(x row) bool {
		_, _, _, ok := x.instructionRatio()
		return ok
	})
}

// cells returns what the tables have of a row: its name, both medians, the change with its bounds, that of the instructions if they
// stand beside time, the rounds and the verdict.
func (r *report) cells(x *row) []string {
	cells := x.cells(r.m.flags.by())
	if r.counted() {
		text := "?"
		if ratio, _, _, ok := x.instructionRatio(); ok {
			text = small(ratio, 0, 0)
		}
		cells = slices.Insert(cells, 4, text)
	}
	return cells
}

// titles returns the heads of the columns of cells, the first without a name.
func (r *report) titles() []string {
	titles := []string{"", "base", "new", "change", "rounds", "verdict"}
	if r.m.emulator != nil {
		titles[4] = "counts"
	}
	if r.counted() {
		titles = slices.Insert(titles, 4, "instructions")
	}
	return titles
}

func (x *row) cells(by string) []string {
	if len(x.rounds) == 0 {
		return []string{x.name, "?", "?", "not measured", "0", x.outcome.String()}
	}
	iv := x.comparison.Ratio
	text, value := "?", units.Duration
	switch {
	case by == instructions:
		value = count
		if iv.Level > 0 {
			text = small(iv.Center, iv.Lo, iv.Hi)
		}
	case iv.Level > 0 && iv.Lo < 1e-9:
		text = fmt.Sprintf("%s, at most %s", change(iv.Center), change(iv.Hi))
	case iv.Level > 0 && iv.Hi > 1e9:
		text = fmt.Sprintf("%s, at least %s", change(iv.Center), change(iv.Lo))
	case iv.Level > 0:
		text = fmt.Sprintf("%s [%s, %s]", change(iv.Center), change(iv.Lo), change(iv.Hi))
	}
	verdict := x.outcome.String()
	if x.outcome == bench.Failed {
		verdict = "FAILED"
	}
	return []string{x.name, value(x.median(oldSide, by)), value(x.median(newSide, by)), text, fmt.Sprint(len(x.rounds)), verdict}
}
