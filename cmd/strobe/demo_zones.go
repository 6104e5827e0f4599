// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	zones "github.com/strobe-go/strobe"
)

const zoneHeader = "time   lane      zone           calls     in ms    share   self ms     p99 ms"

// A zoneRow is a zone on a lane in which spans ended or are open.
type zoneRow struct {
	lane  zones.LaneStats
	info  zones.ZoneInfo
	stats zones.ZoneStats
	share float64 // of the time
}

// inUse lists what was used in the time of s, by lane: goroutines first, then the lanes made by hand, of the workers.
func inUse(s zones.Snapshot) (rows []zoneRow) {
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if z.Calls > 0 || z.Open > 0 {
				rows = append(rows, zoneRow{l, s.Zones[z.Zone], z, float64(z.Total) / float64(max(s.Span, 1))})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b zoneRow) int {
		return cmp.Compare(byHand(a.lane), byHand(b.lane))
	})
	return rows
}

func byHand(l zones.LaneStats) int {
	if l.Goroutine == 0 {
		return 1
	}
	return 0
}

// writeZones writes the lines of a time.
func writeZones(w io.Writer, color bool, at string, s zones.Snapshot) {
	rows := inUse(s)
	if len(rows) > 0 {
		fmt.Fprintln(w, paint(color, bold, zoneHeader))
	}
	for _, z := range rows {
		fmt.Fprintf(w, "%5s  %s\n", at, z.text())
	}
}

// text writes a row: all but the time.
func (z zoneRow) text() string {
	name, self, p99 := z.info.Name, "-", "-"
	if z.info.Wait {
		name += " (wait)"
	}
	if !z.lane.Shared {
		self = fmt.Sprintf("%.2f", float64(z.stats.Self)/1e6)
	}
	if d, ok := z.stats.Quantile(0.99); ok {
		p99 = fmt.Sprintf("%.4f", float64(d)/1e6)
	}
	return fmt.Sprintf("%-9s %-11s %8d %9.2f  %5.1f %% %9s %10s", z.lane.Name, name, z.stats.Calls, float64(z.stats.Total)/1e6, 100*z.share, self, p99)
}
