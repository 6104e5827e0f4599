// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/tools/accuracy/busy"
	"github.com/strobe-go/strobe/tools/facts"
)

// A workshop is where modules are made and gated.
type workshop struct {
	temp, strobe string
	exe          string // that names of programs end in
	env          []string
	speed        speed
	about        machine
	stop         func()
}

func newWorkshop(ctx context.Context, s *settings) (w *workshop, err error) {
	w = &workshop{stop: func() {}}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.temp, err = os.MkdirTemp("", "gate-accuracy"); err != nil {
		return w, err
	}
	w.env = append(os.Environ(), "GOWORK=off", "STROBE_CACHE="+filepath.Join(w.temp, "cache"), "GITHUB_STEP_SUMMARY=")
	if runtime.GOOS == "windows" {
		w.exe = ".exe"
	}
	w.strobe = filepath.Join(w.temp, "strobe"+w.exe)
	cmd := exec.CommandContext(ctx, "go", "build", "-o", w.strobe, "./cmd/strobe")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), "GOWORK=auto")
	if text, err := cmd.CombinedOutput(); err != nil {
		return w, fmt.Errorf("%w: %s", err, text)
	}
	w.speed = measureSpeed()
	w.about = machine{Commit: facts.Commit(), Processor: facts.Processor(), Processors: facts.Processors(), System: facts.System(), Go: runtime.Version(),
		Nice: facts.Nice(), Busy: s.busy}
	w.stop, err = busy.Start(s.busy)
	if err != nil {
		w.stop = func() {}
	}
	return w, err
}

func (w *workshop) close() {
	w.stop()
	if w.temp != "" {
		os.RemoveAll(w.temp)
	}
}

// repository returns an empty folder, and what removes it.
func (w *workshop) repository() (dir string, done func(), err error) {
	dir, err = os.MkdirTemp(w.temp, "module")
	return dir, func() { os.RemoveAll(dir) }, err
}

// tool runs a command in a folder.
func (w *workshop) tool(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, w.env
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, args[0], err, text)
	}
	return nil
}

// commit makes a repository of a folder, with a commit of all that is in it.
func commit(ctx context.Context, dir string) error {
	w := workshop{env: append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)}
	return errors.Join(w.tool(ctx, dir, "git", "init", "-q"), w.tool(ctx, dir, "git", "add", "-A", "-f"),
		w.tool(ctx, dir, "git", "-c", "user.name=accuracy", "-c", "user.email=accuracy@example.com", "commit", "-q", "-m", "base"))
}

// try makes a gate, and adds what all have in common.
func (w *workshop) try(ctx context.Context, j job) (try, error) {
	before := facts.Load()
	t, err := j.gate(ctx, w, j)
	t.Kind, t.N, t.Seed, t.Budget = j.kind, j.n, j.seed, j.budget.Seconds()
	t.Date, t.machine, t.Loads = facts.Date(), w.about, [2]string{before, facts.Load()}
	return t, err
}

// gate runs strobe gate in a folder. What fails is not profiled, which changes no verdict.
func (w *workshop) gate(ctx context.Context, dir string, j job) (t try, err error) {
	cmd := exec.CommandContext(ctx, w.strobe, "gate", "HEAD", "--json", "--no-explain", "--max-time="+j.budget.String())
	cmd.Dir, cmd.Env = dir, w.env
	began := time.Now()
	out, err := cmd.Output()
	t.Seconds = time.Since(began).Seconds()
	var o gateObject
	if bad := json.Unmarshal(out, &o); bad != nil {
		return t, fmt.Errorf("strobe gate: %w: %s", errors.Join(err, bad), out)
	}
	t.Spent, t.Outcome, t.Same, t.Broken = o.Spent, o.Gate.Outcome, len(o.Same), o.Broken
	for _, b := range o.Benchmarks {
		v := verdict{Name: b.Name, Outcome: b.Outcome, Short: b.Ratio, Rounds: b.Rounds}
		if b.Long != nil {
			v.Long, v.LongRounds = b.Long.Ratio, b.Long.Rounds
		}
		t.Verdicts = append(t.Verdicts, v)
	}
	return t, nil
}

// A gateObject is what is read of the JSON of strobe gate.
type gateObject struct {
	Spent float64 `json:"measured_s"`
	Gate  struct {
		Outcome string `json:"outcome"`
	} `json:"gate"`
	Same       []string `json:"same_program"`
	Broken     []string `json:"not_measured"`
	Benchmarks []struct {
		Name    string `json:"name"`
		Outcome string `json:"outcome"`
		Ratio   ratio  `json:"ratio"`
		Rounds  int    `json:"rounds"`
		Long    *struct {
			Ratio  ratio `json:"ratio"`
			Rounds int   `json:"rounds"`
		} `json:"long"`
	} `json:"benchmarks"`
}
