// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/profile"
)

// Each root zone has its slowest unit, also if it took longer than a second or a minute; there are lines for a few of them.
func TestEachRootZoneHasItsSlowestUnit(t *testing.T) {
	m := server(120, 24, 7)
	f := &feed.Figures{Snapshot: profile.Snapshot{At: 4e9, NsPerTick: 1, Lanes: []profile.LaneStats{{}},
		Looks: &profile.Looks{Covered: 1e9, Units: []profile.ZoneSplit{{Zone: 6, Split: profile.Split{Running: 31e6, Ready: 2e6, Waiting: 67e6, Unknown: 900e6}}}}}}
	for i := range 7 {
		f.Snapshot.Zones = append(f.Snapshot.Zones, profile.ZoneInfo{Root: true})
		f.Snapshot.Lanes[0].Zones = append(f.Snapshot.Lanes[0].Zones, profile.ZoneStats{Zone: i, Calls: 600 << i, Timed: 600 << i})
	}
	f.Slowest = []feed.Slowest{{Zone: 6, Start: -79.4e9, Took: 83.4e9, Cause: "lock", Notes: []profile.Note{{Key: "", Value: "save screenshot"}}},
		{Zone: 5, Start: 1e9, Took: 1.52e9}, {Zone: 0, Start: 1e9, Took: 1e9}}
	m = m.Hear(feed.Link{}, feed.Message{Figures: f}).Hear(feed.Link{}, feed.Message{Frames: &feed.Frames{At: 5e9}})
	lines := Figures(m.now, 0)
	for _, want := range []string{"slowest 83.4 s of request 6, 1.0 s ago; cause lock; save screenshot", "slowest 1.52 s of request 5, 2.5 s ago; cause unknown"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
	all := strings.Join(lines, "\n")
	if strings.Contains(all, "of request 0,") || strings.Count(all, "slowest ") != 2 {
		t.Errorf("there is no line for this root zone, nor for what it did:\n%s", all)
	}
	if !strings.Contains(all, "\nin 1 s seen, request 6 ran 3 % of its time, was ready 0 %, unknown 90 %\n") || strings.Count(all, "ran ") != 1 {
		t.Errorf("what request 6 did is missing, or that of others is there:\n%s", all)
	}
	for _, line := range Figures(m.now, 80) {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// What top says of units that took longer than a second and than a minute.
func TestLongUnitsAreNamed(t *testing.T) {
	m := server(120, 24, 1)
	root, lane := 0, int64(-2)
	h := m.now.Hello
	h.Root, h.Lane, h.Slice = &root, &lane, 0
	unit := func(number, start, took int64) feed.Unit {
		return feed.Unit{Frame: feed.Frame{Number: number, Start: start, Took: took, Parts: []int64{0, 1, took}}, Slow: number == 1, Sampled: number != 1, Notes: []profile.Note{{Key: "job", Value: "save screenshot"}}}
	}
	m = m.Hear(feed.Link{}, feed.Message{Hello: &h}).Hear(feed.Link{}, feed.Message{Frames: &feed.Frames{At: 100e9, Paths: []feed.Path{{Number: 0, Lane: -2, Parent: -1, Zone: 0}},
		Units:   []feed.Unit{unit(1, 15e9, 83.4e9), unit(2, 90e9, 1e9)},
		Reports: []feed.Report{{Number: 1, Text: "request took 83.4 s, 83 s more than usual: 82 s waiting for a lock.", Start: 15e9, Took: 83.4e9}}}})
	m = m.Hear(feed.Link{}, feed.Message{State: &feed.State{At: 100e9, Open: []feed.Unit{unit(0, 1e9, 99e9)}}})
	all := strings.Join(append(slowUnits(m.now, nil, 0), Why(m.now)), "\n")
	for _, want := range []string{"slowest 83.4 s of request 0, 1.6 s ago; request 0 +82.4 s; job save screenshot", "open for long: 1 of request 0, the longest for 99 s; job save screenshot",
		"why: request took 83.4 s, 83 s more than usual: 82 s waiting for a lock, 2 s ago"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if ago := time.Duration(m.now.At - 15e9 - 83.4e9); ago != 1.6e9 {
		t.Error(ago)
	}
}
