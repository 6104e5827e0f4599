// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat/dist"
)

// Interval is an estimate with the interval that holds the true value, or with the reason why it has none. Center, Lo and Hi have
// the unit of the samples. There are three cases:
//
//   - Bounded: Lo and Hi cover the true value with probability Level, and Reason is empty.
//   - Known but not bounded: Center is the estimate, and Reason says why it has no interval. A bound that is not known is infinite:
//     -Inf or +Inf, which excludes nothing. If only one is infinite, the other one holds with probability Level; else Level is 0.
//   - Not known: nothing could be estimated. Center means nothing, N and Level are 0, and Reason says why.
//
// The zero Interval is not known, without a reason. Make others by [Unknown] and [Point].
//
// In text and JSON an infinite bound, and a center that is not known, are absent. In JSON each absent key has the reason beside it.
type Interval struct {
	Center   float64  `json:"center,omitempty"`   // the estimate; absent if it is not known
	Lo       float64  `json:"lo,omitempty"`       // lower bound; absent if it is not known
	Hi       float64  `json:"hi,omitempty"`       // upper bound; absent if it is not known
	Level    float64  `json:"level,omitempty"`    // probability that the interval covers the true value, such as 0.95; absent without a bound
	Method   string   `json:"method"`             // how it was made, such as "Student t"
	N        uint64   `json:"n"`                  // samples
	NEff     float64  `json:"n_eff,omitempty"`    // number of independent samples with the same standard error; absent if it is not known
	Reason   string   `json:"reason,omitempty"`   // why it is not known, or not bounded; absent if it is bounded
	Warnings []string `json:"warnings,omitempty"` // why it may be wrong; empty if there is no known reason
}

// Unknown returns an interval without an estimate, for the given reason.
func Unknown(reason string) Interval {
	return Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Reason: reason}
}

// Point returns an estimate from n samples that has no interval, for the given reason. Without samples there is no estimate either.
func Point(center float64, n uint64, method, reason string) Interval {
	iv := Unknown(reason)
	if iv.Method, iv.N, iv.NEff = method, n, float64(n); n > 0 {
		iv.Center = center
	}
	return iv
}

// Known reports whether Center is an estimate.
func (iv Interval) Known() bool { return iv.Level > 0 || iv.N > 0 }

// Bounded reports whether both bounds are known.
func (iv Interval) Bounded() bool {
	return iv.Level > 0 && !math.IsInf(iv.Lo, -1) && !math.IsInf(iv.Hi, 1)
}

// Half returns half the width, the number after ±. It is infinite if a bound is not known.
func (iv Interval) Half() float64 {
	if !iv.Bounded() {
		return math.Inf(1)
	}
	return iv.Hi/2 - iv.Lo/2
}

// In writes the interval in a unit of per units of the samples, with no more digits than the uncertainty supports: for samples
// in nanoseconds, In(1e6, "ms") gives "12.346 ± 0.005 ms". An interval that is not symmetric, such as one whose Lo was raised
// to 0 because the quantity cannot be negative, reads "12.3 [11.9, 13.4] ms". With one bound it reads "12.3 ms, at most 13.4
// ms", and without any "12.35 ms (no interval: one run)". If the estimate is not known, the text is the reason. A per that is
// zero or not finite counts as 1.
func (iv Interval) In(per float64, unit string) string {
	if per == 0 || math.IsNaN(per) || math.IsInf(per, 0) {
		per = 1
	}
	switch {
	case !iv.Known() && iv.Reason == "":
		return notKnown
	case !iv.Known():
		return iv.Reason
	case iv.Bounded():
		return units.Interval(iv.Center/per, iv.Lo/per, iv.Hi/per, unit)
	case iv.Level > 0 && !math.IsInf(iv.Hi, 1):
		half := (iv.Hi - iv.Center) / per
		return units.Rounded(iv.Center/per, half, unit) + ", at most " + units.Rounded(iv.Hi/per, half, unit)
	case iv.Level > 0 && !math.IsInf(iv.Lo, -1):
		half := (iv.Center - iv.Lo) / per
		return units.Rounded(iv.Center/per, half, unit) + ", at least " + units.Rounded(iv.Lo/per, half, unit)
	}
	text := units.Approx(iv.Center/per, unit)
	if iv.Reason != "" {
		text += " (no interval: " + iv.Reason + ")"
	}
	return text
}

// notKnown is the reason of an interval that has none.
const notKnown = "not known"

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
	return 0, fmt.Sprintf("level %v is not between 0 and 1", level)
}

// unknown is [Unknown] for a method that was tried.
func unknown(method, reason string) Interval {
	iv := Unknown(reason)
	iv.Method = method
	return iv
}

// tooFew is the reason why n samples, fewer than two, have no interval.
func tooFew(n uint64) string {
	if n == 0 {
		return "no samples"
	}
	return fmt.Sprintf("needs at least 2 samples, has %d", n)
}

// around returns center ± half, cut off at the largest float64.
func around(center, half float64) (lo, hi float64) {
	return max(center-half, -math.MaxFloat64), min(center+half, math.MaxFloat64)
}

func studentInterval(mean, sd float64, n uint64, level float64) Interval {
	const method = "Student t"
	level, reason := levelOf(level)
	if reason == "" && n < 2 {
		reason = tooFew(n)
	}
	if reason != "" {
		return Point(mean, n, method, reason)
	}
	t := dist.StudentUpper((1-level)/2, float64(n-1))
	lo, hi := around(mean, t*sd/math.Sqrt(float64(n)))
	return Interval{Center: mean, Lo: lo, Hi: hi, Level: level, Method: method, N: n, NEff: float64(n)}
}
