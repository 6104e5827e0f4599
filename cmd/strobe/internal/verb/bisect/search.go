// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/bisect"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sides"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
	"github.com/strobe-go/strobe/stat/decide"
)

// A search is a bisection of one history.
type search struct {
	flags   *Flags
	compare sides.Compare
	*history
	good, other *worktree.Tree // of the first commit, and of the one that is measured
	pair        sides.Pair     // of the first commit and the last
	results     []sides.Result // of the ends, all benchmarks
	chosen      int            // the one that is searched, by its index in results; -1 if none became slower
	core        *bisect.Search
	record      *record
	index       map[string]int          // of commits
	skipped     map[int]string          // why commits cannot be measured
	apart       map[[2]string][]float64 // what comparisons of two commits found, by layout
	confirmed   map[int]*comparison     // by the slower commit
	opened      []string                // files that the benchmark looks at, below the top of the checkout
	openedKnown bool
	builds      int
	compared    int
	elapsed     func() time.Duration // since the verb began
	stepped     time.Duration        // what the last measurement took, with its build
	judged      time.Duration        // what the comparison of the ends took
}

const (
	rounds    = 6    // of a build: about as long as it took to link
	apartBy   = 1000 // layouts between those of comparisons
	endsShare = 5    // a comparison takes at most this part of the time
)

// newSearch prepares to search a history.
func (c *Command) newSearch(h *history, elapsed func() time.Duration) *search {
	x := &search{flags: &c.Flags, compare: c.Compare, history: h, chosen: -1, elapsed: elapsed, index: map[string]int{}, skipped: map[int]string{}, apart: map[[2]string][]float64{}, confirmed: map[int]*comparison{}}
	for i, c := range h.commits {
		x.index[c.hash] = i
	}
	return x
}

// close removes all that was made for the search.
func (x *search) close(ctx context.Context) {
	if x.pair != nil {
		x.pair.Close()
	}
	x.other.Remove(ctx)
	x.good.Remove(ctx)
}

// judgeEnds compares the ends, and chooses the benchmark that became slower by the most.
func (x *search) judgeEnds(s *session.Session, o sides.Options) (err error) {
	p := s.Progress()
	defer p.Clear()
	began := clock.Now()
	p.Show("checking out %s", x.name)
	last := len(x.commits) - 1
	if x.good, err = x.in.Add(s.Ctx, x.commits[0].hash); err != nil {
		return err
	}
	if x.other, err = x.in.Add(s.Ctx, x.commits[last].hash); err != nil {
		return err
	}
	p.Show("comparing the ends of %s", x.name)
	x.pair, err = x.compare(silent(s), o, x.good.Folder(), x.other.Folder())
	if err != nil {
		return x.blame(err, 0, last)
	}
	x.results = x.pair.Judge(silent(s))
	x.judged = clock.Since(began)
	var broken error
	for i, r := range x.results {
		if r.Broken != nil {
			broken = x.blame(r.Broken, 0, last)
		} else if r.Outcome == decide.Failed && apart(r.Rounds, o) && (x.chosen < 0 || r.Ratio.Center > x.results[x.chosen].Ratio.Center) {
			x.chosen = i
		}
	}
	if x.chosen < 0 && !s.Interrupted() {
		return broken
	}
	return nil
}

// blame says at which end of a comparison something is wrong.
func (x *search) blame(err error, earlier, later int) error {
	var f *sides.Fault
	if !errors.As(err, &f) {
		return err
	}
	at, do := later, ""
	if f.Base {
		at, do = earlier, "; give a later GOOD"
	}
	err = fmt.Errorf("at %s, %w%s", &x.commits[at], f, do)
	if f.Absent {
		return err
	}
	return session.Failure{Code: session.CommandFailed, Err: err}
}

// chosenResult returns what the comparison of the ends found of the benchmark that is searched.
func (x *search) chosenResult() *sides.Result { return &x.results[x.chosen] }

// learn begins with what the record has, or with what the comparison of the ends has found.
func (x *search) learn(s *session.Session, r *record) error {
	chosen, layouts, last := x.chosenResult(), x.pair.Layouts(), len(x.commits)-1
	if r.Package != chosen.Package || r.Benchmark != chosen.Name || r.Layouts != layouts {
		r = &record{Schema: session.Schema, file: r.file, Package: chosen.Package, Benchmark: chosen.Name, Layouts: layouts}
	}
	x.record, x.core = r, bisect.NewSearch(len(x.commits), math.Log1p(float64(x.flags.Gate)), layouts)
	x.learnFiles(s.Ctx)
	if len(r.Events) > 0 {
		for _, e := range r.Events {
			x.take(e)
		}
		s.Warn("continues from %s and %s of an earlier run; --restart begins anew", layout.Plural(uint64(x.builds), "measurement"), layout.Plural(uint64(x.compared), "comparison"))
		return nil
	}
	for side, tree := range []*worktree.Tree{x.good, x.other} {
		i, folder := side*last, tree.Folder()
		program, err := x.pair.Build(s.Ctx, x.chosen, folder, 1)
		if err == nil {
			program, err = x.identity(s.Ctx, i, program)
		}
		if err != nil {
			return err
		}
		x.tell(event{Commit: x.commits[i].hash, Program: program})
	}
	for k, rounds := range chosen.Rounds {
		if len(rounds) > 0 {
			x.tell(event{Commit: x.commits[last].hash, Layout: 1 + k, Rounds: rounds})
		}
	}
	return nil
}

