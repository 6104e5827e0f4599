// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// mostRows is the number of rows of a table.
const mostRows = 200

//go:embed snapshot.html
var snapshotBody string

//go:embed snapshot.js
var snapshotScript string

//go:embed open.css
var style string

// A message is what a running program answers at snapshot.json, without the snapshot itself.
type message struct {
	Program string    `json:"program"`
	Time    time.Time `json:"time"`
}

// readSnapshot reads a snapshot, or what a running program answers at snapshot.json.
func readSnapshot(text []byte) (profile.Snapshot, message, error) {
	var of struct {
		message
		Snapshot *profile.Snapshot `json:"snapshot"`
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	err := json.Unmarshal(text, &of)
	if err == nil && of.Snapshot == nil {
		of.Snapshot = new(profile.Snapshot)
		err = json.Unmarshal(text, of.Snapshot)
	}
	if err != nil {
		return profile.Snapshot{}, message{}, fmt.Errorf("it is damaged: %w", err)
	}
	return *of.Snapshot, of.message, checkSnapshot(*of.Snapshot)
}

// checkSnapshot returns an error unless all indices of a snapshot can be used.
func checkSnapshot(s profile.Snapshot) error {
	wrong := errors.New("it is damaged: it refers to a zone or a path that it does not have")
	zones := func(list []profile.ZoneStats) bool {
		return slices.ContainsFunc(list, func(z profile.ZoneStats) bool { return z.Zone < 0 || z.Zone >= len(s.Zones) })
	}
	if zones(s.Pooled) {
		return wrong
	}
	for _, l := range s.Lanes {
		if zones(l.Zones) {
			return wrong
		}
		for i, n := range l.Nodes {
			if n.Zone < -1 || n.Zone >= len(s.Zones) || n.Parent < -1 || n.Parent >= i {
				return wrong
			}
		}
	}
	for _, u := range s.Units {
		if u.Zone < 0 || u.Zone >= len(s.Zones) {
			return wrong
		}
	}
	return nil
}

// A table is a table of the page.
type table struct {
	Title  string
	Titles []string
	Rows   [][]string
	More   int // rows that are left out
}

// add adds a row.
func (t *table) add(cells ...string) {
	if len(t.Rows) == mostRows {
		t.More++
		return
	}
	t.Rows = append(t.Rows, cells)
}

// Page writes a snapshot of a program as the page that the verb shows.
func Page(w io.Writer, program string, at time.Time, s profile.Snapshot) error {
	return writeSnapshot(w, "strobe run", s, message{program, at})
}

func writeSnapshot(w io.Writer, file string, s profile.Snapshot, m message) error {
	tree := s.Tree()
	view := struct {
		File, Program, Time, Elapsed string
		Tables                       []table
		Tree                         bool
		Notes                        []string
	}{File: file, Program: m.Program, Elapsed: duration(s.Elapsed), Tree: len(tree) > 0, Notes: s.Notes}
	if !m.Time.IsZero() {
		view.Time = m.Time.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	for _, t := range []table{unitTable(s), loopTable(s), zoneTable(s)} {
		if len(t.Rows) > 0 {
			view.Tables = append(view.Tables, t)
		}
	}
	body, err := markup.Of(snapshotBody, view)
	if err != nil {
		return err
	}
	data := struct {
		Zones []profile.ZoneInfo `json:"zones"`
		Tree  profile.Tree       `json:"tree"`
	}{s.Zones, tree}
	return page.Write(w, page.Page{Title: "Snapshot", Version: session.Version(), Body: body, Data: data, Style: style, Script: page.Lanes() + snapshotScript})
}

func unitTable(s profile.Snapshot) table {
	t := table{Title: "Units", Titles: []string{"Root zone", "Calls", "Per second", "Median", "99 %", "99.9 %", "Longest"}}
	for _, u := range s.Units {
		t.add(s.Zones[u.Zone].Name, units.Count(u.Calls), units.Approx(u.Rate, ""), quantile(u.P50), quantile(u.P99), quantile(u.P999), known(u.Max))
	}
	return t
}

func loopTable(s profile.Snapshot) table {
	t := table{Title: "Loops", Titles: []string{"Loop", "Frames", "Per second", "Median", "99 %", "Longest"}}
	for _, f := range s.Frames {
		t.add(f.Name, units.Count(f.Turns), units.Approx(f.Rate, ""), known(f.P50), known(f.P99), known(f.Max))
	}
	return t
}

// zoneTable has the zones with the most self time first.
func zoneTable(s profile.Snapshot) table {
	t := table{Title: "Zones", Titles: []string{"Zone", "Calls", "Total", "Self", "Median", "99 %", "Longest"}}
	all := slices.DeleteFunc(s.Totals(), func(z profile.ZoneStats) bool { return z.Calls == 0 && z.Total == 0 })
	slices.SortStableFunc(all, func(a, b profile.ZoneStats) int { return cmp.Compare(b.Self, a.Self) })
	for _, z := range all {
		self := "unknown"
		if !z.SelfUnknown {
			self = duration(z.Self)
		}
		var at [2]string
		for i, q := range []float64{0.5, 0.99} {
			if d, ok := z.Quantile(q); ok {
				at[i] = duration(d)
			}
		}
		t.add(s.Zones[z.Zone].Name, units.Count(z.Calls), duration(z.Total), self, at[0], at[1], known(z.Max))
	}
	return t
}

// quantile writes a quantile with its interval, or why it is not known.
func quantile(iv stat.Interval) string {
	switch {
	case iv.Bounded():
		return duration(time.Duration(iv.Center)) + " [" + duration(time.Duration(iv.Lo)) + ", " + duration(time.Duration(iv.Hi)) + "]"
	case iv.Known():
		return duration(time.Duration(iv.Center))
	}
	return iv.Reason
}

// known writes a duration; nothing if it is not known.
func known(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return duration(d)
}

func duration(d time.Duration) string { return units.Duration(float64(d)) }
