// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"time"
)

type options struct {
	least     float64
	explained string
	workers   int
	only      string
}

// run mutates every package and prints the results. It reports whether all score enough.
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
	known, err := readExplained(opt.explained)
	if err != nil {
		return false, err
	}
	passed = true
	cache, err := os.MkdirTemp("", "mutation-cache") // thousands of mutants would stay in the usual one
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
		t.cache = cache
		verdicts, err := t.judge(ctx, opt.workers, known)
		if err != nil {
			return false, err
		}
		s := t.score(verdicts, known)
		s.print(os.Stdout, time.Since(start))
		passed = passed && (only != nil || s.percent() >= opt.least)
	}
	return passed, nil
}

// judge returns the verdict on each mutant of a target. A run takes long, so survivors are shown as they are found.
func (t *target) judge(ctx context.Context, workers int, known explanations) ([]verdict, error) {
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	tests, err := t.cover(ctx, dir, workers)
	if err != nil {
		return nil, err
	}
	j := &judge{target: t, tests: tests, dir: dir}
	verdicts := make([]verdict, len(t.mutants))
	numbers := make([]int, len(t.mutants))
	for i := range numbers {
		numbers[i] = i
	}
	return verdicts, each(workers, numbers, func(i int) (err error) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m := &t.mutants[i]
		verdicts[i], err = j.judge(ctx, m)
		if err == nil && verdicts[i] >= uncovered && known[t.where(m)] == "" {
			fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(numbers), t.line(m, verdicts[i]))
		}
		return err
	})
}