// learnFiles finds out which files the benchmark opens.
func (x *search) learnFiles(ctx context.Context) {
	var files []string
	if files, x.openedKnown = x.pair.Opened(ctx, x.chosen); !x.openedKnown {
		return
	}
	for _, file := range files {
		if name, ok := x.other.Below(file); ok {
			x.opened = append(x.opened, name)
		}
	}
}

// identity returns what two commits have in common if the benchmark does the same on both: the program, and the files that it may
// read.
func (x *search) identity(ctx context.Context, i int, program string) (string, error) {
	state, err := x.state(ctx, x.commits[i].hash, path.Join(x.in.Prefix, x.chosenResult().Folder), x.opened, x.openedKnown)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(program+state))), err
}

// take tells the search an event. It reports whether the commit is measured under another one.
func (x *search) take(e event) (elsewhere bool) {
	i := x.index[e.Commit]
	switch {
	case e.Skipped != "":
		x.skipped[i] = e.Skipped
		x.core.Unmeasurable(i)
	case e.Program != "":
		return x.core.Built(i, e.Program)
	case e.Compared != nil:
		x.compared++
		key := [2]string{e.Commit, e.Compared.Earlier}
		x.apart[key] = append(x.apart[key], e.Compared.ByLayout...)
		earlier := x.index[e.Compared.Earlier]
		if e.Compared.Outcome == decide.Failed {
			x.confirmed[i] = e.Compared
		}
		x.core.Compared(i, earlier, e.Compared.Outcome)
	default:
		x.builds++
		x.core.Measured(i, e.Layout, e.Rounds)
	}
	return false
}

// tell is take of something new, which it adds to the record.
func (x *search) tell(e event) (elsewhere bool) {
	x.record.add(e)
	return x.take(e)
}

// step does what the search asks for; done is true if that is nothing.
func (x *search) step(s *session.Session) (done bool, err error) {
	began := clock.Now()
	switch step := x.core.Next(); step.Do {
	case bisect.Measure:
		x.progress(s, "measuring %s", &x.commits[step.Revision])
		err = x.measure(s.Ctx, step)
		x.stepped = clock.Since(began)
	case bisect.Compare:
		x.progress(s, "comparing %s with its parent", &x.commits[step.Revision])
		err = x.confirm(s, step)
	default:
		done = true
	}
	return done, err
}

// progress says on the progress line what is being done, and how far the search is.
func (x *search) progress(s *session.Session, format string, args ...any) {
	p := s.Progress()
	if !p.On {
		return
	}
	probabilities := x.core.Probabilities()
	text := picture(probabilities, x.skipped, 40)
	if x.stepped > 0 {
		text += fmt.Sprintf("  about %s left", min(x.left(), estimate(probabilities, x.stepped, x.judged)).Round(time.Second))
	}
	p.Show("%s: %s", text, fmt.Sprintf(format, args...))
}

// measure measures a commit.
func (x *search) measure(ctx context.Context, step bisect.Step) error {
	c := &x.commits[step.Revision]
	folder := x.good.Folder()
	if step.Revision > 0 {
		if err := x.other.Switch(ctx, c.hash); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			return x.skip(step.Revision, err)
		}
		folder = x.other.Folder()
	}
	program, err := x.pair.Build(ctx, x.chosen, folder, step.Layout)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return x.skip(step.Revision, err)
	}
	if step.Layout == 1 {
		if program, err = x.identity(ctx, step.Revision, program); err != nil {
			return err
		}
		if elsewhere := x.tell(event{Commit: c.hash, Program: program}); elsewhere {
			return nil
		}
	}
	measured, err := x.pair.Rounds(ctx, x.chosen, rounds)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return x.skip(step.Revision, err)
	}
	x.tell(event{Commit: c.hash, Layout: step.Layout, Rounds: measured})
	return nil
}

// skip notes that a commit cannot be measured.
func (x *search) skip(i int, why error) error {
	if i == 0 || i == len(x.commits)-1 {
		return session.Failure{Code: session.CommandFailed, Err: fmt.Errorf("at %s, which was measured before: %w", &x.commits[i], why)}
	}
	x.tell(event{Commit: x.commits[i].hash, Skipped: why.Error()})
	return nil
}

