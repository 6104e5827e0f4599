// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/clock"
)

type benchCmd struct {
	Commands []string `arg:"" name:"CMD" help:"Commands, each one argument: 'sleep 0.1'."`

	Name    []string `sep:"none" placeholder:"TEXT" help:"Names, one for each command."`
	Param   []string `sep:"none" placeholder:"NAME=LIST" help:"Run with {NAME} replaced: 1,2,4 or 1..9 or 0..100:20."`
	Prepare string   `placeholder:"CMD" help:"Run this before each run, untimed."`
	Cleanup string   `placeholder:"CMD" help:"Run this once for each command, at the end."`
	Warmup  amount   `default:"1" placeholder:"1" help:"Untimed runs of each command before all others."`

	Precision share  `default:"1%" placeholder:"1%" help:"Stop when the intervals are this narrow; 0 goes on."`
	MaxTime   span   `default:"5s" placeholder:"5s" help:"Stop after this much running a command; 0 for no end."`
	MinRuns   amount `default:"10" placeholder:"10" help:"Runs of each command at least."`
	Runs      amount `placeholder:"N" help:"Exactly so many runs of each command."`

	Gate   *share   `placeholder:"5%" help:"Exit 1 if a command is slower than the first by more, 3 if unclear."`
	Same   share    `default:"1%" placeholder:"1%" help:"Differences within this are none."`
	By     string   `enum:"wall,cpu" default:"wall" placeholder:"wall" help:"Judge by elapsed time, or by cpu, which a busy machine disturbs less."`
	Export []string `sep:"none" placeholder:"FILE" help:"Write FILE.json, .csv, .md, .html or .txt; or FORMAT=FILE."`

	Shell         bool   `help:"Give commands to the shell."`
	Sequential    bool   `help:"All runs of one command before the next: no verdicts."`
	IgnoreFailure bool   `help:"An exit code other than 0 is no failure."`
	ShowOutput    bool   `help:"Let commands print, on standard error."`
	NoCounters    bool   `help:"Leave the performance counters alone."`
	Seed          uint64 `placeholder:"N" help:"Seed of the order of runs; it is in the results."`
}

// Help is the longer part of strobe bench --help.
func (benchCmd) Help() string {
	return `
Commands run in turn, in an order drawn at random, so that what slows the machine for a
while slows all alike. The first is the base; the others get a ratio to it with a 99 %
interval, and a verdict: faster, slower, same within 1 %, or inconclusive.

Commands are cut into words and started without a shell. Figures are of the whole process
tree as far as it was waited for. --export json holds what hyperfine's JSON holds, too;
gobench is Go benchmark text, for strobe compare and benchstat.
`
}

// A benchRun is a measurement under way.
type benchRun struct {
	cmd     *benchCmd
	jobs    []*job
	pairs   []*bench.Pairs // of each job but the first, with the first
	seed    uint64
	exports []export
	out     io.Writer     // of what commands print
	budget  time.Duration // of running in all, 0 for no end
	spent   time.Duration
	started time.Time
	failed  error
}

// Run is called by the parser.
func (c *benchCmd) Run(s *session) error {
	b := &benchRun{cmd: c, seed: c.Seed, started: time.Now()}
	var err error
	if b.jobs, err = c.plan(); err != nil {
		return err
	}
	if b.exports, err = c.exports(); err != nil {
		return err
	}
	if c.Gate != nil && len(b.jobs) < 2 {
		return errors.New("--gate compares: give two commands at least, the base first")
	}
	if c.Gate != nil && c.Sequential {
		return errors.New("--gate needs runs in turn: leave out --sequential")
	}
	if b.seed == 0 {
		b.seed = rand.Uint64() >> 11 // so that it survives as a JSON number
	}
	b.budget = time.Duration(c.MaxTime) * time.Duration(len(b.jobs))
	if c.ShowOutput {
		b.out = s.err
	}
	for _, j := range b.jobs[1:] {
		b.pairs = append(b.pairs, bench.NewPairs(b.jobs[0].name, j.name, b.options()))
	}
	b.failed = b.measure(s)
	b.clean(s)
	return b.finish(s)
}

// options are those of the comparisons. All of them together are wrong once in a hundred times at most.
func (b *benchRun) options() bench.Options {
	o := bench.Options{
		MinRepeat: int(b.cmd.MinRuns),
		Precision: float64(b.cmd.Precision),
		Level:     1 - 0.01/float64(len(b.jobs)-1),
		Within:    float64(b.cmd.Same),
		Seed:      b.seed,
	}
	if o.Precision == 0 || b.cmd.Runs > 0 {
		o.Precision = -1
	}
	if o.Within == 0 {
		o.Within = -1
	}
	if b.cmd.Runs > 0 {
		o.MinRepeat = int(b.cmd.Runs)
	}
	if b.cmd.Gate != nil && b.cmd.Runs == 0 {
		o.Gate = max(float64(*b.cmd.Gate), o.Within)
	}
	return o
}

// measure runs the commands until enough is known. The error is that of the command that failed, if any.
func (b *benchRun) measure(s *session) error {
	p := progress{s.err, isTerminal(s.err)}
	defer p.clear()
	order := bench.NewOrder(len(b.jobs), b.seed)
	for n := range int(b.cmd.Warmup) {
		for _, i := range order.Next() {
			p.show("warm-up %d of %d: %s", n+1, b.cmd.Warmup, b.jobs[i].name)
			if _, err := b.jobs[i].run(s.ctx, b); err != nil {
				return err
			}
		}
	}
	if b.cmd.Sequential {
		for _, j := range b.jobs {
			for began := b.spent; !j.done(b.cmd, b.spent-began, time.Duration(b.cmd.MaxTime)); {
				if err := b.timed(s, j); err != nil {
					return err
				}
				p.show("%s", j.progress())
			}
		}
		return nil
	}
	order = bench.NewOrder(len(b.jobs), b.seed)
	for shown := clock.Instant(0); ; {
		for _, i := range order.Next() {
			if err := b.timed(s, b.jobs[i]); err != nil {
				return err
			}
		}
		for i, pair := range b.pairs {
			pair.Add(b.jobs[0].last(b.cmd.By), b.jobs[i+1].last(b.cmd.By))
		}
		if b.done() {
			return nil
		}
		if clock.Since(shown) > 100*time.Millisecond {
			shown = clock.Now()
			p.show("%s", b.progress())
		}
	}
}

// timed runs a job once and keeps what it cost.
func (b *benchRun) timed(s *session, j *job) error {
	r, err := j.run(s.ctx, b)
	if err != nil {
		return err
	}
	b.spent += r.Wall
	j.add(r)
	return nil
}

// done reports whether enough is known of all.
func (b *benchRun) done() bool {
	if b.cmd.Runs > 0 {
		return len(b.jobs[0].runs) >= int(b.cmd.Runs)
	}
	if len(b.pairs) == 0 {
		return b.jobs[0].done(b.cmd, b.spent, b.budget)
	}
	share := 0.0
	if b.budget > 0 {
		share = b.spent.Seconds() / b.budget.Seconds()
	}
	all := true
	for _, pair := range b.pairs {
		all = pair.Done(share) && all // every one is to have its look
	}
	return all
}

func (b *benchRun) progress() string {
	text := b.jobs[0].progress()
	for _, pair := range b.pairs {
		if c := pair.Comparison(); c.Ratio.Level > 0 {
			text += fmt.Sprintf("; %s: %s times", c.Other, c.Ratio)
		}
	}
	return fit(text, 100)
}

// fit cuts a text to a line of n characters.
func fit(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n-3]) + "..."
}
