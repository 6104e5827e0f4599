// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// What all planted packages have.
const (
	goMod = "module example.com/planted\n\ngo 1.24\n"
	tests = "package planted\n\nimport \"testing\"\n\nfunc BenchmarkCall(b *testing.B) {\n\tprepare()\n\tb.ResetTimer()\n\tfor i := 0; i < b.N; i++ {\n\t\tcall(i)\n\t}\n}\n"
	stock = `// work takes time in proportion to the number of steps.
//
//go:noinline
func work(steps int) (x uint64) {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

var sink uint64

`
)

// text returns the source of a package with what is planted, or without it.
func (k *kind) text(p plan, planted bool) string {
	p.planted = planted
	body := k.source(p)
	head := "package planted\n\n"
	if strings.Contains(body, "sync.") {
		head += "import (\n\t\"sync\"\n\t\"time\"\n)\n\n"
	}
	return head + stock + body
}

// write writes the module on one side.
func (k *kind) write(dir string, p plan, planted bool) error {
	for name, text := range map[string]string{"go.mod": goMod, "planted.go": k.text(p, planted), "planted_test.go": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// plant makes a repository whose working tree has what its commit has not. It returns by how much the processor time of a call grew,
// as it was measured without the gate.
func (w *workshop) plant(ctx context.Context, k *kind, p plan, dir string) (change float64, err error) {
	if err := k.write(dir, p, false); err != nil {
		return 0, err
	}
	if err := commit(ctx, dir); err != nil {
		return 0, err
	}
	costs, err := w.costs(ctx, k, p, dir)
	return costs[1]/costs[0] - 1, err
}

// solve returns the plan with what else a call costs chosen so that what is planted makes up the share it should have: it costs the
// same whatever else a call does.
func (w *workshop) solve(ctx context.Context, k *kind, p plan, dir string) (plan, error) {
	const least = 20 // ns
	p.call = 200     // so that what is planted is much of it
	for range 2 {
		costs, err := w.costs(ctx, k, p, dir)
		if err != nil {
			return p, err
		}
		planted := max(least, costs[1]-costs[0])
		p.call = max(least, p.call+planted/p.change-costs[0])
	}
	return p, nil
}

// costs returns the processor time of a call on both sides, ns. It leaves the planted side in the folder.
func (w *workshop) costs(ctx context.Context, k *kind, p plan, dir string) (ns [2]float64, err error) {
	const rounds = 5
	var programs [2]string
	for side := range programs {
		programs[side] = filepath.Join(w.temp, fmt.Sprintf("side%d%s", side, w.exe))
		if err := k.write(dir, p, side == 1); err != nil {
			return ns, err
		}
		if err := w.tool(ctx, dir, "go", "test", "-c", "-o", programs[side], "."); err != nil {
			return ns, err
		}
	}
	calls := max(80, int(3e8/(p.call+float64(p.bytes)))) // about 0.3 s, where a byte takes 1 ns
	var all [2][]float64
	for range rounds {
		for side, program := range programs {
			many, err := w.processorTime(ctx, dir, program, calls)
			if err != nil {
				return ns, err
			}
			few, err := w.processorTime(ctx, dir, program, calls/8)
			if err != nil {
				return ns, err
			}
			all[side] = append(all[side], float64(many-few)/float64(calls-calls/8))
		}
	}
	for side := range ns {
		slices.Sort(all[side])
		ns[side] = all[side][rounds/2]
	}
	if !(ns[0] > 0) || math.IsInf(ns[1], 0) {
		return ns, fmt.Errorf("%s: calls took no processor time", k.name)
	}
	return ns, nil
}

// processorTime returns that of a process that makes so many calls.
func (w *workshop) processorTime(ctx context.Context, dir, program string, calls int) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.bench=.", fmt.Sprintf("-test.benchtime=%dx", calls))
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, text)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
