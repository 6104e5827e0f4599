// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
)

// A measurement runs the jobs and holds their results.
type measurement struct {
	flags   *Flags
	jobs    []*job
	pairs   []*bench.Pairs // of each job with the first
	seed    uint64
	out     io.Writer     // of what commands print
	budget  time.Duration // total running time of all jobs, 0 for no limit
	spent   time.Duration
	started time.Time
	shell   *startup // of the shell; nil if there is none
	core    neighbour.Watch
	failed  error
}

// newMeasurement returns a measurement of the commands in the flags, ready to start. With --show-output, what commands print goes
// to output.
func newMeasurement(f *Flags, output io.Writer) (*measurement, error) {
	if f.MaxRuns > 0 {
		f.MinRuns = min(f.MinRuns, f.MaxRuns)
	}
	if f.Input != "null" && f.Input != "" {
		in, err := os.Open(f.Input)
		if err != nil {
			return nil, fmt.Errorf("--input: %w", err)
		}
		in.Close()
	}
	if f.Gate != nil && f.Sequential {
		return nil, errors.New("--gate needs interleaved runs: omit --sequential")
	}
	if f.Gate != nil && f.Level.ForGate() != nil {
		return nil, f.Level.ForGate()
	}
	jobs, err := f.plan()
	if err != nil {
		return nil, err
	}
	if f.Gate != nil && len(jobs) < 2 {
		return nil, errors.New("--gate compares commands: give at least two, the base first")
	}
	b := &measurement{flags: f, jobs: jobs, seed: f.Seed, started: time.Now()}
	if b.seed == 0 {
		b.seed = rand.Uint64() >> 11 // 53 bits, exact as a JSON number
	}
	b.budget = time.Duration(f.MaxTime) * time.Duration(len(jobs))
	if f.ShowOutput || slices.Contains(f.Output, "inherit") {
		b.out = output
	}
	for _, j := range jobs[1:] {
		b.pairs = append(b.pairs, bench.NewPairs(jobs[0].name, j.name, b.options()))
	}
	return b, nil
}

// options returns the options of the comparisons, whose intervals hold together at the level of the flags. Commands that a gate
// distinguishes are not called the same.
func (b *measurement) options() bench.CompareOptions {
	o := bench.CompareOptions{
		MinRounds: max(6, int(b.flags.MinRuns)),
		Precision: float64(b.flags.Precision),
		Level:     1 - (1-float64(b.flags.Level))/float64(len(b.jobs)-1),
		Within:    float64(b.flags.Same),
		Seed:      b.seed,
	}
	if o.Precision == 0 || b.flags.Runs > 0 {
		o.Precision = -1
	}
	if b.flags.Gate != nil {
		o.Within = min(o.Within, float64(*b.flags.Gate))
	}
	if o.Within == 0 {
		o.Within = -1
	}
	if b.flags.Runs > 0 {
		o.MinRounds = max(6, int(b.flags.Runs))
	}
	if b.flags.Gate != nil && b.flags.Runs == 0 {
		o.Gate = max(float64(*b.flags.Gate), math.SmallestNonzeroFloat64) // 0 would mean no gate
	}
	return o
}

// measure runs the commands until the results are precise enough. The error is that of a command that failed, if any.
func (b *measurement) measure(s *session.Session) error {
	p := b.flags.progress(s)
	defer p.Clear()
	if b.flags.inShell() {
		p.Show("how long the shell takes to start")
		var err error
		if b.shell, err = measureShell(s.Ctx, b.flags.shell()); err != nil {
			return err
		}
	}
	if b.flags.Sequential {
		for _, j := range b.jobs {
			if err := b.setUp(s, j); err != nil {
				return err
			}
			if err := b.warmUp(s, p, j); err != nil {
				return err
			}
			for began := b.spent; !j.done(b.flags, b.spent-began, time.Duration(b.flags.MaxTime)); {
				if err := b.timed(s, j); err != nil {
					return err
				}
				p.Show("%s", j.progress(b.flags))
			}
		}
		return nil
	}
	for _, j := range b.jobs {
		if err := b.setUp(s, j); err != nil {
			return err
		}
	}
	if err := b.warmUp(s, p, b.jobs...); err != nil {
		return err
	}
	order := bench.NewOrder(len(b.jobs), b.seed)
	for shown := clock.Instant(0); ; {
		for _, i := range order.Next() {
			if err := b.timed(s, b.jobs[i]); err != nil {
				return err
			}
		}
		for i, pair := range b.pairs {
			pair.Add(b.jobs[0].last(b.flags.By), b.jobs[i+1].last(b.flags.By), order.Before(0, i+1))
		}
		if b.done() {
			return nil
		}
		if clock.Since(shown) > 100*time.Millisecond {
			shown = clock.Now()
			p.Show("%s", b.progress())
		}
	}
}

// setUp runs the command of --setup for a job.
func (b *measurement) setUp(s *session.Session, j *job) error {
	if j.setup == nil {
		return nil
	}
	j.touched = true
	if _, err := (&command.Program{Args: j.setup, Output: b.out, Quote: true}).Exec(s.Ctx); err != nil {
		return fmt.Errorf("--setup: %w", err)
	}
	return nil
}

// warmUp runs jobs without timing, in turn.
func (b *measurement) warmUp(s *session.Session, p session.Progress, jobs ...*job) error {
	order := bench.NewOrder(len(jobs), b.seed)
	for n := range int(b.flags.Warmup) {
		for _, i := range order.Next() {
			p.Show("warm-up %d of %d: %s", n+1, b.flags.Warmup, jobs[i].name)
			if _, err := jobs[i].run(s.Ctx, b.flags, b.out, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// looks is how often timed looks whether something else uses the core: for about a tenth of a millisecond.
const looks = 20

// timed runs a job once and stores the result, minus the time that the shell takes to start.
func (b *measurement) timed(s *session.Session, j *job) error {
	for range looks {
		b.core.Look()
	}
	r, err := j.run(s.Ctx, b.flags, b.out, true)
	if err != nil {
		return err
	}
	b.spent += r.Wall
	b.shell.subtract(&r)
	j.add(r)
	return nil
}

// done reports whether no job needs more runs.
func (b *measurement) done() bool {
	if b.flags.Runs > 0 {
		return len(b.jobs[0].runs) >= int(b.flags.Runs)
	}
	if b.flags.MaxRuns > 0 && len(b.jobs[0].runs) >= int(b.flags.MaxRuns) {
		return true
	}
	if len(b.pairs) == 0 {
		return b.jobs[0].done(b.flags, b.spent, b.budget)
	}
	share := 0.0
	if b.budget > 0 {
		share = b.spent.Seconds() / b.budget.Seconds()
	}
	all := true
	for _, pair := range b.pairs {
		all = pair.Done(share) && all // Done must be called for every pair
	}
	return all
}

func (b *measurement) progress() string {
	text := b.jobs[0].progress(b.flags)
	for _, pair := range b.pairs {
		if c := pair.Comparison(); c.Ratio.Bounded() {
			text += fmt.Sprintf("; %s: %s times", c.Other, c.Ratio)
		}
	}
	return text
}

// clean runs the cleanup of every job that was started, even after an interrupt.
func (b *measurement) clean(s *session.Session) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Ctx), time.Minute)
	defer cancel()
	for _, j := range b.jobs {
		if j.cleanup == nil || !j.touched {
			continue
		}
		if _, err := (&command.Program{Args: j.cleanup, Output: b.out, Quote: true}).Exec(ctx); err != nil {
			s.Warn("--cleanup: %v", err)
		}
	}
}
