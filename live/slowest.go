// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// slowestFor is how old the slowest unit of a root zone may be in snapshot.json.
const slowestFor = time.Minute

// A slowestUnit is the slowest unit of a root zone that ended in the latest minute, as it is sent.
type slowestUnit struct {
	Zone    int            `json:"zone"`
	Number  uint64         `json:"number"`
	Start   clock.Instant  `json:"start_ns"`
	Took    time.Duration  `json:"duration_ns"`
	Notes   []profile.Note `json:"notes,omitempty"`
	Cause   string         `json:"cause,omitempty"`
	Text    string         `json:"text,omitempty"`
	Split   *profile.Split `json:"split,omitempty"`
	Unknown string         `json:"no_cause,omitempty"`
}

// slowest returns the slowest units until now.
func (s *Server) slowest() []slowestUnit {
	s.collector.mu.Lock()
	defer s.collector.mu.Unlock()
	return s.collector.model.slowest(clock.Now())
}

// slowest returns the slowest units, one of each root zone that has some.
func (m *model) slowest(now clock.Instant) (all []slowestUnit) {
	for _, r := range m.units.keeper.Roots() {
		k := r.SlowestSince(now - clock.Instant(slowestFor))
		if k == nil {
			continue
		}
		u := slowestUnit{Zone: r.Zone, Number: k.Number, Start: k.Unit.Start, Took: k.Unit.Took, Notes: slices.Clone(k.Unit.Notes), Split: k.Split}
		if c := m.reports.of(m.zones[r.Zone].Name, &k.Unit); c != nil {
			u.Cause, u.Text = c.cause, c.text
		} else {
			u.Unknown = "package capture has not explained it"
			if m.reports.last == 0 && m.reports.all.first == 0 {
				u.Unknown = "package capture has explained nothing: is it started?"
			}
		}
		all = append(all, u)
	}
	return all
}
