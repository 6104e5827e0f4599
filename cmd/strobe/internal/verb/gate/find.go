// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A finding is what a side of a package has: the benchmarks that ran, in their order, and the top-level ones that did not.
type finding struct {
	names  []string
	cost   map[string]time.Duration // of one call
	broken map[string]string        // why, by top-level name
	noisy  map[string]bool          // what prints, by top-level name
}

// brokenBy returns why the top-level benchmark that name belongs to did not run.
func (f *finding) brokenBy(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return f.broken[top]
}

// find runs each benchmark of a test binary once. That is the only way to learn of those that others run within them.
func find(ctx context.Context, binary, dir string, p pattern, timeout time.Duration) (*finding, error) {
	f := &finding{cost: map[string]time.Duration{}, broken: map[string]string{}, noisy: map[string]bool{}}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	list := exec.CommandContext(limited, binary, "-test.list=^Benchmark")
	list.Dir = dir
	out, err := list.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // a TestMain or an init that fails
		return nil, errors.New(why(string(out), fmt.Sprintf("its tests cannot be listed: %v", err)))
	}
	for line := range bytes.Lines(out) {
		top, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "Benchmark")
		if !ok || strings.ContainsAny(top, " \t") {
			continue
		}
		text, ok := p.within(top)
		if !ok {
			continue
		}
		ran, err := process{binary: binary, dir: dir, pattern: text, iterations: 1, blocks: 1, timeout: timeout}.exec(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			f.broken[top] = err.Error()
		}
		f.noisy[top] = ran.noise && err == nil
		for _, v := range ran.values {
			if !v.timed || slices.Contains(f.names, v.name) {
				continue
			}
			f.names = append(f.names, v.name)
			f.cost[v.name] = max(1, time.Duration(v.ns))
		}
	}
	return f, nil
}
