// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"time"
)

// Options configure [Run]. A zero field means its default. An invalid value is replaced by the default, and a warning in
// the result says so; the result includes the options as used.
type Options struct {
	// MinRepeat is the smallest number of samples, taken even when time is up: at least 2. The default is 10.
	MinRepeat int
	// MinTime is the minimum length of the warm-up, which takes MinRepeat samples, then ten times as many, and so on, until
	// this time has passed. The default is 400 ms. A negative time means no warm-up.
	MinTime time.Duration
	// MaxRepeat is the largest number of samples of the warm-up. The default is 1,000,000.
	MaxRepeat int
	// MaxTime is the maximum length of the measurement after the warm-up, the long stretches included. The default is 2 s.
	MaxTime time.Duration
	// Precision ends the measurement once half the width of the interval is at most this share of the mean. The default is
	// 0.01. A negative value turns this off: Run then takes as many samples as in the warm-up.
	Precision float64
	// Level of the intervals, between 0 and 1. The default is 0.95.
	Level float64
	// NoCounters turns off the processor's counters.
	NoCounters bool
}

// CompareOptions configure Compare and Pairs. A zero field means its default. An invalid value is replaced by the default,
// and a warning of the ratio says so; the comparison includes the options as used.
type CompareOptions struct {
	// MinRounds is the smallest number of rounds, taken even when time is up: at least 6. The default is 10.
	MinRounds int
	// MaxTime is the maximum duration of Compare, including the warm-up and the long stretches, of which it makes at least eight of each
	// function. The default is 2 s. Pairs does not use it.
	MaxTime time.Duration
	// WarmUp is the time for which Compare runs both functions without measuring. The default is a tenth of MaxTime. A
	// negative time means no warm-up. Pairs does not use it.
	WarmUp time.Duration
	// Precision ends the rounds once half the width of the ratio's interval is at most this, and the long stretches at the same width
	// or 0.01 if that is larger. The default is 0.0025. A negative value turns this off.
	Precision float64
	// Level of the ratio's interval, between 0 and 1. The default is 0.99, higher than in [Options], because a wrong
	// verdict does more harm than a wrong error bar.
	Level float64
	// Within is the difference up to which the two count as the same. The default is 0.005. A negative value turns this off.
	Within float64
	// Gate ends the measurement as soon as it is clear whether the other is slower than the base by more than this share.
	// The interval allows for these repeated decisions: all of them together have the Level. The default is 0, which is
	// off.
	Gate float64
	// Seed draws the order of the rounds of Compare. The default is a random seed. Pairs does not use it: see [Order].
	Seed uint64
}

// The defaults, in the order of the fields.
var (
	runDefaults = Options{MinRepeat: 10, MinTime: 400 * time.Millisecond, MaxRepeat: 1_000_000, MaxTime: 2 * time.Second,
		Precision: 0.01, Level: 0.95}
	compareDefaults = CompareOptions{MinRounds: 10, MaxTime: 2 * time.Second, Precision: 0.0025, Level: 0.99, Within: 0.005}
)

// filled returns the options with defaults for zero and invalid fields, and a warning for each invalid one.
func (o Options) filled() (Options, []string) {
	var f filler
	d := runDefaults
	fill(&f, "MinRepeat", &o.MinRepeat, d.MinRepeat, o.MinRepeat >= 2, "want at least 2")
	fill(&f, "MinTime", &o.MinTime, d.MinTime, true, "")
	fill(&f, "MaxRepeat", &o.MaxRepeat, max(d.MaxRepeat, o.MinRepeat), o.MaxRepeat >= o.MinRepeat, "want at least MinRepeat")
	fill(&f, "MaxTime", &o.MaxTime, d.MaxTime, o.MaxTime > 0, "want more than 0")
	fill(&f, "Precision", &o.Precision, d.Precision, o.Precision < 1, "want a share below 1, or a negative number")
	fill(&f, "Level", &o.Level, d.Level, o.Level > 0 && o.Level < 1, "want a fraction between 0 and 1")
	return o, f.warnings
}

// filled returns the options with defaults for zero and invalid fields, and a warning for each invalid one.
func (o CompareOptions) filled() (CompareOptions, []string) {
	var f filler
	d := compareDefaults
	fill(&f, "MinRounds", &o.MinRounds, d.MinRounds, o.MinRounds >= fewest, "want at least 6")
	fill(&f, "MaxTime", &o.MaxTime, d.MaxTime, o.MaxTime > 0, "want more than 0")
	fill(&f, "WarmUp", &o.WarmUp, o.MaxTime/10, true, "")
	fill(&f, "Precision", &o.Precision, d.Precision, o.Precision < 1, "want a share below 1, or a negative number")
	fill(&f, "Level", &o.Level, d.Level, o.Level > 0 && o.Level < 1, "want a fraction between 0 and 1")
	fill(&f, "Within", &o.Within, d.Within, o.Within < 1, "want a share below 1, or a negative number")
	fill(&f, "Gate", &o.Gate, 0, o.Gate > 0 && !math.IsInf(o.Gate, 1), "want a share above 0")
	return o, f.warnings
}

// A filler collects warnings while options are filled in.
type filler struct{ warnings []string }

// fill sets a zero field to its default, and also an invalid one, with a warning.
func fill[T int | time.Duration | float64](f *filler, name string, field *T, value T, ok bool, want string) {
	if *field != 0 && !ok {
		f.warnings = append(f.warnings, fmt.Sprintf("%s %v is invalid (%s): used %v", name, *field, want, value))
		*field = 0
	}
	if *field == 0 {
		*field = value
	}
}
