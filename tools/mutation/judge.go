// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A verdict is the result of testing a mutant.
type verdict int

const (
	untried   verdict = iota
	killed            // a test failed
	timedOut          // the tests took far longer than without the change
	invalid           // does not compile
	uncovered         // no test runs the changed code
	lived             // all tests that run the changed code pass
)

// A judge runs tests against mutants of one target.
type judge struct {
	target *target
	tests  []*test
	dir    string // for binaries and changed files
}

// compile builds the tests of a package, with files replaced according to an overlay if it is not "".
func (j *judge) compile(ctx context.Context, pkg *goPackage, binary, overlay string) error {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	_, err := goCommand(ctx, j.target.cache, append(args, pkg.ImportPath)...)
	return err
}

// sound returns an error if tests that pass alone fail together without a change, since they would seem to detect every mutant.
func (j *judge) sound(ctx context.Context) error {
	for i := range j.target.tests {
		pkg := &j.target.tests[i]
		binary := filepath.Join(j.dir, fmt.Sprintf("sound%d.test", i))
		if err := j.compile(ctx, pkg, binary, ""); err != nil {
			return err
		}
		for _, group := range j.groups(pkg, func(*test) bool { return true }) {
			if failed, _, out := j.run(ctx, pkg, binary, group); failed {
				return fmt.Errorf("tests of %s fail together, without any change:\n%s", pkg.ImportPath, out)
			}
		}
	}
	return nil
}

// judge tests one mutant, with the tests that run the changed code: first the quick ones together, then the slow ones one by
// one.
func (j *judge) judge(ctx context.Context, m *mutant) (verdict, error) {
	dir, err := os.MkdirTemp(j.dir, "mutant")
	if err != nil {
		return untried, err
	}
	defer os.RemoveAll(dir)
	text, err := m.apply()
	if err != nil {
		return untried, err
	}
	changed, overlay := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	spec, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return untried, err
	}
	if err := errors.Join(os.WriteFile(changed, []byte(text), 0o666), os.WriteFile(overlay, spec, 0o666)); err != nil {
		return untried, err
	}
	best := uncovered
	for i := range j.target.tests {
		pkg := &j.target.tests[i]
		groups := j.groups(pkg, func(t *test) bool { return t.runs(m) })
		if len(groups) == 0 {
			continue
		}
		binary := filepath.Join(dir, fmt.Sprintf("%d.test", i))
		if err := j.compile(ctx, pkg, binary, overlay); err != nil {
			if ctx.Err() != nil {
				return untried, ctx.Err()
			}
			return invalid, nil
		}
		for _, group := range groups {
			switch failed, late, _ := j.run(ctx, pkg, binary, group); {
			case ctx.Err() != nil:
				return untried, ctx.Err()
			case late:
				return timedOut, nil
			case failed:
				return killed, nil
			}
		}
		best = lived
	}
	if best == uncovered {
		if _, err := goCommand(ctx, j.target.cache, "build", "-overlay="+overlay, j.target.pkg.ImportPath); err != nil && ctx.Err() == nil {
			return invalid, nil
		}
	}
	return best, nil
}

// groups returns the tests of a package for which use returns true, the quick ones as one group.
func (j *judge) groups(pkg *goPackage, use func(*test) bool) [][]*test {
	var quick []*test
	var groups [][]*test
	for _, t := range j.tests {
		if t.pkg.ImportPath != pkg.ImportPath || !use(t) {
			continue
		}
		if t.took < time.Second {
			quick = append(quick, t)
		} else {
			groups = append(groups, []*test{t})
		}
	}
	if quick != nil {
		groups = append([][]*test{quick}, groups...)
	}
	return groups
}

// run reports whether one of the tests fails or takes far too long, and returns their output.
func (j *judge) run(ctx context.Context, pkg *goPackage, binary string, tests []*test) (failed, late bool, out []byte) {
	var names []string
	var took time.Duration
	for _, t := range tests {
		names = append(names, t.name)
		took += t.took
	}
	out, err := output(ctx, pkg.Dir, 2*time.Second+5*took, binary, "-test.failfast", fmt.Sprintf("-test.short=%v", j.target.short),
		"-test.run=^("+strings.Join(names, "|")+")$")
	late = errors.Is(err, context.DeadlineExceeded) || bytes.Contains(out, []byte("SIGXCPU")) || err != nil && strings.Contains(err.Error(), "signal:")
	return err != nil, late, out
}
