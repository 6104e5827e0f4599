// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

func TestUnitsHaveALineWithTheirQuantiles(t *testing.T) {
	known := func(center float64) stat.Interval {
		return stat.Interval{Center: center, Lo: 0.9 * center, Hi: 1.2 * center, Level: 0.95, N: 400}
	}
	few := stat.Unknown("needs 3688 calls, has 400")
	for _, c := range []struct {
		units profile.UnitStats
		want  string
	}{
		{profile.UnitStats{Zone: 1, Calls: 400, Open: 2, Rate: 400, P50: known(1e6), P99: known(3e6), P999: known(9e6), Max: 12345678},
			"units of never: 400, 400 per second, p50 1.00 [0.90, 1.20] ms, p99 3.0 [2.7, 3.6] ms, p99.9 9.0 [8.1, 10.8] ms, longest 12.35 ms, 2 open"},
		{profile.UnitStats{Zone: 1, Calls: 400, Rate: 0.123456, P50: known(1e6), P99: known(3e6), P999: few, Max: 5e6},
			"units of never: 400, 0.1235 per second, p50 1.00 [0.90, 1.20] ms, p99 3.0 [2.7, 3.6] ms, longest 5 ms; no p99.9: needs 3688 calls, has 400"},
		{profile.UnitStats{Zone: 1, Open: 1, P50: few, P99: few, P999: few}, "units of never: 0, 0 per second, 1 open; no p50, p99, p99.9: needs 3688 calls, has 400"},
		{profile.UnitStats{Zone: 1}, ""},
		{profile.UnitStats{Zone: 9, Calls: 1}, ""},
	} {
		s := program(1)
		s.Zones[1].Root, s.Units = true, []profile.UnitStats{c.units}
		got := ""
		for _, line := range linesOf(new(Text), makes(Options{Every: time.Second}, s)) {
			if _, text, ok := strings.Cut(line, "12:00:00  units"); ok {
				got = "units" + text
			}
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
