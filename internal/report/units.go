// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// Served returns the units of the report: the root zones of which a call ended or is open.
func (r *Report) Served() []profile.UnitStats {
	var all []profile.UnitStats
	for _, u := range r.Units {
		if u.Zone >= 0 && u.Zone < len(r.Zones) && (u.Calls > 0 || u.Open > 0) {
			all = append(all, u)
		}
	}
	return all
}

// Split returns what the units of a root zone did in the time of the report, as far as package capture has seen it; nil if it has not.
func (r *Report) Split(zone int) *profile.Split {
	if r.Looks == nil {
		return nil
	}
	for i := range r.Looks.Units {
		if s := &r.Looks.Units[i]; s.Zone == zone && s.Total() > s.Unknown {
			return &s.Split
		}
	}
	return nil
}

// did describes what the units of a root zone did, and in how much of the time that was seen; "" if it was not.
func (r *Report) did(zone int) string {
	s := r.Split(zone)
	if s == nil {
		return ""
	}
	of := func(d time.Duration) float64 { return 100 * float64(d) / float64(s.Total()) }
	ran := "ran"
	if r.Looks.Displaced {
		ran = "ran or were preempted"
	}
	text := fmt.Sprintf("; in %s that package capture saw they %s for %.0f %% of their time, were ready for %.0f %%, waited for %.0f %%",
		units.Duration(float64(r.Looks.Covered)), ran, of(s.Running), of(s.Ready), of(s.Waiting))
	if s.Unknown > 0 {
		text += fmt.Sprintf(", and %.0f %% are unknown", of(s.Unknown))
	}
	return text
}

// unitText describes the units of a root zone.
func unitText(name string, u *profile.UnitStats) string {
	text := fmt.Sprintf("units of %s: %d, %s per second", plain.Name(name, widest), u.Calls, units.Approx(u.Rate, ""))
	missing := ""
	quantiles := []struct {
		name string
		stat.Interval
	}{{"p50", u.P50}, {"p99", u.P99}, {"p99.9", u.P999}}
	for i, q := range quantiles {
		if !q.Known() { // nor are the higher ones, for which more calls are needed
			var names []string
			for _, q := range quantiles[i:] {
				names = append(names, q.name)
			}
			missing = "; no " + strings.Join(names, ", ") + ": " + q.Reason
			break
		}
		per, unit := units.Scale(q.Center)
		text += ", " + q.name + " " + q.In(per, unit)
	}
	if u.Max > 0 {
		text += ", longest " + units.Duration(float64(u.Max))
	}
	if u.Open > 0 {
		text += fmt.Sprintf(", %d open", u.Open)
	}
	return text + missing
}
