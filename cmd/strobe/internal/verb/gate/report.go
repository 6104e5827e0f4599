// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A report is what a measurement found.
type report struct {
	m     *measurement
	rows  []row
	unfit *unfit // nil if the machine could decide
	gate  *gate.Gate
}

// report draws the conclusions.
func (m *measurement) report() *report {
	r := &report{m: m, gate: gate.New(fallback)}
	if share, ok := m.flags.limitOf(""); ok {
		r.gate.Limit = share
	}
	for i, b := range m.all {
		if b.broken == "" {
			r.rows = append(r.rows, m.row(i))
		}
	}
	r.prove()
	passed := 0
	var open []row
	for _, x := range r.rows {
		switch x.outcome {
		case decide.Passed:
			passed++
		case decide.Failed:
			r.gate.Add(x.outcome, x.sentence)
		default:
			open = append(open, x)
		}
	}
	u, advice := r.unfitness(), "more --max-time decides more of them"
	switch {
	case u == nil:
	case u.noisy:
		r.unfit = u
		r.gate.Add(decide.Undecided, u.sentence(time.Duration(m.flags.MaxTime), len(r.rows)))
	case u.needs > 0:
		advice = u.advice()
	}
	if len(open) > fewUndecided && r.unfit == nil {
		r.gate.Add(decide.Undecided, fmt.Sprintf("%d of %s: too few rounds, or what is allowed lies between the bounds of the change; %s",
			len(open), layout.Plural(uint64(len(r.rows)), "benchmark"), advice))
	} else if len(open) <= fewUndecided {
		for _, x := range open {
			r.gate.Add(x.outcome, x.sentence)
		}
	}
	if slow := m.tooSlow(); len(open) > fewUndecided && len(slow) > 0 {
		r.gate.Add(decide.Undecided, m.notBegun(slow))
	}
	for _, text := range m.overdue() {
		r.gate.Add(decide.Failed, text)
	}
	for _, x := range m.sizes {
		if x.outcome != decide.Passed {
			r.gate.Add(x.outcome, x.sentence)
		}
	}
	for _, text := range r.unseen() {
		r.gate.Add(decide.Undecided, text)
	}
	switch {
	case passed > 0 && m.emulator != nil:
		r.gate.Add(decide.Passed, fmt.Sprintf("%d of %s run no more %s than allowed", passed, layout.Plural(uint64(len(r.rows)), "benchmark"), instructions))
	case passed > 0:
		r.gate.Add(decide.Passed, fmt.Sprintf("%d of %s %s, each with %s", passed, layout.Plural(uint64(len(r.rows)), "benchmark"), m.allowed(), m.confidence()))
	}
	if len(m.unchanged) > 0 {
		r.gate.Add(decide.Passed, fmt.Sprintf("%s not measured: the test program is the same on both sides", layout.Plural(uint64(len(m.unchanged)), "package")))
	}
	return r
}

// allowed says what a benchmark is that passed.
func (m *measurement) allowed() string {
	var names []string
	for _, q := range m.questions {
		if !slices.Contains(names, string(q.metric)) {
			names = append(names, string(q.metric))
		}
	}
	within := "within the limits of " + strings.Join(names, ", ")
	switch {
	case len(names) == 0:
		return "at most as slow as allowed"
	case m.flags.judges(byTime):
		return "at most as slow as allowed and " + within
	}
	return within
}

// fewUndecided is up to how many undecided benchmarks have a sentence and a command each. The JSON has those of all.
const fewUndecided = 3