// confirm compares a commit with one before it. The outcome is Failed only if the commit is slower over the layouts as well, of all
// comparisons of the two.
func (x *search) confirm(s *session.Session, step bisect.Step) error {
	later := &x.commits[step.Revision]
	earlier := x.commits[step.Earlier].hash
	if step.Earlier == step.Revision-1 && len(later.parents) > 0 {
		earlier = later.parents[0]
	}
	base, err := x.in.Add(s.Ctx, earlier)
	defer base.Remove(s.Ctx)
	if err == nil {
		err = x.other.Switch(s.Ctx, later.hash)
	}
	if err != nil {
		return err
	}
	chosen := x.chosenResult()
	o := x.flags.options()
	o.Packages, o.Bench, o.First = []string{chosen.Package}, chosen.Pattern, apartBy*(1+x.compared)
	o.Time = min(x.share(), x.left())
	o.Level = 1 - (1-o.Level)*2*decide.Interim(x.compared)
	pair, err := x.compare(silent(s), o, base.Folder(), x.other.Folder())
	if pair != nil {
		defer pair.Close()
	}
	if s.Interrupted() {
		return s.Ctx.Err()
	}
	if err != nil {
		return x.excuse(err, step)
	}
	found := pair.Judge(silent(s))
	if s.Interrupted() || len(found) == 0 {
		return s.Ctx.Err()
	}
	r := &found[0]
	if r.Broken != nil {
		return x.excuse(r.Broken, step)
	}
	c := &comparison{Earlier: x.commits[step.Earlier].hash, Outcome: r.Outcome, Level: o.Level, Ratio: r.Ratio, Change: r.Change, Layouts: pair.Layouts(), Rewritten: r.Rewritten}
	c.ByLayout = byLayout(r.Rounds)
	if c.Outcome == decide.Failed && !bisect.Apart(append(slices.Clip(x.apart[[2]string{later.hash, c.Earlier}]), c.ByLayout...), math.Log1p(o.Limit), 1-o.Level) {
		c.Outcome = decide.Undecided
	}
	x.tell(event{Commit: later.hash, Compared: c})
	return nil
}

// silent returns a session without the progress of a comparison, which does not know the commits by their names.
func silent(s *session.Session) *session.Session {
	quiet := *s
	quiet.Err = io.Discard
	return &quiet
}

// excuse skips the one of two commits that cannot be compared.
func (x *search) excuse(err error, step bisect.Step) error {
	var f *sides.Fault
	switch {
	case errors.As(err, &f) && f.Base && step.Earlier > 0:
		return x.skip(step.Earlier, f)
	case errors.As(err, &f) && !f.Base && step.Revision < len(x.commits)-1:
		return x.skip(step.Revision, f)
	}
	return x.blame(err, step.Earlier, step.Revision)
}

// apart reports whether a benchmark is slower than the limit allows over the layouts.
func apart(rounds [][]float64, o sides.Options) bool {
	return bisect.Apart(byLayout(rounds), math.Log1p(o.Limit), 1-o.Level)
}

// byLayout returns the medians of the layouts that have rounds.
func byLayout(rounds [][]float64) (all []float64) {
	for _, x := range rounds {
		if len(x) > 0 {
			all = append(all, median(x))
		}
	}
	return all
}

// median returns the median of values, at least one.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// share returns how long a comparison may measure.
func (x *search) share() time.Duration { return time.Duration(x.flags.MaxTime) / endsShare }

// left returns how much time is left for measuring.
func (x *search) left() time.Duration {
	return max(time.Second, time.Duration(x.flags.MaxTime)-x.elapsed())
}

// run compares the ends, and if they differ searches until nothing is left to find out, the time is up, or an interrupt.
func (x *search) run(s *session.Session, c *Command, o sides.Options) error {
	o.Time = x.share()
	err := x.judgeEnds(s, o)
	if s.Interrupted() { // it proves nothing
		x.chosen = -1
	}
	if err != nil || x.chosen < 0 {
		return err
	}
	r, err := c.openRecord(s.Ctx, x.history)
	if err != nil {
		return err
	}
	if err := x.learn(s, r); err != nil {
		return err
	}
	p := s.Progress()
	defer p.Clear()
	done := false
	for !done && !s.Interrupted() && x.elapsed() < time.Duration(x.flags.MaxTime) {
		if done, err = x.step(s); err != nil && !s.Interrupted() {
			return err
		}
	}
	p.Clear()
	if done {
		x.record.remove()
	} else if x.record.kept() {
		s.Warn("%s; the same command continues from what was measured, which is kept in %s", map[bool]string{true: "interrupted", false: "the time is up"}[s.Interrupted()], x.record.file)
	}
	return nil
}
