// SPDX-License-Identifier: BSD-3-Clause

// Command gate plants slowdowns in modules, and changes nothing in others, and counts what strobe gate says of them beside a busy
// process. It writes the page about it. Each gate is a line of the file of results as soon as it has ended: the same command goes on
// where an earlier one was interrupted. Run it in the folder of the tools module.
//
//	go run ./accuracy/gate -fresh -tries 10
//	go run ./accuracy/gate -busy 0 -tries 10
//
// -tries 0 writes the page again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/tools/accuracy/busy"
)

func main() {
	busy.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// settings are what the flags say.
type settings struct {
	tries, unchanged int
	time, modules    time.Duration
	busy             int
	seed             uint64
	kinds            *regexp.Regexp
}

func run(ctx context.Context, args []string, log io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("gate", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.IntVar(&s.tries, "tries", 0, "plant each kind of slowdown so many times; 0: write only the page")
	flags.IntVar(&s.unchanged, "unchanged", -1, "gates of each public module in which nothing changed; -1: a fifth of -tries, at least 1")
	flags.DurationVar(&s.time, "time", 75*time.Second, "--max-time of a gate with a planted slowdown")
	flags.DurationVar(&s.modules, "module-time", 2*time.Minute, "--max-time of a gate of a public module")
	flags.IntVar(&s.busy, "busy", 1, "processes that keep a processor busy; 0: plant slowdowns in short calls, and not those for a busy machine")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the parameters")
	kinds := flags.String("kinds", "", "only kinds, and modules, whose name matches")
	fresh := flags.Bool("fresh", false, "forget earlier results")
	results := flags.String("results", "accuracy/gate/results.jsonl", "file that keeps the results")
	out := flags.String("o", "../docs/gate-accuracy.md", "page to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if s.kinds, err = regexp.Compile(*kinds); err != nil {
		return err
	}
	if s.unchanged < 0 {
		s.unchanged = (s.tries + 4) / 5
	}
	if *fresh {
		if err := os.Remove(*results); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	failed := s.measure(ctx, *results, log)
	all, err := readAll(*results)
	if err == nil && len(all) > 0 {
		fmt.Fprint(log, "\n", tables(all))
		err = os.WriteFile(*out, []byte(page(all)), 0o666)
	}
	return errors.Join(failed, err)
}

// measure makes the gates that the file of results does not have, in rounds of one of each kind, so that an interrupted run has about
// as many of each.
func (s *settings) measure(ctx context.Context, results string, log io.Writer) error {
	earlier, err := readAll(results)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	left := s.left(earlier)
	if len(left) == 0 {
		return nil
	}
	w, err := newWorkshop(ctx, s)
	if err != nil {
		return err
	}
	defer w.close()
	var most time.Duration
	for _, j := range left {
		most += j.budget
	}
	fmt.Fprintf(log, "%d gates, which may measure for %s in total, and are built besides\n", len(left), most.Round(time.Second))
	for i, j := range left {
		t, err := w.try(ctx, j)
		if ctx.Err() != nil {
			fmt.Fprintln(log, "interrupted: the same command without -fresh goes on here")
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s, try %d: %w", j.kind, j.n+1, err)
		}
		if err := t.keep(results); err != nil {
			return err
		}
		fmt.Fprintf(log, "%d of %d: %s\n", i+1, len(left), t)
	}
	return nil
}

// A job is a gate to make.
type job struct {
	kind   string
	n      int
	seed   uint64
	budget time.Duration
	gate   func(context.Context, *workshop, job) (try, error)
}

// left returns the gates that are not among the earlier ones.
func (s *settings) left(earlier []try) (all []job) {
	type key struct {
		kind string
		n    int
		seed uint64
		busy bool
	}
	done, busy := map[key]bool{}, s.busy > 0
	for _, t := range earlier {
		done[key{t.Kind, t.N, t.Seed, t.Busy > 0}] = true
	}
	add := func(j job) {
		if s.kinds.MatchString(j.kind) && !done[key{j.kind, j.n, j.seed, busy}] {
			all = append(all, j)
		}
	}
	for n := range max(s.tries, s.unchanged) {
		if n < s.tries {
			for i := range kinds {
				if (kinds[i].set == brief) != busy {
					add(job{kinds[i].name, n, s.seed, s.time, kinds[i].gate})
				}
			}
		}
		if n < s.unchanged {
			for _, m := range modules {
				add(job{m, n, s.seed, s.modules, unchanged})
			}
		}
	}
	return all
}
