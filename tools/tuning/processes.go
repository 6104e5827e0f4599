// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math/rand/v2"
	"regexp"

	"github.com/strobe-go/strobe/internal/simulated"
)

// A process is simulated to see what a constant does.
type process struct {
	simulated.Process
	wrong *regexp.Regexp // matches a warning that names what is wrong with the samples; nil if nothing is
	pair  bool           // the two halves of the samples are compared, instead of an interval of their mean
}

// names reports whether a warning says what the process has.
func (p *process) names(warning string) bool {
	return p.wrong != nil && p.wrong.MatchString(warning)
}

// processes returns those of docs/coverage.md, and pairs of samples to compare.
func processes() (all []process) {
	correlated := regexp.MustCompile("correlated")
	wrong := map[string]*regexp.Regexp{"AR(0.9)": correlated, "queue": correlated, "lognormal, sigma 2": regexp.MustCompile("dominate the mean"),
		"spikes": regexp.MustCompile("spike"), "step": regexp.MustCompile("level changes")}
	for _, p := range simulated.Processes() {
		all = append(all, process{Process: p, wrong: wrong[p.Name]})
	}
	for _, p := range []simulated.Process{
		{Name: "normal", Draw: simulated.Noisy(0, simulated.Level), Clean: true},
		{Name: "lognormal, sigma 1", Draw: simulated.Lognormal(1), Clean: true},
		{Name: "lognormal, sigma 2", Draw: simulated.Lognormal(2), Clean: true},
		{Name: "slow start", Draw: simulated.Noisy(0, start)},
		{Name: "AR(0.5)", Draw: simulated.Noisy(0.5, simulated.Level)},
		{Name: "AR(0.9)", Draw: simulated.Noisy(0.9, simulated.Level)},
		{Name: "AR(0.9) and normal", Draw: halves(simulated.Noisy(0.9, simulated.Level), simulated.Noisy(0, simulated.Level))},
	} {
		named := regexp.MustCompile("correlated with")
		if p.Clean || p.Name == "slow start" {
			named = nil
		}
		p.Name += ", compared"
		all = append(all, process{Process: p, wrong: named, pair: true})
	}
	return all
}

// start is a level of 10 whose first value is off.
func start(i int) float64 {
	if i == 0 {
		return 18
	}
	return 10
}

// halves draws the first half of the samples from one process and the second from another.
func halves(first, second simulated.Draw) simulated.Draw {
	return func(r *rand.Rand, x []float64) {
		first(r, x[:len(x)/2])
		second(r, x[len(x)/2:])
	}
}
