// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat/exphist"
)

// program returns a function that reads that many zones; those in active have a call in each reading.
func program(zones int, active *[]int) func() profile.Snapshot {
	var infos []profile.ZoneInfo
	for i := range zones {
		infos = append(infos, profile.ZoneInfo{Name: fmt.Sprint("zone ", i), Every: 1})
	}
	return func() profile.Snapshot {
		s := profile.Snapshot{Zones: infos, Lanes: make([]profile.LaneStats, 1)}
		for _, i := range *active {
			const d = 1000 * time.Nanosecond
			s.Lanes[0].Zones = append(s.Lanes[0].Zones, profile.ZoneStats{Zone: i, Calls: 1, Timed: 1, Total: d, Self: d, Sum: d, Min: d, Max: d,
				Histogram: profile.Histogram{First: int(160 + i%3), Counts: []uint64{1}, NsPerTick: 1}})
		}
		return s
	}
}

func TestAnUnknownSelfTimeIsNotExported(t *testing.T) {
	for _, unknown := range []bool{false, true} {
		c := newCollector(Options{}, func() profile.Snapshot {
			return profile.Snapshot{Zones: []profile.ZoneInfo{{Name: "z"}}, Lanes: []profile.LaneStats{{Zones: []profile.ZoneStats{{Calls: 1, Timed: 1, Total: 5, Sum: 5, SelfUnknown: unknown}}}}}
		})
		metrics := make(chan prometheus.Metric, 100)
		c.Collect(metrics)
		close(metrics)
		total, self := 0, 0
		for m := range metrics {
			if strings.Contains(m.Desc().String(), `"strobe_zone_self_seconds_total"`) {
				self++
			} else if strings.Contains(m.Desc().String(), `"strobe_zone_seconds_total"`) {
				total++
			}
		}
		if total != 1 || self == 1 == unknown {
			t.Errorf("unknown %v: %d totals, %d self times", unknown, total, self)
		}
	}
}

func TestAZoneWithoutCallsCostsAScrapeNoAllocation(t *testing.T) {
	const zones = 1000
	active := make([]int, zones)
	for i := range active {
		active[i] = i
	}
	c := newCollector(Options{Zones: -1}, program(zones, &active))
	metrics := make(chan prometheus.Metric, 5*zones)
	collect := func() {
		c.Collect(metrics)
		for len(metrics) > 0 {
			<-metrics
		}
	}
	allocs := func() float64 { return testing.AllocsPerRun(10, collect) }
	busy := allocs()
	active = nil
	idle := allocs()
	t.Logf("%.1f allocations for each zone with calls, %.3f without", busy/zones, idle/zones)
	if idle > zones/10 {
		t.Errorf("%.0f allocations for %d zones without calls", idle, zones)
	}
	if busy > 12*zones {
		t.Errorf("%.0f allocations for %d zones with calls", busy, zones)
	}
}

func TestWhatWasGatheredDoesNotChange(t *testing.T) {
	active := []int{0, 1, 2}
	r := registered(t, newCollector(Options{Classic: map[string][]float64{"zone 1": {1}}}, program(3, &active)))
	text := func() (now string, again func() string) {
		families, err := r.Gather()
		if err != nil {
			t.Fatal(err)
		}
		again = func() string { return fmt.Sprint(families) }
		return again(), again
	}
	before, again := text()
	active = []int{1}
	if after, _ := text(); after == before {
		t.Error("a call changed nothing")
	}
	if now := again(); now != before {
		t.Errorf("what was gathered has changed to\n%s", now)
	}
}

func TestSpansHoldTheCounts(t *testing.T) {
	for _, counts := range [][]uint64{nil, {0}, {1}, {1, 2}, {1, 0, 2}, {1, 0, 0, 2}, {1, 0, 0, 0, 2}, {0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 1, 0}} {
		runs, deltas := spans(exphist.Buckets{Offset: -7, Counts: counts})
		if len(deltas) != cap(deltas) {
			t.Errorf("%v: %d deltas in room for %d", counts, len(deltas), cap(deltas))
		}
		var got []uint64
		i, n := 0, int64(0)
		index := 0
		for _, r := range runs {
			index += int(r.GetOffset())
			for range r.GetLength() {
				n += deltas[i]
				i++
				for len(got) < index+6 {
					got = append(got, 0)
				}
				got = append(got, uint64(n))
				index++
			}
		}
		want := slices.Clone(counts)
		for len(want) > 0 && want[len(want)-1] == 0 {
			want = want[:len(want)-1]
		}
		if !slices.Equal(got, want) || i != len(deltas) {
			t.Errorf("%v has become %v", counts, got)
		}
	}
}
