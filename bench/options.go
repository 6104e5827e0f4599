// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"time"
)

// What the zero values of Options mean. The first three are those of the counters library.
const (
	DefaultMinRepeat = 10                     // samples of a measurement
	DefaultMinTime   = 400 * time.Millisecond // of warm-up
	DefaultMaxRepeat = 1_000_000              // samples of warm-up
	DefaultMaxTime   = 2 * time.Second        // of measuring
)

// Options say how to measure. The zero value is ready; the options used stand in the result.
type Options struct {
	// MinRepeat is how many samples, or rounds of a comparison, there are at least, even when time is up.
	// 0 means DefaultMinRepeat.
	MinRepeat int
	// MinTime is how long the warm-up lasts: it takes MinRepeat samples, and ten times as many until it took this long. 0 means
	// DefaultMinTime, for Compare a tenth of MaxTime; negative is no warm-up.
	MinTime time.Duration
	// MaxRepeat is how many samples a warm-up has at most. 0 means DefaultMaxRepeat.
	MaxRepeat int
	// MaxTime is how long measuring lasts at most, for Compare with warm-up. 0 means DefaultMaxTime.
	MaxTime time.Duration
	// Precision ends measuring as soon as half the width of the interval is this share of its center. 0 means 0.01, for
	// comparisons 0.0025; negative is off: Run then takes as many samples as the warm-up, a comparison all its time.
	Precision float64
	// Level of the interval. 0 means 0.95, for comparisons 0.99: a verdict costs more when it is wrong.
	Level float64
	// Within is the difference below which two are the same. 0 means 0.005; negative is none.
	Within float64
	// Gate lets a comparison end as soon as it is clear whether the other is slower than the base by this share. Looking early
	// is paid for: the intervals of all looks cover together at Level. 0 is off.
	Gate float64
	// Seed of the order of a comparison. 0 draws one; the result has it.
	Seed uint64
	// NoCounters leaves the processor's counters alone.
	NoCounters bool
}

// share returns x where it is a share, and what zero means otherwise. Off stays off, however often this is asked.
func share(x, zero float64) float64 {
	switch {
	case x < 0:
		return -1
	case x == 0 || math.IsNaN(x):
		return zero
	}
	return min(x, 1e3)
}

func level(x, zero float64) float64 {
	if x > 0 && x < 1 {
		return x
	}
	return zero
}

// positive returns x, or what zero means if it is not above zero.
func positive[T int | time.Duration](x, zero T) T {
	if x > 0 {
		return x
	}
	return zero
}

// forRun fills in what Run takes zeros for.
func (o Options) forRun() Options {
	o.MinRepeat = max(2, positive(o.MinRepeat, DefaultMinRepeat))
	o.MaxRepeat = max(o.MinRepeat, positive(o.MaxRepeat, DefaultMaxRepeat))
	o.MaxTime = positive(o.MaxTime, DefaultMaxTime)
	if o.MinTime == 0 {
		o.MinTime = DefaultMinTime
	}
	o.Precision = share(o.Precision, 0.01)
	o.Level = level(o.Level, 0.95)
	return o
}

// forPairs fills in what comparisons take zeros for.
func (o Options) forPairs() Options {
	o.MinRepeat = max(2*fewest, positive(o.MinRepeat, DefaultMinRepeat))
	o.MaxTime = positive(o.MaxTime, DefaultMaxTime)
	if o.MinTime == 0 {
		o.MinTime = o.MaxTime / 10
	}
	o.Precision = share(o.Precision, 0.0025)
	o.Level = level(o.Level, 0.99)
	o.Within = share(o.Within, 0.005)
	o.Gate = share(o.Gate, 0)
	return o
}
