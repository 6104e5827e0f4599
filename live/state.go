// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/profile"
)

// stateEvery is the time between the messages "state".
const stateEvery = 250 * time.Millisecond

// A state holds the data for the message "state". It belongs to one goroutine at a time.
type state struct {
	reader strobe.Reader
	at     clock.Instant
	number uint64 // of states so far
	totals []total
	frames []profile.FrameStats
	common stateMessage
	busy   [5]busy // the latest, oldest first
	texts  map[*loop][]byte
}

type total struct {
	calls            uint64
	total, self, sum time.Duration
	selfUnknown      bool
}

// row returns [zone,calls,total,self,sum], in which self is nil if it is not known.
func (t *total) row(zone int) (row [5]*int64) {
	numbers := [5]int64{int64(zone), int64(t.calls), int64(t.total), int64(t.self), int64(t.sum)}
	for i := range numbers {
		if i != 3 || !t.selfUnknown {
			row[i] = &numbers[i]
		}
	}
	return row
}

// busy is how long the server had worked by an instant.
type busy struct {
	at clock.Instant
	d  time.Duration
}

// A stateMessage is the data of a message "state".
type stateMessage struct {
	At      clock.Instant  `json:"at_ns"`
	Rate    *float64       `json:"rate_hz,omitempty"`
	P99     time.Duration  `json:"p99_ns,omitempty"`
	Low1    float64        `json:"low1_fps,omitempty"`
	Viewers int            `json:"viewers"`
	Cost    float64        `json:"cost_ns,omitempty"`
	Busy    time.Duration  `json:"busy_ns"`
	Memory  int64          `json:"memory_bytes"`
	Notes   []string       `json:"notes,omitempty"`
	Totals  [][5]*int64    `json:"totals"`
	Looks   *profile.Looks `json:"looks,omitempty"`
	Open    []rawUnit      `json:"open,omitempty"`
}

// due reports whether it is time for the next state.
func (s *state) due(now clock.Instant) bool {
	return s.number == 0 || now.Sub(s.at) >= stateEvery-time.Second/fastest/2
}

// take takes the next state.
func (s *state) take(m *model, viewers int, spent time.Duration) {
	snap := s.reader.Read()
	if m.off && !slices.Equal(m.zones, snap.Zones) {
		m.zones, m.version = snap.Zones, m.version+1
	}
	s.at, s.number, s.texts, s.frames = clock.Now(), s.number+1, make(map[*loop][]byte), snap.Frames
	for i, z := range snap.Totals() {
		if i == len(s.totals) {
			s.totals = append(s.totals, total{})
		}
		t := &s.totals[i]
		t.calls, t.total, t.self, t.sum = t.calls+z.Calls, t.total+z.Total, t.self+z.Self, t.sum+z.Sum
		t.selfUnknown = t.selfUnknown || z.SelfUnknown
	}
	copy(s.busy[:], s.busy[1:])
	s.busy[len(s.busy)-1] = busy{s.at, spent}
	c := stateMessage{At: s.at, Viewers: viewers, Cost: snap.Cost, Memory: snap.Memory + m.memory(), Notes: append(snap.Notes, m.limits()...), Totals: [][5]*int64{}, Looks: looks.Read()}
	if from := s.busy[0]; from.at != 0 {
		c.Busy = time.Duration(float64(spent-from.d) / s.at.Sub(from.at).Seconds())
	}
	for i, t := range s.totals {
		if t.calls > 0 || t.total > 0 {
			c.Totals = append(c.Totals, t.row(i))
		}
	}
	s.common = c
}

// forget resets the totals.
func (s *state) forget() { clear(s.totals) }

// ofRoot returns the message for viewers of the units of a root zone.
func (s *state) ofRoot(m *model, zone int) []byte {
	c := s.common
	c.Open, c.Notes = m.openUnits(zone), append(c.Notes[:len(c.Notes):len(c.Notes)], m.limitsOfUnits()...)
	text, err := json.Marshal(c)
	if err != nil {
		return []byte("{}")
	}
	return text
}

// text returns the message for viewers of a loop.
func (s *state) text(m *model, l *loop) []byte {
	if text, found := s.texts[l]; found {
		return text
	}
	c := s.common
	c.Notes = append(c.Notes[:len(c.Notes):len(c.Notes)], m.limitsOfFrames()...)
	for i := range s.frames {
		if s.frames[i].Name == l.loop && l.loop != "" {
			c.Rate = &s.frames[i].Rate
		}
	}
	if p99, low1, ok := l.figures(); ok {
		c.P99, c.Low1 = p99, low1
	}
	text, err := json.Marshal(c)
	if err != nil {
		text = []byte("{}")
	}
	s.texts[l] = text
	return text
}

// limits returns what limits frames and units, in words.
func (m *model) limits() (notes []string) {
	if m.off && strobe.Enabled {
		notes = append(notes, "nothing is recorded, so there are no frames: strobe.Record or the command record_bytes turns it on")
	}
	if len(m.paths.all) >= m.paths.limit {
		notes = append(notes, "there are more than "+strconv.Itoa(m.paths.limit)+" paths: the others are merged into one path per lane")
	}
	return notes
}

// limitsOfFrames returns what limits frames alone.
func (m *model) limitsOfFrames() (notes []string) {
	if m.summed {
		notes = append(notes, "more than "+strconv.Itoa(mostLanes)+" lanes have spans: in frames the others are summed up, except those that a viewer has requested")
	}
	if m.more {
		notes = append(notes, "there are more than "+strconv.Itoa(mostLoops)+" loops: only the first ones have frames")
	}
	if m.tracks.late > 0 {
		notes = append(notes, strconv.FormatUint(m.tracks.late, 10)+" spans were reported too late: some of their time is missing from frames")
	}
	return notes
}

// limitsOfUnits returns what limits units alone.
func (m *model) limitsOfUnits() (notes []string) {
	if m.units.keeper.More {
		notes = append(notes, "there are more than "+strconv.Itoa(len(m.units.keeper.Roots()))+" root zones: only the units of the first ones are kept")
	}
	return notes
}
