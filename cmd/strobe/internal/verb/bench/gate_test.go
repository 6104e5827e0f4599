// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// With a gate of 0.5 % those that differ by 0.8 % are not the same, and a gate of 0 % is one.
func TestASmallGateIsNotRaised(t *testing.T) {
	for _, c := range []struct {
		gate, same   float64
		within, look float64
	}{
		{0.05, 0.01, 0.01, 0.05}, {0.005, 0.01, 0.005, 0.005}, {0, 0.01, -1, math.SmallestNonzeroFloat64}, {0.02, 0, -1, 0.02}, {0, 0, -1, math.SmallestNonzeroFloat64},
	} {
		limit := flags.Share(c.gate)
		b := &measurement{flags: &Flags{Gate: &limit, Same: flags.Share(c.same), Level: 0.99}, jobs: make([]*job, 2)}
		if o := b.options(); o.Within != c.within || o.Gate != c.look {
			t.Errorf("gate %v, same %v: within %v, looks at %v", c.gate, c.same, o.Within, o.Gate)
		}
		ratio := stat.Interval{Center: 1.008, Lo: 1.007, Hi: 1.009, Level: 0.99}
		if outcome, reason := bench.Gate(bench.Comparison{Ratio: ratio, Within: b.options().Within}, c.gate); (outcome == decide.Failed) != (c.gate < 0.007) {
			t.Errorf("gate %v, same %v: %s, %s", c.gate, c.same, outcome, reason)
		}
	}
}
