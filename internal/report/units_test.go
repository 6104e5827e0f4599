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
		{profile.UnitStats{Zone: 1, Calls: 6, Rate: 0.01, P50: known(1.52e9), P99: few, P999: few, Max: 83_400 * time.Millisecond},
			"units of never: 6, 0.01 per second, p50 1.52 [1.37, 1.82] s, longest 83.4 s; no p99, p99.9: needs 3688 calls, has 400"},
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

// What units did is in their line if package capture has seen it in that time, and absent if it has not.
func TestUnitsHaveWhatTheyDid(t *testing.T) {
	seen := &profile.Looks{Covered: 1e8, Units: []profile.ZoneSplit{{Zone: 1, Split: profile.Split{Running: 310, Ready: 20, Waiting: 670, Unknown: 9000}}}}
	exact, displaced := *seen, *seen
	exact.Units = []profile.ZoneSplit{{Zone: 1, Split: profile.Split{Running: 310, Ready: 20, Waiting: 670}}}
	displaced.Displaced = true
	other := &profile.Looks{Covered: 1e8, Units: []profile.ZoneSplit{{Zone: 0, Split: profile.Split{Running: 310}}, {Zone: 1, Split: profile.Split{Unknown: 5}}}}
	for looks, want := range map[*profile.Looks]string{
		&exact:     "; in 100 ms that package capture saw they ran for 31 % of their time, were ready for 2 %, waited for 67 %\n",
		seen:       "they ran for 3 % of their time, were ready for 0 %, waited for 7 %, and 90 % are unknown\n", // nothing is said of the 90 %
		&displaced: "they ran or were preempted for 3 % of their time,", other: "", nil: ""} {
		s := program(1)
		s.Zones[1].Root, s.Units, s.Looks = true, []profile.UnitStats{{Zone: 1, Calls: 400, Rate: 400}}, looks
		text := strings.Join(linesOf(new(Text), makes(Options{Every: time.Second}, s)), "\n")
		if has := strings.Contains(text, "capture saw"); has != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%+v: %s", looks, text)
		}
	}
}
