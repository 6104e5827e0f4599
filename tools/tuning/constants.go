// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"reflect"

	"github.com/strobe-go/strobe/internal/tuned"
)

// A constant is a field of tuned.Constants.
type constant struct {
	name string
	off  float64 // value that takes it out
	how  string  // what off means
	room [2]float64
	seen witness
}

// A witness is a process and a number of samples for which the constant is needed, as the whole simulation found, and the figure
// that is worse without it.
type witness struct {
	process string
	n       int
	figure  figure
}

const never = 1e9

// constants are those of tuned.Constants in their order.
var constants = []constant{
	{name: "Seen", off: never, how: "batches never count as correlated", seen: witness{"bursty queue", 200, covered}},
	{name: "SeenFew", off: never, how: "few samples never count as correlated", seen: witness{"AR(0.9)", 16, covered}},
	{name: "Feared", off: 0, how: "correlation is taken as it shows", seen: witness{"AR(0.9)", 16, covered}},
	{name: "FewFree", off: 0, how: "the same for few samples", room: [2]float64{0, 2.9}, seen: witness{"AR(0.9)", 16, covered}},
	{name: "FewestFree", off: 3.4, how: "3.4 instead", room: [2]float64{2.8, never}, seen: witness{"AR(0.9)", 16, width}},
	{name: "Correlated", off: never, how: "no warning of correlated batches", seen: witness{"four time scales", 200, caught}},
	{name: "CorrelatedRanks", off: -never, how: "ranks do not count", seen: witness{"lognormal, sigma 1", 128, needless}},
	{name: "CorrelatedFew", off: never, how: "no warning of correlated samples", seen: witness{"bursty queue", 64, caught}},
	{name: "CorrelatedFewRanks", off: -never, how: "ranks do not count", seen: witness{"lognormal, sigma 1", 32, needless}},
	{name: "FewestBatches", off: tuned.Fewest, how: "as many as of samples", seen: witness{"four time scales", 200, caught}},
	{name: "FewestSkewed", off: 32, how: "as many as of others", seen: witness{"bursty queue", 1000, caught}},
	{name: "Skewed", off: never, how: "nothing counts as skewed", seen: witness{"queue", 64, caught}},
	{name: "SeveralSurely", off: never, how: "only with few samples", seen: witness{"two levels", 200, covered}},
	{name: "SeveralLikely", off: never, how: "not more readily with few samples", seen: witness{"four time scales", 200, covered}},
	{name: "HardlyEnough", off: 0, how: "no samples are hardly enough", seen: witness{"four time scales", 200, covered}},
	{name: "StillCorrelated", off: never, how: "no warning of longer scales", seen: witness{"four time scales", 1000, caught}},
	{name: "ChangeSurely", off: 0, how: "any step or trend counts", seen: witness{"normal", 16, needless}},
	{name: "ChangeFeared", off: 0, how: "correlation is taken as it shows", seen: witness{"AR(0.9)", 32, named}},
	{name: "StepRanks", off: 0, how: "ranks do not count", seen: witness{"AR(0.9)", 16, named}},
	{name: "PeriodFewest", off: tuned.Fewest, how: "as many as for a step", seen: witness{"normal", 16, needless}},
	{name: "PeriodBoth", off: -never, how: "any correlation will do", seen: witness{"gamma, shape 1/2", 128, needless}},
	{name: "PeriodAgain", off: -never, how: "once is enough", seen: witness{"queue", 400, named}},
	{name: "PeriodHalf", off: never, how: "a slow wave counts too", seen: witness{"AR(0.9)", 64, named}},
	{name: "SkewNoise", off: 0, how: "skewness is taken as it shows", seen: witness{"gamma, shape 2", 16, width}},
	{name: "TooSkewed", off: never, how: "no warning", seen: witness{"vsync", 128, caught}},
	{name: "TailFew", off: 0, how: "not sooner with few samples", seen: witness{"Pareto, exponent 1.5", 16, covered}},
	{name: "TailMany", off: never, how: "not later with more", seen: witness{"exponential", 200, width}},
	{name: "Heavy", off: never, how: "no allowance from 256 samples on", seen: witness{"Pareto, exponent 1.5", 400, covered}},
	{name: "HeavySlope", off: never, how: "a step, not a slope", seen: witness{"gamma, shape 1/2", 400, width}},
	{name: "HeavyMany", off: never, how: "for any number of samples", seen: witness{"lognormal, negated", 1000, width}},
	{name: "QueueMost", off: 0, how: "no allowance for correlated samples", seen: witness{"queue", 1000, covered}},
	{name: "QueueFree", off: never, how: "for any number of independent samples", seen: witness{"queue", 5000, width}},
	{name: "QueueCorrelated", off: 1e-9, how: "for independent samples too", seen: witness{"exponential", 128, width}},
	{name: "QueueSkew", off: 0, how: "an exponential tail is taken as it shows", seen: witness{"bursty queue", 64, covered}},
	{name: "Farthest", off: 12, how: "four times as far", seen: witness{"vsync", 200, width}},
	{name: "FarthestFew", off: 0, how: "the same for few samples", seen: witness{"queue", 64, covered}},
	{name: "SpikeFar", off: never, how: "no spikes", seen: witness{"spikes", 64, named}},
	{name: "SpikeRare", off: never, how: "one spike at most", seen: witness{"spikes", 200, named}},
	{name: "SpikeAlone", off: 0, how: "a heavy tail is named before spikes", seen: witness{"spikes", 64, named}},
	{name: "Index", off: 0, how: "the index does not count", seen: witness{"lognormal, sigma 1", 200, needless}},
	{name: "WarnMany", off: 0, how: "the limit falls for ever", seen: witness{"lognormal, sigma 1.5", 5000, needless}},
	{name: "WarnSeveral", off: never, how: "as with fewer samples", seen: witness{"Pareto, exponent 1.5", 1000, caught}},
	{name: "WarnSeveralRoot", off: 0, how: "the same for any number of samples", seen: witness{"gamma, shape 1/2", 200, needless}},
	{name: "WarnFew", off: never, how: "as with some hundred", seen: witness{"lognormal, sigma 2", 32, named}},
	{name: "WarnFewRoot", off: 0, how: "the same for any number of samples", seen: witness{"gamma, shape 1/2", 16, needless}},
	{name: "OrderSide", off: never, how: "no warning of one side", seen: witness{"AR(0.9) and normal, compared", 32, named}},
	{name: "OrderBoth", off: never, how: "no warning of both", seen: witness{"AR(0.9), compared", 32, named}},
	{name: "OrderBothFew", off: tuned.Committed.OrderBoth, how: "as with more", seen: witness{"AR(0.5), compared", 16, named}},
	{name: "OrderRanks", off: never, how: "ranks do not count", seen: witness{"lognormal, sigma 1, compared", 32, needless}},
	{name: "OrderOutlier", off: never, how: "an outlier counts as it is", seen: witness{"slow start, compared", 32, needless}},
}

// value returns the constant in use.
func (c *constant) value() float64 {
	return reflect.ValueOf(tuned.Committed).FieldByName(c.name).Float()
}

// with returns the constants in use, with another value of this one.
func (c *constant) with(value float64) *tuned.Constants {
	all := tuned.Committed
	reflect.ValueOf(&all).Elem().FieldByName(c.name).SetFloat(value)
	return &all
}

// values returns those to try, ascending: multiples of the one in use, which is among them.
func (c *constant) values() (all []float64) {
	for _, factor := range []float64{0.25, 0.5, 0.7, 0.85, 0.93, 1, 1.07, 1.18, 1.4, 2, 4} {
		if v := factor * c.value(); c.room == [2]float64{} || c.room[0] <= v && v <= c.room[1] {
			all = append(all, v)
		}
	}
	return all
}