// repeat returns the commands that measure again what failed, and what is undecided if that is not much.
func (r *report) repeat() []string {
	var failed, open []string
	for _, x := range r.rows {
		switch {
		case x.outcome == decide.Failed:
			failed = append(failed, x.repeat)
		case x.repeat != "":
			open = append(open, x.repeat)
		}
	}
	if len(open) <= fewUndecided {
		failed = append(failed, open...)
	}
	if len(failed) > mostShown && !r.m.flags.All {
		failed = failed[:mostShown]
	}
	return failed
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

// err returns the error that decides the exit code: that of the gate if it failed, then that of a benchmark that no longer
// runs.
func (r *report) err() error {
	faults, blame := r.faults()
	if blame && r.gate.Outcome != decide.Failed {
		return session.Failure{Code: session.CommandFailed, Err: errors.New(faults[0])}
	}
	err := r.gate.Err()
	if err != nil && len(r.m.questions)+len(r.m.sizes)+len(r.m.rules.limits)+len(r.m.rules.waivers) > 0 { // there is more than one limit
		err = session.Failure{Code: session.CodeOf(err), Err: fmt.Errorf("the gate %s", map[bool]string{true: "failed", false: "is undecided"}[r.gate.Outcome == decide.Failed])}
	}
	return err
}

// verdict returns one word for all.
func (r *report) verdict() string {
	if _, blame := r.faults(); blame && r.gate.Outcome != decide.Failed {
		return "broken"
	}
	if r.unfit != nil && r.gate.Outcome == decide.Undecided {
		return "undecided, the machine is too busy"
	}
	return r.gate.Outcome.String()
}

// remarks returns what qualifies the results, a sentence each.
func (r *report) remarks() []string {
	notes := slices.Clone(r.m.notes)
	if len(r.rows) > 0 && r.m.layouts < 2 && r.m.emulator == nil {
		notes = append(notes, "the code was linked in one layout only, so that a change may be due to where functions lie in memory: --layouts 4 links it in several")
	}
	if gogc := os.Getenv("GOGC"); r.m.emulator != nil && !r.m.flags.Collector && (gogc == "" || gogc == "off") {
		notes = append(notes, "the garbage collector was off, so that what it would have done is not counted; --collector counts it")
	}
	if text := r.apart(); text != "" {
		notes = append(notes, text)
	}
	if text := r.processors(); text != "" {
		notes = append(notes, text)
	}
	if text := r.disturbed(); text != "" {
		notes = append(notes, text)
	}
	if core := r.m.core.Report(); core.Spins > 0 {
		if seen, ok := core.Seen(); seen || !ok {
			notes = append(notes, core.String())
		}
	}
	if text := r.drift(); text != "" {
		notes = append(notes, text)
	}
	var noisy, rewritten []string
	for _, b := range r.m.all {
		if b.noisy {
			noisy = append(noisy, b.title())
		}
	}
	var like []string
	for _, x := range r.rows {
		switch {
		case x.rewritten && x.likeForLike():
			like = append(like, x.title())
		case x.rewritten && x.outcome == decide.Passed: // the sentences of the others say so
			rewritten = append(rewritten, x.title())
		}
	}
	if len(like) > 0 {
		notes = append(notes, "these benchmarks are new or changed, and ran with the code of both sides as they are in the working tree: "+r.list(like))
	}
	if len(rewritten) > 0 {
		notes = append(notes, "these benchmarks were themselves changed, which may hide a change of the code: "+r.list(rewritten))
	}
	if len(noisy) > 0 {
		notes = append(notes, "what these benchmarks print costs "+map[bool]string{false: "time", true: "instructions"}[r.m.emulator != nil]+" too: "+r.list(noisy))
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
			notes = append(notes, fmt.Sprintf("in %s on this machine, slowdowns of %s to %s or more would fail, depending on the benchmark",
				r.m.spent.Round(1e8), rough(1+least), rough(1+most)))
		}
		if unknown > 0 {
			notes = append(notes, fmt.Sprintf("%s had too few rounds to detect anything; give more time with --max-time", layout.Plural(uint64(unknown), "benchmark")))
		}
	}
	return notes
}

// agrees is by how much a ratio may leave an interval before anybody sees it.
const agrees = 0.0005

// apart says where the medians of both sides differ by more or less than the interval of the change allows, empty if nowhere.
func (r *report) apart() string {
	var names []string
	for _, x := range r.rows {
		iv := x.comparison.Ratio
		if len(x.rounds) == 0 || iv.Level == 0 || r.m.emulator != nil {
			continue
		}
		if ratio := ratioOf(x.median(newSide), x.median(oldSide)); ratio < iv.Lo-agrees || ratio > iv.Hi+agrees {
			names = append(names, x.title())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "the change compares the two runs of each round; the medians of the sides differ by another amount, since the machine's speed changed from round to round: " +
		r.list(names)
}

// processors says which benchmarks ran on one processor, empty if that was not chosen for any.
func (r *report) processors() string {
	all := runtime.GOMAXPROCS(0)
	var others []string
	for _, x := range r.rows {
		if x.maxProcs() != 1 {
			others = append(others, x.title())
		}
	}
	switch one := len(r.rows) - len(others); {
	case r.m.emulator != nil || r.m.flags.CPU > 0 || all == 1 || one == 0:
		return ""
	case len(others) == 0:
		return fmt.Sprintf("measured on one processor, since more make no difference; --cpu %d measures on %d", all, all)
	case one > len(others):
		return fmt.Sprintf("measured on one processor, since more make no difference, except %s", r.list(others))
	default:
		return fmt.Sprintf("%d of %s were measured on one processor, since more make no difference to them", one, layout.Plural(uint64(len(r.rows)), "benchmark"))
	}
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
		return "whether others disturbed the rounds is unknown: this system does not report how long a program waits for a processor"
	}
	return ""
}
