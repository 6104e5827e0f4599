// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/stat"
)

// A Verdict says how the other stands to the base.
type Verdict string

// The verdicts.
const (
	Faster       Verdict = "faster"       // the whole interval is below 1
	Slower       Verdict = "slower"       // the whole interval is above 1
	Same         Verdict = "same"         // the whole interval is within the share that counts as none, wherever it lies
	Inconclusive Verdict = "inconclusive" // the interval is too wide to say
)

func judge(ratio stat.Interval, within float64) Verdict {
	switch {
	case ratio.Level == 0:
		return Inconclusive
	case within > 0 && ratio.Lo >= 1/(1+within) && ratio.Hi <= 1+within:
		return Same
	case ratio.Hi < 1:
		return Faster
	case ratio.Lo > 1:
		return Slower
	}
	return Inconclusive
}

// An Outcome is what a gate says.
type Outcome string

// The outcomes.
const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	Undecided Outcome = "undecided"
)

// Gate decides whether the other of a comparison may pass: it fails when it is slower than the base by more than limit, a share, for all the
// interval, and passes when it is not for all the interval. Otherwise it is undecided. The reason says it with the numbers.
//
// A limit below c.Within counts as that: two that are the same cannot be told from it.
func Gate(c Comparison, limit float64) (o Outcome, reason string) {
	limit = max(limit, c.Within, 0)
	percent := func(ratio float64) string { return fmt.Sprintf("%+.3g %%", 100*(ratio-1)) }
	if c.Ratio.Level == 0 {
		return Undecided, fmt.Sprintf("%s against %s: %s", c.Other, c.Base, c.Ratio.In(1, ""))
	}
	said := fmt.Sprintf("%s costs %s against %s, at %.4g %% confidence %s to %s", c.Other, percent(c.Ratio.Center), c.Base,
		100*c.Ratio.Level, percent(c.Ratio.Lo), percent(c.Ratio.Hi))
	allowed := percent(1 + limit)
	switch {
	case c.Ratio.Lo > 1+limit:
		return Failed, fmt.Sprintf("%s: all of it above the allowed %s", said, allowed)
	case c.Ratio.Hi <= 1+limit:
		return Passed, fmt.Sprintf("%s: none of it above the allowed %s", said, allowed)
	}
	return Undecided, fmt.Sprintf("%s: that allows both sides of %s; measure longer or on a quieter machine", said, allowed)
}
