// SPDX-License-Identifier: BSD-3-Clause

// Package tuned is the part of stat.BatchMeans.Interval and of the warnings of stat.Compare that was found by simulation. It covers
// what published methods do not: few samples, correlation on several time scales, changes of the level, and tails so heavy that the
// samples lack the values that determine the mean.
//
// The published parts are the fit of an autoregression to batch means, Hall's transformation, Olsson's bound, Hill's index, the
// tests of von Neumann and of Gail and Gastwirth; each is named where it is. How they are weighed, and from where on a warning is
// due, is in [Constants]. No formula gives these numbers. Each is in a range in which the intervals keep what docs/coverage.md
// promises, and outside of which a promise breaks, intervals become unnecessarily wide, or a warning names the wrong reason. The table of constants there shows what
// each buys. This program searches their ranges:
//
//	go -C tools run ./tuning
//
// stat.BatchMeans.PlainInterval has nothing of this.
package tuned

// Constants are the numbers that were found by simulation. Standard errors are those of independent samples.
type Constants struct {
	// Correlation. A test that sees it too often widens the intervals of independent samples, one that sees it too seldom leaves those
	// of correlated ones too narrow.
	Seen    float64 // lag-1 correlation of batch means, in standard errors, from which it widens the interval
	SeenFew float64 // the same for the test of von Neumann, with fewer than 64 samples
	Feared  float64 // added to the correlation of fewer than 64 samples, in standard errors, since it is underestimated
	FewFree float64 // decrease of FewestFree from 64 samples to 16

	FewestFree float64 // least number of independent values assumed, however correlated the samples are: t with fewer is too wide to be useful

	// Correlated and its kin say when correlation is worth a warning, if there are also fewer independent values than the next three say.
	Correlated         float64 // lag-1 correlation of batch means, in standard errors
	CorrelatedRanks    float64 // the same for their ranks, which a few large values do not disturb
	CorrelatedFew      float64 // the same for the test of von Neumann, with fewer than 64 samples
	CorrelatedFewRanks float64 // and that of their ranks
	FewestBatches      float64 // independent values below which correlated batches carry a warning
	FewestSkewed       float64 // the same if they are skewed, as in a queue, whose longest busy periods may be missing
	Skewed             float64 // Gini coefficient above which they are

	// Several time scales. The longest batches then determine the interval.
	SeveralSurely   float64 // excess of the correlation of longer batches over that of one time scale, in standard errors, that shows several
	SeveralLikely   float64 // the same if the samples are correlated and hardly enough for that
	HardlyEnough    float64 // how many times the fewest independent values that is
	StillCorrelated float64 // correlation of the longest batches, in standard errors, from which even longer scales may be missing

	// Changes of the level, in the batch means.
	ChangeSurely float64 // standard errors that a step or a trend must have
	ChangeFeared float64 // added to the correlation of what remains without it, in standard errors, since removing a fit removes correlation too
	StepRanks    float64 // standard errors that a step must have in ranks
	PeriodFewest float64 // values that it takes to see a period
	PeriodBoth   float64 // correlation of values one period apart, in sum over the two whole numbers around it
	PeriodAgain  float64 // correlation of values two periods apart
	PeriodHalf   float64 // most correlation of values half a period apart

	// Skewness and tails.
	SkewNoise float64 // square of the skewness times the number of samples that fewer than 64 normal ones show as well
	TooSkewed float64 // square of the skewness of batch means over their number from which a few of them decide the mean

	TailFew  float64 // with all samples at hand: how much sooner, in standard errors times samples, few of them count as lognormal
	TailMany float64 // and how many more samples it takes to need one standard error more for that

	Heavy      float64 // inequality of all samples and of the largest from which the tail of more samples counts as lognormal
	HeavySlope float64 // how fast it does beyond
	HeavyMany  float64 // half the number of samples from which none of this is needed

	QueueMost       float64 // how far a lognormal tail is allowed for where correlation leaves few independent samples, as in a queue
	QueueFree       float64 // half the number of independent samples from which it is not
	QueueCorrelated float64 // samples for each independent one from which it is
	QueueSkew       float64 // by how many standard errors an exponential tail passes for a heavier one there

	Farthest    float64 // maximum reach of a lognormal tail, as a multiple of that of skewness alone
	FarthestFew float64 // added for few samples: this divided by their number

	// Warnings of tails.
	SpikeFar   float64 // distance of a spike from the median, as a multiple of that of all other samples
	SpikeRare  float64 // minimum number of samples for each spike
	SpikeAlone float64 // how many times as far as the upper quartile the others may lie and still have no heavy tail

	Index           float64 // weight of Hill's index: the inequality less this times the index tells Pareto samples from lognormal and gamma ones better than either does
	WarnMany        float64 // from where on that is worth a warning, with many samples
	WarnSeveral     float64 // and with some hundred,
	WarnSeveralRoot float64 // plus this over the root of their number
	WarnFew         float64 // and with fewer,
	WarnFewRoot     float64 // plus this over the root of their number

	// Correlation of neighbours in two samples that are compared, in standard errors.
	OrderSide    float64 // of a sample, if not of the other too
	OrderBoth    float64 // of both together
	OrderBothFew float64 // the same with fewer than 20 values
	OrderRanks   float64 // by how much that of the values may exceed that of their ranks, which a few large values do not disturb
	OrderOutlier float64 // by how much the test of von Neumann, in which an outlier at an end counts half, may exceed the lag-1 correlation
}

// Committed are the constants in use.
var Committed = Constants{
	Seen: 0.85, SeenFew: 0.84, Feared: 0.3, FewFree: 1.7, FewestFree: 4,
	Correlated: 2.25, CorrelatedRanks: 1.8, CorrelatedFew: 1.85, CorrelatedFewRanks: 1.6,
	FewestBatches: 32, FewestSkewed: 48, Skewed: 0.4,
	SeveralSurely: 2.33, SeveralLikely: 1.96, HardlyEnough: 2, StillCorrelated: 0.5,
	ChangeSurely: 4, ChangeFeared: 1, StepRanks: 3,
	PeriodFewest: 40, PeriodBoth: 0.6, PeriodAgain: 0.4, PeriodHalf: 0.3,
	SkewNoise: 1.5, TooSkewed: 0.5,
	TailFew: 10, TailMany: 100,
	Heavy: 1.2, HeavySlope: 10, HeavyMany: 500,
	QueueMost: 0.4, QueueFree: 80, QueueCorrelated: 4, QueueSkew: 0.5,
	Farthest: 3, FarthestFew: 32,
	SpikeFar: 10, SpikeRare: 50, SpikeAlone: 6,
	Index: 0.3, WarnMany: 0.7, WarnSeveral: 0.57, WarnSeveralRoot: 4.5, WarnFew: 0.79, WarnFewRoot: 2.05,
	OrderSide: 2.25, OrderBoth: 1.85, OrderBothFew: 1.75, OrderRanks: 0.3, OrderOutlier: 1,
}
