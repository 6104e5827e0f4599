// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sides"
)

// A pair is a measurement of two folders, for another verb.
type pair struct {
	m     *measurement
	order *bench.Order
	built *pkg // the base, and what was built last
}

// Compare is a sides.Compare.
func Compare(s *session.Session, o sides.Options, base, other string) (sides.Pair, error) {
	f := &Flags{Bench: o.Bench, Gate: []limit{{share: o.Limit}}, MaxTime: flags.Duration(o.Time), Level: flags.Level(o.Level), OwnTests: true, By: o.By, CPU: o.CPU,
		Exact: o.Exact, Kernel: o.Kernel, Layouts: o.Layouts, Run: flags.Duration(o.Run), Seed: o.Seed}
	if o.Timeout > 0 {
		t := flags.Duration(o.Timeout)
		f.Timeout = &t
	}
	m, err := newMeasurement(f)
	if err != nil {
		return nil, err
	}
	m.patterns, m.build, m.firstLayout = o.Packages, o.Build, o.First
	p := &pair{m: m, order: bench.NewOrder(2, m.seed)}
	if err := m.prepareSides(s, [2]string{base, other}); err != nil {
		return p, err
	}
	return p, p.fault()
}

// fault says why there is nothing to compare.
func (p *pair) fault() error {
	m := p.m
	for _, b := range m.all {
		if !strings.HasPrefix(b.pkg.target, "./") {
			return fmt.Errorf("%s is not in this checkout", b.pkg.path)
		}
	}
	switch {
	case len(m.all) > 0:
		return nil
	case len(m.broken) > 0:
		x := m.broken[0]
		return &sides.Fault{Base: x.side == oldSide, Why: x.name + " " + x.why}
	case len(m.added) > 0:
		return &sides.Fault{Base: true, Absent: true, Why: m.added[0] + " does not exist"}
	case len(m.vanished) > 0:
		return &sides.Fault{Absent: true, Why: m.vanished[0] + " does not exist"}
	}
	return fmt.Errorf("no benchmark matches --bench=%s in %q", m.flags.Bench, m.patterns)
}

// Judge implements sides.Pair.
func (p *pair) Judge(s *session.Session) (all []sides.Result) {
	m := p.m
	m.measure(s)
	for i, b := range m.all {
		r := sides.Result{Package: b.pkg.again(), Name: b.name, Folder: strings.TrimPrefix(b.pkg.target, "./"), Pattern: exactly(b.name), Rewritten: b.rewritten}
		if b.broken != "" {
			r.Broken = &sides.Fault{Base: b.brokenSide == oldSide, Why: b.pkg.path + "." + b.name + " " + b.broken}
			all = append(all, r)
			continue
		}
		x, t := m.row(i), p.task(i)
		r.Outcome, r.Rounds = x.outcome, make([][]float64, p.Layouts())
		if r.Ratio = x.comparison.Ratio; t.long && x.opinion != nil {
			r.Ratio = x.opinion.comparison.Ratio
		}
		if m.emulator != nil {
			r.Ratio.Method, r.Ratio.N = "all counts of both sides", uint64(len(x.rounds))
		}
		if r.Ratio.Level > 0 {
			r.Change = changeBy(r.Ratio, m.flags.by())
		}
		s := m.series(t)
		for k := range s.rounds {
			round := &s.rounds[k]
			if x := ratio(round); !math.IsNaN(x) && !math.IsInf(x, 0) {
				r.Rounds[round.layout] = append(r.Rounds[round.layout], x)
			}
		}
		all = append(all, r)
	}
	return all
}

// task returns what shows the difference of a benchmark: short blocks, unless only long runs find that it is slower.
func (p *pair) task(i int) task {
	short, long := task{i, p.m.flags.By == "cpu"}, task{i, true}
	if p.m.emulator != nil || p.m.failed(short) || !p.m.failed(long) {
		return short
	}
	return long
}

// ratio returns the logarithm of that of the costs in a round.
func ratio(r *round) float64 { return math.Log(r.cost[newSide] / r.cost[oldSide]) }

// Layouts implements sides.Pair.
func (p *pair) Layouts() int { return max(1, p.m.layouts) }

// Build implements sides.Pair.
func (p *pair) Build(ctx context.Context, benchmark int, folder string, layout int) (string, error) {
	m, pk := p.m, p.m.all[benchmark].pkg
	if m.layouts == 0 {
		layout = 0
	}
	binary := m.binary(len(m.pkgs), newSide)
	var err error
	if m.emulator != nil {
		err = m.emulator.build(ctx, folder, pk.target, binary, m.buildFlags())
	} else {
		err = build(ctx, folder, pk.target, binary, m.buildFlags(), layout)
	}
	if err != nil {
		return "", fmt.Errorf("does not build: %w", err)
	}
	third := *pk
	third.dirs[newSide] = filepath.Join(folder, filepath.FromSlash(pk.target))
	third.binaries[newSide] = slices.Repeat([]string{binary}, len(pk.binaries[oldSide]))
	p.built = &third
	f, err := os.Open(binary)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// Rounds implements sides.Pair.
func (p *pair) Rounds(ctx context.Context, benchmark int, n int) (all []float64, err error) {
	of, t := p.m.all[benchmark], p.task(benchmark)
	timeout, by := p.m.flags.timeout(), p.m.flags.By
	b := *of
	b.pkg, b.series, b.long = p.built, series{quiet: of.quiet}, series{quiet: of.long.quiet}
	if p.m.emulator != nil {
		v, _, err := b.run(ctx, newSide, 0, b.iterations, 1, timeout)
		if err != nil {
			return nil, p.explain(ctx, &b, err)
		}
		return []float64{math.Log(ratioOf(v.ns, of.median(oldSide)))}, nil
	}
	for tries := 0; len(all) < n && tries < 2*n; tries++ { // at most half of the rounds are disturbed
		var r *round
		if t.long {
			r, err = b.measureLong(ctx, b.in(t, by), by, p.order, timeout)
		} else {
			r, err = b.measure(ctx, p.order, timeout)
		}
		if err != nil {
			return nil, p.explain(ctx, &b, err)
		}
		if r == nil {
			continue
		}
		if x := ratio(r); !math.IsNaN(x) && !math.IsInf(x, 0) {
			all = append(all, x)
		}
	}
	of.quiet, of.long.quiet = b.quiet, b.long.quiet
	if len(all) == 0 {
		return nil, errors.New("takes no time that could be measured")
	}
	return all, nil
}

// explain says what is wrong with a benchmark that does not run.
func (p *pair) explain(ctx context.Context, b *benchmark, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	top, _, _ := strings.Cut(b.name, "/")
	program := process{binary: b.pkg.binaries[newSide][0], dir: b.pkg.dirs[newSide], machine: b.pkg.machine, timeout: p.m.flags.timeout()}
	if tops, failed := program.list(ctx); failed == nil && !slices.Contains(tops, top) {
		return fmt.Errorf("has no Benchmark%s", top)
	}
	return fmt.Errorf("%s %w", "Benchmark"+b.name, err)
}

// Opened implements sides.Pair.
func (p *pair) Opened(ctx context.Context, benchmark int) (files []string, ok bool) {
	return p.m.opened(ctx, p.m.all[benchmark].pkg)
}

// Close implements sides.Pair.
func (p *pair) Close() { p.m.clean(context.Background()) }
