// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// requestWays judge requests, beside a process that keeps a processor busy.
type requestWays struct {
	ctx               context.Context
	b                 *testing.B
	strobe, benchstat string // programs; empty before the first request, benchstat also where there is none
	end               func()
}

func newRequestWays(ctx context.Context, b *testing.B) *requestWays {
	return &requestWays{ctx: ctx, b: b, end: func() {}}
}

// judge makes a request and judges it in the way of key, or in all ways that use the same runs.
func (w *requestWays) judge(slow int, budget time.Duration, key requestOutcome) []requestOutcome {
	if w.strobe == "" {
		if _, err := exec.LookPath("git"); err != nil {
			w.b.Skip("makes git repositories: ", err)
		}
		w.strobe = build(w.b, w.b.TempDir(), "../../cmd/strobe")
		var err error
		if w.benchstat, err = buildBenchstat(); err != nil {
			w.b.Logf("no benchstat: %v", err) // without its rows
		}
		w.end = startHogs(w.b, 1)
	}
	dir := newRequest(w.b, slow)
	defer os.RemoveAll(dir)
	began := time.Now()
	switch {
	case key.Way == gateRow:
		key.Called, key.Passed = w.byGate(dir, budget, slow < 0)
	case w.benchstat == "":
		return nil
	default:
		runs := w.runBoth(dir, budget, key.Way == inTurnRow)
		if w.ctx.Err() != nil {
			return nil
		}
		key.Called = w.byBenchstat(runs, 1)
		if key.Way == inTurnRow {
			over, best := key, key
			over.Way, over.Called = overRow, w.byBenchstat(runs, overFactor)
			best.Way, best.Called = bestOfRow, byBest(runs, overFactor)
			key.Seconds = time.Since(began).Seconds()
			over.Seconds, best.Seconds = key.Seconds, key.Seconds
			return []requestOutcome{key, over, best}
		}
	}
	key.Seconds = time.Since(began).Seconds()
	return []requestOutcome{key}
}

// byGate returns which benchmarks strobe gate calls slower than the limit, and which pass.
func (w *requestWays) byGate(dir string, budget time.Duration, same bool) (called, passed []string) {
	args := []string{"gate", "HEAD~1", "--json", "--own-tests", "--gate=2.5%", "--max-time=" + budget.String()}
	if noise := *requestsFile + ".noise-" + budget.String(); *requestsFile != "" && same {
		if _, err := os.Stat(noise); err != nil { // the runs of the first request are recorded, for simulations
			args = append(args, "--record="+noise)
		}
	}
	cmd := exec.CommandContext(w.ctx, w.strobe, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that strobe gate removes its files
	cmd.WaitDelay = 10 * time.Second
	text, err := cmd.Output()
	if w.ctx.Err() != nil {
		return nil, nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.b.Fatal(err)
	}
	var o struct {
		Benchmarks []struct{ Name, Outcome string }
	}
	if err := json.Unmarshal(text, &o); err != nil || len(o.Benchmarks) != requestSize {
		w.b.Fatalf("strobe gate: %v, %v: %s", err, exit, text)
	}
	for _, x := range o.Benchmarks {
		switch x.Outcome {
		case "failed":
			called = append(called, x.Name)
		case "passed":
			passed = append(passed, x.Name)
		}
	}
	return called, passed
}

// requestRuns are what go test printed on both sides.
type requestRuns [2]string

// runBoth runs each benchmark ten times on both sides within the budget: one side after the other, or in turn, with the order
// reversed in every round.
func (w *requestWays) runBoth(dir string, budget time.Duration, inTurn bool) (runs requestRuns) {
	const count = 10
	run := func(dir, name string, args ...string) string {
		cmd := exec.CommandContext(w.ctx, name, args...)
		cmd.Dir = dir
		text, err := cmd.Output()
		if err != nil && w.ctx.Err() == nil {
			w.b.Fatalf("%s %s: %v\n%s", name, args[0], err, text)
		}
		return string(text)
	}
	old := filepath.Join(dir, "old")
	run(dir, "git", "worktree", "add", "-q", old, "HEAD~1")
	dirs := [2]string{old, dir}
	for _, dir := range dirs {
		run(dir, "go", "test", "-c", "-o", "request.test")
	}
	each := budget / (2 * count * requestSize)
	measure := func(side, count int) {
		runs[side] += run(dirs[side], "./request.test", "-test.run=^$", "-test.bench=.", "-test.benchtime="+each.String(), fmt.Sprintf("-test.count=%d", count))
	}
	if !inTurn {
		measure(0, count)
		measure(1, count)
		return runs
	}
	for n := range count {
		measure(n%2, 1)
		measure(1-n%2, 1)
	}
	return runs
}

// byBenchstat returns which benchmarks benchstat calls slower by more than a factor. luthersystems/elps fails requests in this
// way, at 15 %.
func (w *requestWays) byBenchstat(runs requestRuns, factor float64) (called []string) {
	args := []string{"-format=csv"}
	for side, text := range runs {
		args = append(args, filepath.Join(w.b.TempDir(), []string{"old.txt", "new.txt"}[side]))
		if err := os.WriteFile(args[1+side], []byte(text), 0o666); err != nil {
			w.b.Fatal(err)
		}
	}
	text, err := exec.Command(w.benchstat, args...).Output()
	if err != nil {
		w.b.Fatalf("benchstat: %v", err)
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		w.b.Fatal(err)
	}
	for _, fields := range rows {
		name, _, _ := strings.Cut(fields[0], "-")
		if !strings.HasPrefix(name, "Part") || len(fields) <= 5 {
			continue
		}
		more, err := strconv.ParseFloat(strings.TrimSuffix(fields[5], "%"), 64) // "~" if there is no significant difference
		if err == nil && 1+more/100 > factor {
			called = append(called, name)
		}
	}
	return called
}

// byBest returns which benchmarks are slower by more than a factor in the best of all rounds, if the difference also exceeds the
// spreads of both sides together, like the script of delta-io/delta-kernel-rs, with 5 %.
func byBest(runs requestRuns, factor float64) (called []string) {
	var times [2]map[string][]float64
	for side, text := range runs {
		times[side] = map[string][]float64{}
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 4 || !strings.HasPrefix(fields[0], "BenchmarkPart") || fields[3] != "ns/op" {
				continue
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(fields[0], "Benchmark"), "-")
			if ns, err := strconv.ParseFloat(fields[2], 64); err == nil {
				times[side][name] = append(times[side][name], ns)
			}
		}
	}
	for i := range requestSize {
		a, b := times[0][requestName(i)], times[1][requestName(i)]
		if len(a) < 2 || len(b) < 2 {
			continue
		}
		if best, other := slices.Min(a), slices.Min(b); other > factor*best && other-best > spread(a)+spread(b) {
			called = append(called, requestName(i))
		}
	}
	return called
}

// spread returns the standard deviation of v.
func spread(v []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}
