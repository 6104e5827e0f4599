// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
)

const (
	figuresEvery = time.Second // between requests for figures
	figuresBytes = 2 << 20     // the longest answer that is read
)

// Figures have what a program has measured of its root zones so far, or the reason why that is not known.
type Figures struct {
	Snapshot profile.Snapshot
	Slowest  []Slowest // at most one of each root zone
	Err      error
}

// A Slowest is the slowest unit of a root zone that ended in the latest minute.
type Slowest struct {
	Zone  int            `json:"zone"`
	Start int64          `json:"start_ns"`
	Took  int64          `json:"duration_ns"`
	Notes []profile.Note `json:"notes"`
	Cause string         `json:"cause"` // by package capture; "" if it has not explained it
	Text  string         `json:"text"`  // its sentence
}

// due reports whether to ask for figures: the program has root zones, and something else was received since it was asked.
func (s *Stream) due() bool { return s.roots && s.heard && time.Since(s.asked) >= figuresEvery }

// ask requests the figures of the program's root zones, summed over all lanes. They are not in the messages, since they are
// differences of distributions.
func (s *Stream) ask() Message {
	s.asked, s.heard = time.Now(), false
	f := new(Figures)
	if f.Err = s.get(f); f.Err == nil {
		f.Err = keepRoots(&f.Snapshot)
		f.Slowest = tidySlowest(f.Slowest)
	}
	return Message{Figures: f}
}

func (s *Stream) get(into *Figures) error {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"snapshot.json?lanes=sum", nil)
	if err != nil {
		return err
	}
	defer session.After(answerTime, cancel)()
	resp, err := s.client.Do(req)
	if err != nil {
		return short(s.URL, answerTime, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("snapshot.json is refused with HTTP status %d", resp.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, figuresBytes+1))
	if err != nil {
		return fmt.Errorf("snapshot.json is cut off: %w", err)
	}
	if len(text) > figuresBytes {
		return fmt.Errorf("snapshot.json is longer than %d MiB", figuresBytes>>20)
	}
	var answer struct {
		Snapshot *profile.Snapshot `json:"snapshot"`
		Slowest  *[]Slowest        `json:"slowest"`
	}
	answer.Snapshot, answer.Slowest = &into.Snapshot, &into.Slowest
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("snapshot.json cannot be read: %w", err)
	}
	return nil
}

// keepRoots removes what is not about root zones, and all texts: the names are those of the hello.
func keepRoots(s *profile.Snapshot) error {
	nodes := 0
	for i := range s.Lanes {
		nodes += len(s.Lanes[i].Nodes)
	}
	if len(s.Zones) > maxZones || len(s.Lanes) > maxNames || nodes > maxZones {
		return fmt.Errorf("snapshot.json has more than %d zones or paths", maxZones)
	}
	root := func(zone int) bool { return zone >= 0 && zone < len(s.Zones) && s.Zones[zone].Root }
	for i := range s.Zones {
		s.Zones[i] = profile.ZoneInfo{Root: s.Zones[i].Root}
	}
	for i := range s.Lanes {
		l := &s.Lanes[i]
		zones := slices.DeleteFunc(l.Zones, func(z profile.ZoneStats) bool { return !root(z.Zone) })
		*l = profile.LaneStats{LaneInfo: profile.LaneInfo{ID: l.ID}, Zones: slices.Clone(zones), Nodes: l.Nodes}
	}
	if l := s.Looks; l != nil {
		units := slices.DeleteFunc(l.Units, func(z profile.ZoneSplit) bool { return !root(z.Zone) })
		s.Looks = &profile.Looks{Covered: l.Covered, Reason: clean(l.Reason), Displaced: l.Displaced, Units: units[:min(len(units), maxNames)]}
	}
	*s = profile.Snapshot{At: s.At, NsPerTick: s.NsPerTick, Zones: s.Zones, Lanes: s.Lanes, Looks: s.Looks}
	return nil
}

// tidySlowest makes slowest units safe to show.
func tidySlowest(all []Slowest) []Slowest {
	all = all[:min(len(all), maxNames)]
	for i := range all {
		u := &all[i]
		u.Cause, u.Text = clean(u.Cause), cleanTo(u.Text, maxSentence)
		u.Notes = u.Notes[:min(len(u.Notes), maxNotes)]
		for k := range u.Notes {
			u.Notes[k] = profile.Note{Key: clean(u.Notes[k].Key), Value: clean(u.Notes[k].Value)}
		}
	}
	return all
}
