// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"cmp"
	"fmt"
	"slices"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/profile"
)

// A zoneRow is a zone on a lane in which spans ended or are open.
type zoneRow struct {
	lane  profile.LaneStats
	info  profile.ZoneInfo
	stats profile.ZoneStats
	share float64 // of the run
}

// inUse lists the zones that were entered during s, by lane: first the goroutines, then the lanes of the workers.
func inUse(s zones.Snapshot) (rows []zoneRow) {
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if z.Calls > 0 || z.Open > 0 {
				rows = append(rows, zoneRow{l, s.Zones[z.Zone], z, float64(z.Total) / float64(max(s.Elapsed, 1))})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b zoneRow) int {
		return cmp.Compare(byHand(a.lane), byHand(b.lane))
	})
	return rows
}

func byHand(l profile.LaneStats) int {
	if l.Goroutine == 0 {
		return 1
	}
	return 0
}

// writeZones prints the rows of a snapshot.
func writeZones(p *layout.Printer, at string, s zones.Snapshot) (dropped []string) {
	var rows [][]string
	for _, z := range inUse(s) {
		rows = append(rows, z.row(at))
	}
	if len(rows) == 0 {
		return nil
	}
	return p.Table(zoneTable(rows))
}

// zoneTable is the table of zones. Its columns have the same widths in every second.
func zoneTable(rows [][]string) layout.Table {
	return layout.Table{Columns: []layout.Column{{Title: "time", Min: 5}, {Title: "lane", Left: true, Min: 9}, {Title: "zone", Left: true, Min: 11},
		{Title: "calls", Min: 7}, {Title: "in ms", Min: 9}, {Title: "share", Min: 7, Drop: 3}, {Title: "self ms", Min: 9, Drop: 2}, {Title: "p99 ms", Min: 9, Drop: 1}},
		Rows: rows}
}

func (z zoneRow) row(at string) []string {
	name, self, p99 := z.info.Name, "-", "-"
	if z.info.Wait {
		name += " (wait)"
	}
	if !z.stats.SelfUnknown {
		self = fmt.Sprintf("%.2f", float64(z.stats.Self)/1e6)
	}
	if d, ok := z.stats.Quantile(0.99); ok {
		p99 = fmt.Sprintf("%.4f", float64(d)/1e6)
	}
	return []string{at, z.lane.Name, name, fmt.Sprint(z.stats.Calls), fmt.Sprintf("%.2f", float64(z.stats.Total)/1e6), fmt.Sprintf("%.1f %%", 100*z.share), self, p99}
}
