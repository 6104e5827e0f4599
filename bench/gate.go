// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
)

// Gate decides whether the other of a comparison is slower than the base by more than limit, a share. The outcome is Failed
// if the whole interval of the ratio is above that limit, Passed if the whole interval is below it, and Undecided otherwise.
// The reason gives the numbers in one line.
//
// The test is one-sided: an interval of level 0.99 is wrong on the side that matters in one of 200 cases, so the outcome has a
// confidence of 0.995, which is what the reason states. A limit below c.Within is raised to c.Within.
func Gate(c Comparison, limit float64) (o Outcome, reason string) {
	if math.IsNaN(limit) {
		return Undecided, "the limit is not a number"
	}
	limit = max(limit, c.Within, 0)
	if c.Ratio.Level == 0 {
		return Undecided, fmt.Sprintf("%s against %s: %s", c.Other, c.Base, c.Ratio.In(1, ""))
	}
	percent := func(ratio float64) string {
		if x := 100 * (ratio - 1); x < 999.5 {
			return fmt.Sprintf("%+.3g %%", x)
		}
		return fmt.Sprintf("%+.0f %%", 100*(ratio-1))
	}
	cost := fmt.Sprintf("%s costs %s against %s", c.Other, percent(c.Ratio.Center), c.Base)
	allowed, confidence := percent(1+limit), fmt.Sprintf("%.4g %% confidence", min(99.99, 50+50*c.Ratio.Level)) // never 100
	switch {
	case c.Ratio.Lo > 1+limit:
		return Failed, fmt.Sprintf("%s, with %s at least %s: more than the allowed %s", cost, confidence, percent(c.Ratio.Lo), allowed)
	case c.Ratio.Hi <= 1+limit:
		return Passed, fmt.Sprintf("%s, with %s at most %s: no more than the allowed %s", cost, confidence, percent(c.Ratio.Hi), allowed)
	}
	return Undecided, fmt.Sprintf("%s, between %s and %s: the allowed %s is between them; %s", cost, percent(c.Ratio.Lo), percent(c.Ratio.Hi),
		allowed, longer(needed(c.Ratio, math.Log1p(limit))))
}
