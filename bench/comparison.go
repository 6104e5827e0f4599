// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A Comparison is the result of measuring two costs in interleaved rounds. Samples that were measured apart have a stat.Comparison,
// and captures of frame times a frames.Comparison.
type Comparison struct {
	Base    string         // name of the base
	Other   string         // name of the other
	Ratio   stat.Interval  // cost of the other divided by cost of the base, by single rounds: not that of the means. N is the number of rounds
	Verdict decide.Verdict // about the other
	Within  float64        // difference up to which the two count as the same
	Options CompareOptions // as used, with the seed of the order
	Apart   bool           // measured apart and not in rounds, by runs of each: N of Ratio is the number of runs of both

	BaseTime  stat.Interval // ns per call, of the rounds that count; from Pairs, without samples
	OtherTime stat.Interval // ns per call, of the rounds that count; from Pairs, without samples

	Calls    uint64 // of each function in the rounds; 0 from Pairs
	SetApart int    // rounds that do not count, because something else used the processor's core
	Noise    Noise  // what disturbed the rounds; zero from Pairs
	Long     *Long  // the same by long stretches of calls; nil from Pairs
}

// String returns the comparison in one line: "new is 1.048 [1.041, 1.055] times old: slower". With long stretches, what they say follows.
func (c Comparison) String() string {
	if !c.Ratio.Bounded() {
		return fmt.Sprintf("%s against %s: %s, %s", c.Other, c.Base, c.Verdict, c.Ratio.In(1, ""))
	}
	verdict := c.Verdict.String()
	switch c.Verdict {
	case decide.Same:
		verdict = fmt.Sprintf("same within %.3g %%", 100*c.Within)
	case decide.Inconclusive:
		if times, ok := c.Longer(); ok {
			verdict += "; " + c.longer(times)
		}
	}
	text := fmt.Sprintf("%s is %s times %s: %s", c.Other, units.Ratio(c.Ratio.Center, c.Ratio.Lo, c.Ratio.Hi), c.Base, verdict)
	if c.Long != nil {
		text += "; " + c.Long.String()
	}
	if c.depends() {
		text += ": the cost depends on the number of calls"
	}
	return text
}

// Longer estimates the factor by which the number of rounds must grow to make an inconclusive comparison conclusive, if the
// ratio stays the same. The width of the interval is inversely proportional to the square root of the number of rounds. ok is
// false if there already is a verdict, or if there is no interval to estimate from.
func (c Comparison) Longer() (times float64, ok bool) {
	if c.Verdict != decide.Inconclusive || !c.Ratio.Bounded() {
		return 0, false
	}
	center, _, _ := logs(c.Ratio)
	least := needed(c.Ratio, 0) // to exclude 1
	if c.Within > 0 {           // or to lie within the difference that does not count
		if inside := math.Log1p(c.Within) - math.Abs(center); inside > 0 {
			least = min(least, max(needed(c.Ratio, math.Log1p(c.Within)), needed(c.Ratio, -math.Log1p(c.Within))))
		}
	}
	return least, true
}

// needed returns the factor by which the number of rounds must grow until the interval of a ratio excludes limit, a
// logarithm.
func needed(ratio stat.Interval, limit float64) float64 {
	center, lo, hi := logs(ratio)
	side := center - lo
	if center < limit {
		side = hi - center
	}
	distance := math.Abs(center - limit)
	if distance*1e6 <= side {
		return 1e12
	}
	return max(1, side/distance*(side/distance))
}

// logs returns the logarithms of an interval's center and bounds, which for a ratio are above 0.
func logs(ratio stat.Interval) (center, lo, hi float64) {
	log := func(x float64) float64 { return math.Log(max(x, math.SmallestNonzeroFloat64)) }
	return log(ratio.Center), log(ratio.Lo), log(ratio.Hi)
}

// longer describes how many times as many rounds, or runs, are needed.
func (c Comparison) longer(times float64) string {
	what := "rounds"
	if c.Apart {
		what = "runs"
	}
	switch {
	case times < 1.5:
		return "a few more " + what + " may decide it"
	case times > 50:
		return "it is too close to decide by measuring longer"
	}
	step := 1.0 // two significant digits, without an exponent
	if times < 10 {
		step = 0.1
	}
	return fmt.Sprintf("about %g times as many %s would decide it", math.Round(times/step)/(1/step), what)
}
