// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"time"
)

type options struct {
	least     float64
	explained string
	workers   int
	only      string
	skip      string
	short     bool
	sample    int
	seed      uint64
}

// run mutates every package and prints the results. It reports whether all scores are high enough.
func run(ctx context.Context, opt options, names []string) (passed bool, err error) {
	if len(names) == 0 {
		return false, fmt.Errorf("no package named")
	}
	var only *regexp.Regexp
	if opt.only != "" {
		if only, err = regexp.Compile(opt.only); err != nil {
			return false, err
		}
	}
	skip, err := regexp.Compile(cmp.Or(opt.skip, "^$")) // matches no test
	if err != nil {
		return false, err
	}
	known, err := readExplained(opt.explained)
	if err != nil {
		return false, err
	}
	passed = true
	cache, err := os.MkdirTemp("", "mutation-cache") // the usual one would keep thousands of mutants
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(cache)
	for _, name := range names {
		start := time.Now()
		t, err := find(ctx, name, only)
		if err != nil {
			return false, err
		}
		t.cache, t.skip, t.short = cache, skip, opt.short
		verdicts, err := t.judge(ctx, opt.workers, t.order(opt.seed, opt.sample), known)
		if err != nil && ctx.Err() == nil {
			return false, err
		}
		s := t.score(verdicts, known)
		s.print(os.Stdout, time.Since(start))
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		passed = passed && (only != nil || s.percent() >= opt.least)
	}
	return passed, nil
}

// order returns the numbers of the mutants to test, in random order: n of them, or all if n is 0.
func (t *target) order(seed uint64, n int) []int {
	numbers := rand.New(rand.NewPCG(seed, 0)).Perm(len(t.mutants))
	if n > 0 && n < len(numbers) {
		numbers = numbers[:n]
	}
	return numbers
}

// judge tests the mutants in numbers and returns the verdict on each mutant of a target, even after an error. Since a run
// takes long, it shows survivors as they are found. It also shows mutants that timed out: they count as detected, which may
// be wrong on a busy machine.
func (t *target) judge(ctx context.Context, workers int, numbers []int, known explanations) ([]verdict, error) {
	verdicts := make([]verdict, len(t.mutants))
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return verdicts, err
	}
	defer os.RemoveAll(dir)
	tests, err := t.cover(ctx, dir, workers)
	if err != nil {
		return verdicts, err
	}
	j := &judge{target: t, tests: tests, dir: dir}
	if err := j.sound(ctx); err != nil {
		return verdicts, err
	}
	places := make([]int, len(numbers))
	for place := range places {
		places[place] = place
	}
	return verdicts, each(workers, places, func(place int) (err error) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		i := numbers[place]
		m := &t.mutants[i]
		verdicts[i], err = j.judge(ctx, m)
		if err == nil && (verdicts[i] >= uncovered || verdicts[i] == timedOut) && known[t.where(m)] == "" {
			fmt.Fprintf(os.Stderr, "%d of %d: %s\n", place+1, len(numbers), t.line(m, verdicts[i]))
		}
		return err
	})
}
