// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/stat/decide"
)

// An explainer profiles a benchmark.
type explainer struct {
	explanation
	benchmark *benchmark
	cost      profdiff.Cost
	modules   [2][]string
	temp      string
	seed      uint64
	error     float64 // probability that anything is claimed wrongly
	budget    time.Duration
	timeout   time.Duration
	merged    [2]*profile.Profile // processor profiles
	counted   [2]*profile.Profile // the largest allocation profiles
	calls     int                 // in a run, if that matters; 0 otherwise
	timed     bool                // its time has failed
	made      [2]int              // calls in all runs of a side
	began     clock.Instant
}

// explain profiles the processor time for as long as it needs, and then what is allocated.
func (e *explainer) explain(ctx context.Context) error {
	broken, side := e.benchmark.broken, e.benchmark.brokenSide
	defer func() { e.benchmark.broken, e.benchmark.brokenSide = broken, side }() // it has been measured
	e.began = clock.Now()
	for side, binary := range [2]string{e.benchmark.pkg.binaries[e.benchmark.base()][0], e.benchmark.pkg.binaries[newSide][0]} {
		e.modules[side] = modulesOf(binary)
	}
	var err error
	if e.timed {
		err = e.sample(ctx)
	}
	if err == nil {
		err = e.allocate(ctx)
	}
	e.spent = clock.Since(e.began)
	return err
}

// modulesOf returns the paths of the modules of a program, the main module first; nil if it does not say.
func modulesOf(binary string) (paths []string) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil || info.Main.Path == "" {
		return nil
	}
	paths = append(paths, info.Main.Path)
	for _, d := range info.Deps {
		paths = append(paths, d.Path)
	}
	return paths
}

// allocate counts what calls allocate, if there is time for that.
func (e *explainer) allocate(ctx context.Context) error {
	call := max(e.cost.Call[oldSide], e.cost.Call[newSide], 1)
	calls := max(1, min(mostCounted, int(float64(countedRun)/call)))
	a := profdiff.NewAllocations(e.modules)
	longest := time.Duration(call * float64(4*calls)) // of a pair
	for round := range countedRuns {
		for side := range sideNames {
			if left := 2*(countedRuns-1-min(1, round)) - side; clock.Since(e.began)+time.Duration(left)*longest > e.budget {
				e.uncounted = true
				return nil
			}
			start := clock.Now()
			var profiles [2]*profile.Profile
			for i, n := range [2]int{calls, 3 * calls} {
				_, p, err := e.profiled(ctx, side, 0, n, "-test.memprofile", "-test.memprofilerate=1")
				if err != nil {
					return err
				}
				profiles[i] = p
			}
			if err := a.Add(side, profiles[0], profiles[1], 2*calls); err != nil {
				return err
			}
			e.counted[side], longest = profiles[1], max(longest, clock.Since(start))
		}
		if round > 0 && a.Agree() {
			break
		}
	}
	e.allocations = a.Compare(e.error / 2)
	return nil
}

// sample takes processor profiles of both sides in turn, until they explain the difference or the time is up.
func (e *explainer) sample(ctx context.Context) error {
	budget := e.budget - e.budget/allocationPart
	round := min(2*profiledRun, budget/(3*fewestRounds)) // how long one should take, of which processes need a part
	run := float64(round / 4)
	calls := e.callsFor(run)
	if need := float64(fewestRounds) * (float64(calls[oldSide])*e.cost.Call[oldSide] + float64(calls[newSide])*e.cost.Call[newSide]); need > float64(budget) {
		return fmt.Errorf("it would take %s, and profiles may take %s of --max-time", time.Duration(need).Round(time.Second), budget.Round(100*time.Millisecond))
	}
	e.profiles = profdiff.NewProfiles(e.modules, e.benchmark.maxProcs() == 1)
	order, longest, analyses, next := bench.NewOrder(2, e.seed), time.Duration(0), 0, fewestRounds
	for clock.Since(e.began)+longest < budget || e.rounds == 0 {
		start := clock.Now()
		for _, side := range order.Next() {
			if err := e.sampleOnce(ctx, side, calls[side]); err != nil {
				return err
			}
		}
		took := clock.Since(start)
		longest = max(longest, took)
		run = min(float64(profiledRun), run*max(0.25, min(2, float64(round)/float64(took))))
		calls = e.callsFor(run)
		if e.rounds++; e.rounds == next {
			if e.compared = e.profiles.Compare(e.cost, e.error/2*decide.Interim(analyses)); e.compared.Explained() {
				return nil
			}
			analyses, next = analyses+1, 2*next
		}
	}
	e.compared = e.profiles.Compare(e.cost, e.error/2*decide.Final)
	return nil
}

// callsFor returns how many calls each side makes in a run of about this length: the same number, unless they differ much. What a
// call costs may grow with their number, so it is not much larger than that of a long run.
func (e *explainer) callsFor(run float64) (calls [2]int) {
	if e.calls > 0 {
		return [2]int{e.calls, e.calls}
	}
	costs := e.cost.Call
	if most, least := max(costs[oldSide], costs[newSide]), min(costs[oldSide], costs[newSide]); most < unlikeSides*least {
		mean := (costs[oldSide] + costs[newSide]) / 2
		costs = [2]float64{mean, mean}
	}
	for side, c := range costs {
		calls[side] = max(1, int(run/max(1, c)))
		if long := e.benchmark.longCalls; long > 0 {
			calls[side] = min(calls[side], 2*long)
		}
	}
	return calls
}

// sampleOnce runs one side under the processor profile.
func (e *explainer) sampleOnce(ctx context.Context, side, calls int) error {
	r, p, err := e.profiled(ctx, side, e.rounds%len(e.benchmark.pkg.binaries[newSide]), calls, "-test.cpuprofile")
	if err == nil {
		r.Profile = p
		err = e.profiles.Add(side, r)
	}
	if err != nil {
		return err
	}
	e.samples[side] = e.profiles.Samples(side)
	e.made[side] += calls
	if e.merged[side] != nil {
		p, err = profile.Merge([]*profile.Profile{e.merged[side], p})
	}
	e.merged[side] = p
	return err
}

// profiled runs one side with a flag that writes a profile.
func (e *explainer) profiled(ctx context.Context, side, layout, calls int, flag string, more ...string) (r profdiff.Run, p *profile.Profile, err error) {
	file := filepath.Join(e.temp, "profile")
	defer os.Remove(file)
	v, run, err := e.benchmark.run(ctx, side, layout, calls, 1, e.timeout, append(more, flag+"="+file)...)
	if err != nil {
		return r, nil, fmt.Errorf("on %s it %w", sideNames[side], err)
	}
	r.Calls, r.Elapsed = calls, v.ns*float64(calls)
	if d := disturbanceOf(&run); d.known && e.benchmark.maxProcs() == 1 {
		r.Waited = d.waited
	}
	f, err := os.Open(file)
	if err != nil {
		return r, nil, err
	}
	defer f.Close()
	p, err = profile.Parse(f)
	return r, p, err
}
