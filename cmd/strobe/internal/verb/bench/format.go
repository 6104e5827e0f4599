// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// inTime writes an interval of nanoseconds in the unit that suits it.
func inTime(iv stat.Interval) string {
	per, unit := units.Scale(iv.Center)
	return iv.In(per, unit)
}

func ratioText(iv stat.Interval) string {
	if iv.Level == 0 {
		return "no ratio"
	}
	return iv.In(1, "") + " times"
}

func verdictText(c bench.Comparison) string {
	switch {
	case c.Ratio.Level == 0 && len(c.Ratio.Warnings) > 0:
		return c.Verdict.String() + " (" + c.Ratio.Warnings[0] + ")"
	case c.Verdict == bench.Same:
		return fmt.Sprintf("same within %.3g %%", 100*c.Within)
	}
	return c.Verdict.String()
}
