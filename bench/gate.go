// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// Gate decides whether the other of a comparison is slower than the base by more than limit, a share. The outcome is Failed
// if the whole interval of the ratio is above that limit, Passed if the whole interval is below it, and Undecided otherwise.
// The reason gives the numbers in one line.
//
// The test is one-sided: an interval of level 0.99 is wrong on the side that matters in one of 200 cases, so the outcome has a
// confidence of 0.995, which is what the reason states. A limit below c.Within is raised to c.Within.
//
// A comparison with long stretches, from [Compare], passes only if they confirm it: their ratio must not exceed the limit, and must be
// known to within a tenth, or the limit if that is larger; and hardly any processor time may be left over that could belong to either
// function. If the whole interval of the long stretches is above the limit the outcome is Failed, whatever the rounds say. If the
// rounds are above it and the long stretches are plainly not, it is Undecided.
func Gate(c Comparison, limit float64) (o decide.Outcome, reason string) {
	if math.IsNaN(limit) {
		return decide.Undecided, "the limit is not a number"
	}
	limit = max(limit, c.Within, 0)
	o, reason = gateRatio(c, limit)
	switch {
	case o == decide.Failed && c.cheaper(limit):
		_, long := gateRatio(c.long(), limit)
		return decide.Undecided, reason + "; but in long stretches of calls " + long + ": the cost depends on the number of calls"
	case o != decide.Failed && c.dearer(limit):
		o, long := gateRatio(c.long(), limit)
		return o, fmt.Sprintf("%s, by %s in long stretches of calls; in short ones the ratio is %s: the cost depends on the number of calls", long, costName(c.Long.Ratio), c.Ratio)
	case o == decide.Passed:
		if why := c.unconfirmed(limit); why != "" {
			return decide.Undecided, reason + "; but " + why
		}
	}
	return o, reason
}

// long returns the comparison by long stretches alone.
func (c Comparison) long() Comparison {
	c.Ratio, c.Long = c.Long.Ratio, nil
	return c
}

// gateRatio applies the limit to the ratio of a comparison.
func gateRatio(c Comparison, limit float64) (o decide.Outcome, reason string) {
	if c.Ratio.Level == 0 || openBelow(c.Ratio) && openAbove(c.Ratio) {
		c.Ratio.Lo, c.Ratio.Hi, c.Ratio.Level = math.Inf(-1), math.Inf(1), 0
		return decide.Undecided, fmt.Sprintf("%s against %s: %s", c.Other, c.Base, c.Ratio.In(1, ""))
	}
	half := max(0.05, 100*reach(c.Ratio)) // whatever the noise, the place of the code in memory matters as much
	percent := func(ratio float64) string { return units.RoundedChange(100*(ratio-1), half, "%") }
	bound := func(ratio float64) string { // with the digits that tell it from the limit, on whose other side it may be
		half := half
		for half > 1e-9 && units.Rounded(100*(ratio-1), half, "") == units.Rounded(100*limit, half, "") {
			half /= 10
		}
		return units.RoundedChange(100*(ratio-1), half, "%")
	}
	cost := fmt.Sprintf("%s costs %s against %s", c.Other, percent(c.Ratio.Center), c.Base)
	allowed, confidence := fmt.Sprintf("%+.4g %%", 100*limit), fmt.Sprintf("%.4g %% confidence", min(99.99, 50+50*c.Ratio.Level)) // never 100
	switch {
	case c.Ratio.Lo > 1+limit:
		return decide.Failed, fmt.Sprintf("%s, with %s at least %s: more than the allowed %s", cost, confidence, bound(c.Ratio.Lo), allowed)
	case c.Ratio.Hi <= 1+limit:
		return decide.Passed, fmt.Sprintf("%s, with %s at most %s: no more than the allowed %s", cost, confidence, bound(c.Ratio.Hi), allowed)
	}
	between := fmt.Sprintf("between %s and %s: the allowed %s is between them", bound(c.Ratio.Lo), bound(c.Ratio.Hi), allowed)
	if openBelow(c.Ratio) {
		between = fmt.Sprintf("at most %s: more than the allowed %s", bound(c.Ratio.Hi), allowed)
	} else if openAbove(c.Ratio) {
		between = fmt.Sprintf("at least %s: less than the allowed %s", bound(c.Ratio.Lo), allowed)
	}
	return decide.Undecided, fmt.Sprintf("%s, %s; %s", cost, between, c.longer(needed(c.Ratio, math.Log1p(limit))))
}

// openBelow and openAbove report whether this bound of a ratio says nothing: mostly there are too few rounds for it.
func openBelow(ratio stat.Interval) bool { return ratio.Lo < 1e-9 }
func openAbove(ratio stat.Interval) bool { return ratio.Hi > 1e9 }

// reach returns the uncertainty of a ratio: half the width of its interval, or the distance of its only bound.
func reach(ratio stat.Interval) float64 {
	switch {
	case openBelow(ratio):
		return ratio.Hi - ratio.Center
	case openAbove(ratio):
		return ratio.Center - ratio.Lo
	}
	return ratio.Half()
}
