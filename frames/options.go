// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Options configure a report. The zero value means a full report by strobe's definitions. The Report includes the options used.
type Options struct {
	// Preset chooses whose definitions are used. Zero: Strobe.
	Preset Preset `json:"preset"`
	// Quantile is the quantile behind P1, P0.1 and the low averages of the Strobe preset. Zero: R-7.
	Quantile Quantile `json:"quantile"`
	// FPSDomain makes the Strobe preset take P1 and P0.1 from the instantaneous frame rates instead of the frame times. It
	// changes the interpolation only.
	FPSDomain bool `json:"fps_domain"`
	// Level of the intervals, between 0 and 1. Zero: 0.95. Negative: no intervals.
	Level float64 `json:"level"`
	// Resamples of the bootstrap. Zero: 1000, and fewer from 50 000 frames on, down to 200. Negative: no bootstrap, and so no
	// interval on quantiles, lows, shares and deviations.
	Resamples int `json:"resamples"`
	// Seed of the bootstrap: the same seed gives the same intervals. Zero: 1.
	Seed uint64 `json:"seed"`
	// StutterFactor is how many times the trailing mean a frame must exceed to stutter. Zero: 2.5. Negative: stutters are not
	// reported.
	StutterFactor float64 `json:"stutter_factor"`
	// StutterWindow is the number of frames in that mean. Zero: round(10·sqrt(mean frame time in ms)). Negative: the mean of the
	// whole capture.
	StutterWindow int `json:"stutter_window"`
	// Below lists the frame rates for "share of frames and time below". Nil: 30 and 60. Empty and not nil: none.
	Below []float64 `json:"below"`
}

// resolve fills in the defaults and rejects invalid options.
func (o Options) resolve() (Options, error) {
	switch {
	case o.Preset < 0 || int(o.Preset) >= len(presets):
		return o, fmt.Errorf("%v does not exist", o.Preset)
	case o.Quantile < 0 || int(o.Quantile) >= len(quantiles):
		return o, fmt.Errorf("%v does not exist", o.Quantile)
	case o.Level == 0:
		o.Level = 0.95
	case o.Level >= 1 || math.IsNaN(o.Level):
		return o, fmt.Errorf("frames: level %v is not below 1", o.Level)
	}
	if o.Resamples > 1_000_000 {
		return o, errors.New("frames: at most a million resamples are supported")
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	switch {
	case o.StutterFactor == 0:
		o.StutterFactor = 2.5
	case math.IsNaN(o.StutterFactor) || math.IsInf(o.StutterFactor, 0):
		return o, errors.New("frames: the stutter factor is not a finite number")
	}
	if o.Below == nil {
		o.Below = []float64{30, 60}
	}
	o.Below = slices.Clone(o.Below)
	slices.Sort(o.Below)
	o.Below = slices.Compact(o.Below)
	for _, limit := range o.Below {
		if !(limit > 0) || math.IsInf(limit, 0) {
			return o, fmt.Errorf("frames: Below has %v, which is not a frame rate", limit)
		}
	}
	return o, nil
}

// resamples returns the number of resamples for n frames.
func (o Options) resamples(n int) int {
	if o.Resamples != 0 {
		return max(0, o.Resamples)
	}
	return min(1000, max(200, 50_000_000/n))
}
