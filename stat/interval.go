// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat/dist"
)

// Interval is a confidence interval: a center, bounds that cover the true value with probability Level, and how they were
// computed. Center, Lo and Hi have the unit of the samples.
//
// If there is no interval, because there are too few samples or the level is invalid, Level is 0, the bounds are
// ±math.MaxFloat64, which exclude nothing, and the first warning is the reason.
type Interval struct {
	Center   float64  `json:"center"`             // the estimate
	Lo       float64  `json:"lo"`                 // lower bound
	Hi       float64  `json:"hi"`                 // upper bound
	Level    float64  `json:"level"`              // probability that the interval covers the true value, such as 0.95
	Method   string   `json:"method"`             // how it was made, such as "Student t"
	N        uint64   `json:"n"`                  // samples
	NEff     float64  `json:"n_eff"`              // number of independent samples with the same standard error
	Warnings []string `json:"warnings,omitempty"` // why it may be wrong; empty if there is no known reason
}

// Half returns half the width, the number after ±. It is math.MaxFloat64 if there is no interval.
func (iv Interval) Half() float64 { return iv.Hi/2 - iv.Lo/2 }

// In writes the interval in a unit of per units of the samples, with no more digits than the uncertainty supports: for
// samples in nanoseconds, In(1e6, "ms") gives "12.346 ± 0.005 ms". An interval that is not symmetric reads
// "12.3 [11.9, 13.4] ms", as one of a quantity that cannot be negative does whose Lo was raised to 0. Without an interval the
// center is followed by the reason. A per that is zero or not finite counts as 1.
func (iv Interval) In(per float64, unit string) string {
	if per == 0 || math.IsNaN(per) || math.IsInf(per, 0) {
		per = 1
	}
	switch {
	case iv.Level == 0 && iv.N == 0:
		return "no samples"
	case iv.Level == 0:
		text := units.Approx(iv.Center/per, unit)
		if len(iv.Warnings) > 0 {
			text += " (" + iv.Warnings[0] + ")"
		}
		return text
	}
	return units.Interval(iv.Center/per, iv.Lo/per, iv.Hi/per, unit)
}

// String is [Interval.In] without a unit.
func (iv Interval) String() string { return iv.In(1, "") }

// levelOf returns the level to use, 0.95 for 0, and a reason when there is none.
func levelOf(level float64) (float64, string) {
	switch {
	case level == 0:
		return 0.95, ""
	case level > 0 && level < 1:
		return level, ""
	}
	return 0, fmt.Sprintf("no interval: level %v is not between 0 and 1", level)
}

// without returns the interval that excludes nothing, for the given reason.
func without(center float64, n uint64, method, reason string) Interval {
	return Interval{Center: center, Lo: -math.MaxFloat64, Hi: math.MaxFloat64, Method: method, N: n, NEff: float64(n),
		Warnings: []string{reason}}
}

// around returns center ± half, cut off at the largest float64.
func around(center, half float64) (lo, hi float64) {
	return max(center-half, -math.MaxFloat64), min(center+half, math.MaxFloat64)
}

func studentInterval(mean, sd float64, n uint64, level float64) Interval {
	const method = "Student t"
	level, reason := levelOf(level)
	if reason == "" && n < 2 {
		reason = fmt.Sprintf("no interval: needs at least 2 samples, has %d", n)
	}
	if reason != "" {
		return without(mean, n, method, reason)
	}
	t := dist.StudentUpper((1-level)/2, float64(n-1))
	lo, hi := around(mean, t*sd/math.Sqrt(float64(n)))
	return Interval{Center: mean, Lo: lo, Hi: hi, Level: level, Method: method, N: n, NEff: float64(n)}
}
