// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/profile"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

var start = time.Unix(1000, 0)

// example returns the screen of a program with the given number of zones, after three seconds of 100 frames/s. Every 50th frame
// takes 40 ms.
func example(width, height, zones int) Model {
	m := New("127.0.0.1:6061").Resize(width, height).Tick(start).Hear(feed.Link{URL: "http://127.0.0.1:6061/"}, feed.Message{})
	budget, rate, low, p99, latency := int64(16_666_667), 100.0, 25.5, 41e6, 150e3
	h := &feed.Hello{Version: 1, Program: "example", PID: 4711, Run: "a", Loops: []string{"ticker", "census"}, Loop: "ticker", Budget: &budget, Enabled: true}
	for i := range zones {
		h.Zones = append(h.Zones, feed.Zone{Name: fmt.Sprintf("zone %d", i), Wait: i == 1})
	}
	m = m.Hear(feed.Link{}, feed.Message{Hello: h})
	var paths []feed.Path
	for i := range int64(zones) {
		paths = append(paths, feed.Path{Number: i, Parent: i - 1, Zone: i})
	}
	for second := range 4 {
		at := int64(second) * 1e9
		frames := &feed.Frames{At: at, Paths: paths, Runtime: &feed.Runtime{Collections: 2, Pause: 1e5, Latency: &latency, Heap: 12 << 20, Goroutines: 14},
			Plots: []feed.Plot{{Name: "lateness ms", Value: 0.0625}, {Name: "queue", Value: 3}}}
		state := &feed.State{At: at, Rate: &rate, Low1: &low, P99: &p99}
		for i := range 100 {
			number := int64(100*second + i + 1)
			took, parts := int64(10_000_000), []int64{0, 1, 5_000_000, 1, 1, 2_000_000}
			if number%50 == 0 {
				took, parts = 40_000_000, []int64{0, 1, 35_000_000, 1, 1, 2_000_000}
			}
			frames.Frames = append(frames.Frames, feed.Frame{Number: number, Start: number * 1e7, Took: took, Parts: parts})
		}
		for i := range zones - 1 { // nothing enters the last one
			calls, total, own := int64(100*second*(i+1)), int64(second)*5e8/int64(i+1), int64(second)*1e8
			state.Totals = append(state.Totals, feed.Total{Zone: i, Calls: uint64(calls), Total: total, Self: &own, Sum: &total})
		}
		m = m.Hear(feed.Link{}, feed.Message{Frames: frames}).Hear(feed.Link{}, feed.Message{State: state})
	}
	return m
}

// server returns the screen of a program without loops that has that many root zones.
func server(width, height, roots int) Model {
	m := example(width, height, 6)
	h := m.now.Hello
	h.Run, h.Loops, h.Loop, h.Slice, h.Budget = "b", nil, "", 1e8, nil
	h.Zones = nil
	for i := range roots {
		h.Zones = append(h.Zones, feed.Zone{Name: fmt.Sprintf("request %d", i), Root: true})
	}
	h.Zones = append(h.Zones, feed.Zone{Name: "query"})
	m = m.Hear(feed.Link{}, feed.Message{Hello: &h})
	latency := 150e3
	for second := range int64(3) {
		frames := &feed.Frames{At: second * 1e9, Runtime: &feed.Runtime{Collections: 2, Pause: 1e5, Latency: &latency, Heap: 12 << 20, Goroutines: 14}}
		for i := range int64(10) {
			frames.Frames = append(frames.Frames, feed.Frame{Number: 10*second + i, Start: second*1e9 + i*1e8, Took: 1e8})
		}
		state := &feed.State{At: second * 1e9}
		s := profile.Snapshot{NsPerTick: 1, Lanes: []profile.LaneStats{{}}}
		s.At = s.At.Add(time.Duration(second) * time.Second)
		for i := range h.Zones {
			calls, took := uint64(second)*200<<i, second*1e8
			state.Totals = append(state.Totals, feed.Total{Zone: i, Calls: calls, Total: took, Self: &took, Sum: &took})
			s.Zones = append(s.Zones, profile.ZoneInfo{Root: i < roots})
			s.Lanes[0].Zones = append(s.Lanes[0].Zones, profile.ZoneStats{Zone: i, Calls: calls, Timed: calls, Open: i, Min: 90_000, Max: 1_500_000,
				Histogram: profile.Histogram{First: 220, Counts: []uint64{calls * 3 / 4, calls / 8, 0, calls / 16, 0, 0, calls / 16}, NsPerTick: 1}})
		}
		m = m.Hear(feed.Link{}, feed.Message{Frames: frames}).Hear(feed.Link{}, feed.Message{State: state}).Hear(feed.Link{}, feed.Message{Figures: &feed.Figures{Snapshot: s}})
	}
	return m
}

func text(m Model) string {
	var b strings.Builder
	for _, l := range m.View() {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// On a large screen the graph takes the lines that would be empty, whichever zones are shown.
func TestTheGraphTakesWhatIsLeft(t *testing.T) {
	graph := func(m Model) (lines int) {
		for i, l := range m.above() {
			if strings.HasSuffix(l.String(), " 0") {
				lines = i
			}
		}
		return lines
	}
	for _, c := range []struct{ width, height, zones, most, empty int }{{200, 50, 8, 24, 10}, {200, 50, 30, 9, 3}, {200, 50, 40, 6, 0}, {80, 24, 6, 9, 1}, {120, 100, 8, 48, 36}} {
		m := example(c.width, c.height, c.zones)
		n, empty := graph(m), 0
		for i, l := range m.View() {
			if i > n && l.String() == "" {
				empty++
			}
		}
		if n != c.most || empty > c.empty {
			t.Errorf("%dx%d, %d zones: %d lines of graph, %d empty ones\n%s", c.width, c.height, c.zones, n, empty, text(m))
		}
		if filtered := press(m, "f", "1", "2", "enter"); graph(filtered) != n {
			t.Errorf("%dx%d: %d lines of graph after a filter, %d before", c.width, c.height, graph(filtered), n)
		}
	}
}

func press(m Model, keys ...string) Model {
	for _, k := range keys {
		m, _ = m.Key(k)
	}
	return m
}

func TestScreensLookLikeThis(t *testing.T) {
	for name, m := range map[string]Model{
		"80x24.txt":   example(80, 24, 6),
		"60x24.txt":   example(60, 24, 20),
		"60x16.txt":   example(60, 16, 20),
		"120x40.txt":  press(example(120, 40, 8), "a", "-"),
		"help.txt":    press(example(60, 20, 6), "?"),
		"waiting.txt": New("127.0.0.1:6061 and the next 9 ports").Hear(feed.Link{Err: errors.New("nothing listens at 127.0.0.1:6061 and the next 9 ports"), Retry: time.Second}, feed.Message{}),
		"away.txt":    example(80, 24, 6).Tick(start.Add(12*time.Second)).Hear(feed.Link{Err: errors.New("nothing listens at http://127.0.0.1:6061/")}, feed.Message{}),
		"paused.txt":  press(example(80, 24, 6), "p", "down"),
		"server.txt":  server(80, 24, 2),
		"servers.txt": server(120, 24, 7),
		"neither.txt": server(80, 16, 0),
		"filter.txt":  press(example(80, 24, 20), "f", "1", "2"),
	} {
		t.Run(name, func(t *testing.T) {
			clitest.Golden(t, *update, name, text(m))
			clitest.Fits(t, text(m), m.height, m.width)
		})
	}
}

func TestEverySizeHoldsTheScreen(t *testing.T) {
	for _, zones := range []int{1, 2, 30} {
		for width := 0; width < 100; width += 1 + width/4 {
			for _, height := range []int{0, 1, 2, 3, 5, 8, 15, 16, 21, 22, 50} {
				for _, keys := range [][]string{{}, {"?"}, {"end"}, {"f", "1"}, {"/", "9"}} {
					models := []Model{example(width, height, zones)}
					if len(keys) == 0 {
						models = append(models, server(width, height, zones-1))
					}
					for _, m := range models {
						lines := press(m, keys...).View()
						if width > 0 && len(lines) != height {
							t.Fatalf("%dx%d, %q: %d lines", width, height, keys, len(lines))
						}
						for _, l := range lines {
							if l.width() > width {
								t.Fatalf("%dx%d, %q: %d columns: %s", width, height, keys, l.width(), l)
							}
						}
					}
				}
			}
		}
	}
}

// Rows are explained if the screen has room for all rows and the explanation.
func TestRowsAreExplainedWhereThereIsRoom(t *testing.T) {
	if screen := text(example(80, 24, 6)); !strings.Contains(screen, "Each row is a zone") {
		t.Errorf("no explanation on\n%s", screen)
	}
	for height := 1; height < 30; height++ {
		m := example(80, height, 30)
		if screen := text(m); strings.Contains(screen, "Each row") && !strings.Contains(screen, m.rows()[len(m.rows())-1].Name) {
			t.Errorf("%d lines: rows are missing and explained on\n%s", height, screen)
		}
		if screen := text(example(80, height, 6)); strings.Contains(screen, "Each row") != strings.Contains(screen, "explains the rest") {
			t.Errorf("%d lines: half an explanation on\n%s", height, screen)
		}
		if screen := text(example(80, height, 0)); strings.Contains(screen, "Each row") {
			t.Errorf("%d lines: an explanation of no rows on\n%s", height, screen)
		}
	}
}

func firstRow(m Model) string { return m.rows()[0].Name }

func TestRowsAreOrderedByTheColumnChosen(t *testing.T) {
	m := example(80, 24, 6)
	if got := firstRow(m); got != "zone 0" { // by share
		t.Error(got)
	}
	if got := firstRow(press(m, "r")); got != "zone 4" {
		t.Errorf("reversed: %s", got)
	}
	for keys, want := range map[string]string{"s": "zone 0", "ss": "zone 0", "S": "zone 4", "sss": "zone 0", "ssss": "zone 4", "sssss": "zone 0", "SSr": "zone 4"} {
		if got := firstRow(press(m, strings.Split(keys, "")...)); got != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
}

func TestIdleZonesAreShownWhenAskedFor(t *testing.T) {
	m := example(80, 24, 6)
	m.now.Hello.Zones[4].Name = "idle"
	before := len(m.rows())
	message := feed.Message{State: &feed.State{At: 4e9, Totals: []feed.Total{{Zone: 5, Calls: 0}}}}
	m = m.Hear(feed.Link{}, message).Hear(feed.Link{}, feed.Message{State: &feed.State{At: 5e9, Totals: []feed.Total{{Zone: 5}}}})
	if n := len(m.rows()); n != 0 {
		t.Errorf("%d rows, before %d", n, before)
	}
	if n := len(press(m, "a").rows()); n != 1 {
		t.Errorf("%d rows with idle ones", n)
	}
}

func TestSearchMovesToTheZone(t *testing.T) {
	m := press(example(80, 24, 30), "/", "1", "2")
	if m.selected != "zone 12" || m.typing == 0 {
		t.Errorf("%q is selected", m.selected)
	}
	m = press(m, "backspace", "enter")
	if m.selected != "zone 12" || m.typing != 0 || m.search != "1" {
		t.Errorf("%q is selected, %q searched", m.selected, m.search)
	}
	if m = press(m, "n"); m.selected != "zone 13" {
		t.Errorf("next: %q", m.selected)
	}
	if m = press(m, "N", "N", "N"); m.selected != "zone 10" {
		t.Errorf("previous: %q", m.selected)
	}
	if !strings.Contains(text(m), "zone 10") {
		t.Error("what is selected is not on the screen")
	}
	marked, found := 0, 0
	for _, l := range m.View() {
		for _, s := range l {
			if strings.HasPrefix(s.Text, "zone 1") && s.Style == Marked {
				marked++
			} else if strings.HasPrefix(s.Text, "zone 1") && s.Style == Warn {
				found++
			}
		}
	}
	if marked != 1 || found < 1 {
		t.Errorf("%d rows are marked, %d are shown as found", marked, found)
	}
	if m = press(m, "/", "x", "esc"); m.search != "1" || m.typing != 0 {
		t.Errorf("esc leaves %q", m.search)
	}
	if m, action := press(m, "/").Key("q"); action != Stay || m.search != "q" {
		t.Errorf("q while typing: %v", action)
	}
}

func TestTheFilterLeavesOutRows(t *testing.T) {
	m := press(example(80, 24, 30), "f", "Z", "o", "n", "e", " ", "2", "enter")
	if n := len(m.rows()); n != 10 { // 2, 20 to 28
		t.Errorf("%d rows", n)
	}
	if n := len(press(m, "esc").rows()); n != 29 {
		t.Errorf("%d rows without the filter", n)
	}
	if !strings.Contains(text(press(m, "f", "x")), "No zone name contains zone 2x.") && !strings.Contains(text(press(m, "f", "x")), "No zone name contains Zone 2x.") {
		t.Error(text(press(m, "f", "x")))
	}
}

func TestScrollingKeepsTheSelectedRowInSight(t *testing.T) {
	m := example(80, 24, 30)
	for range 40 {
		m = press(m, "down")
		if !strings.Contains(text(m), m.selected+" ") {
			t.Fatalf("%s is out of sight", m.selected)
		}
	}
	if m.selected != "zone 28" {
		t.Errorf("the last row is %s", m.selected)
	}
	if m = press(m, "home"); m.selected != "zone 0" || m.first != 0 {
		t.Errorf("home: %s at %d", m.selected, m.first)
	}
	if m = press(m, "pgdn", "pgdn", "pgup", "up"); m.selected != fmt.Sprintf("zone %d", m.page()-1) {
		t.Errorf("pages: %s", m.selected)
	}
}

func TestTheSelectedRowStaysInSightWhenTheOrderOrTheSizeChanges(t *testing.T) {
	m := press(example(80, 24, 30), "/", "z", "o", "n", "e", " ", "0", "enter")
	first := m.first
	var totals []feed.Total
	for i := range 29 { // zones with the least time have the most from now on
		totals = append(totals, feed.Total{Zone: i, Calls: uint64(300*(i+1) + 100), Total: 3e9/int64(i+1) + int64(i)*1e8})
	}
	m = m.Hear(feed.Link{}, feed.Message{State: &feed.State{At: 6e9, Totals: totals}})
	if at := m.at(m.rows()); at < m.page() {
		t.Fatalf("zone 0 is still in row %d: the test shows nothing", at)
	}
	if m.first == first || !strings.Contains(text(m), "zone 0 ") {
		t.Errorf("zone 0 is out of sight:\n%s", text(m))
	}
	if m = m.Resize(80, 16); !strings.Contains(text(m), "zone 0 ") {
		t.Errorf("zone 0 is out of sight on a smaller screen:\n%s", text(m))
	}
	if m = press(m, "esc"); m.selected != "" {
		t.Errorf("esc leaves %q selected", m.selected)
	}
}

func TestAZoneWithoutANameIsARowLikeOthers(t *testing.T) {
	m := example(80, 24, 6)
	m.now.Hello.Zones[1] = feed.Zone{}
	marked := func() (text string) {
		for _, l := range m.View() {
			if len(l) > 0 && l[0].Style == Marked {
				text += l.String()
			}
		}
		return text
	}
	if got := marked(); got != "" {
		t.Errorf("selected without a key: %q", got)
	}
	m = press(m, "down", "down")
	if got := marked(); !strings.HasPrefix(got, `"" `) {
		t.Errorf("selected: %q", got)
	}
	if m = press(m, "down"); m.selected != "zone 2" {
		t.Errorf("after it: %q", m.selected)
	}
}

func TestPauseKeepsTheScreenAsItIs(t *testing.T) {
	m := press(example(80, 24, 6), "p")
	before := text(m)
	m = m.Hear(feed.Link{}, feed.Message{State: &feed.State{At: 9e9}}).Hear(feed.Link{}, feed.Message{Frames: &feed.Frames{Frames: []feed.Frame{{Number: 5000, Took: 1}},
		Plots: []feed.Plot{{Name: "queue", Value: 99}}}})
	if text(m) != before {
		t.Errorf("it changed:\n%s", text(m))
	}
	if m = press(m, " "); text(m) == before || !strings.Contains(text(m), "queue 99") {
		t.Errorf("it did not go on:\n%s", text(m))
	}
}

func TestKeysAskForActions(t *testing.T) {
	m := example(80, 24, 6)
	for key, want := range map[string]Action{"q": Quit, "ctrl-c": Interrupt, "ctrl-z": Suspend, "l": NextLoop, "tab": NextLoop, "x": Stay, "": Stay, "?": Stay} {
		if _, got := m.Key(key); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
	if _, got := press(m, "/").Key("ctrl-c"); got != Interrupt {
		t.Errorf("Ctrl-C while typing: %v", got)
	}
	if got := m.Loop(); got != "census" {
		t.Errorf("next loop: %q", got)
	}
	m.now.Hello.Loops = []string{"ticker"}
	if _, got := m.Key("l"); got != Stay || m.Loop() != "" {
		t.Errorf("one loop: %v", got)
	}
}

func TestTheGraphShowsTheSlowestFrameOfAColumn(t *testing.T) {
	frames := []feed.Frame{{Number: 10, Took: 5}, {Number: 11, Took: 20}, {Number: 12, Took: 1}, {Number: 16, Took: 1000}, {Number: 17, Took: 10}}
	// The top is 30, at 12 dots. The groups of two are 10 and 11, 12, none, 16 and 17.
	if got := fmt.Sprint(levels(frames, 2, 6, 12, 10)); got != "[0 0 8 1 0 12]" {
		t.Error(got)
	}
	if got := fmt.Sprint(levels(frames, 1, 3, 12, 10)); got != "[0 12 4]" {
		t.Error(got)
	}
	lines := graphLines(frames, 2, labelWidth+3, 3, 10)
	want := []string{"  ⢸ 30 ns", "_⡇⢸ 10 ns", " ⣇⢸ 0"}
	for i, l := range lines {
		if l.String() != want[i] {
			t.Errorf("line %d: %q, want %q", i, l.String(), want[i])
		}
	}
}

func TestASilentProgramIsNamed(t *testing.T) {
	m := example(80, 24, 6)
	if strings.Contains(text(m.Tick(start.Add(time.Second))), "sends nothing") {
		t.Error("after a second")
	}
	if !strings.Contains(text(m.Tick(start.Add(4*time.Second))), "The program sends nothing. The figures are 4s old.") {
		t.Error(text(m.Tick(start.Add(4 * time.Second))))
	}
}

func TestTheSlowestFrameIsSaidWithItsCause(t *testing.T) {
	const ms = 1_000_000
	lane := int64(0)
	for want, parts := range map[string][]int64{
		"slowest 90 ms, frame 99, 0.0 s ago; tick +79.2 ms":               {0, 1, 85 * ms, 1, 1, 1 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; work +78.21 ms, join waited": {0, 1, 85 * ms, 1, 1, 81 * ms, 2, 1, 80 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; outside any zone +79.2 ms":   {0, 1, 5 * ms, 1, 1, 1 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; in no zone":                  {0, 1, 85 * ms, 1, 1, 28 * ms, 3, 1, 29 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; join +79.2 ms":               {0, 1, 85 * ms, 1, 1, 81 * ms, 2, 1, 1 * ms},
	} {
		var p program.Program
		p.Add(feed.Message{Hello: &feed.Hello{Version: 1, Run: "r", Loop: "l", Lane: &lane, Zones: []feed.Zone{{Name: "tick"}, {Name: "join", Wait: true}, {Name: "work"}, {Name: "draw"}}}})
		m := &feed.Frames{Paths: []feed.Path{{Number: 0, Parent: -1, Zone: 0}, {Number: 1, Parent: 0, Zone: 1}, {Number: 2, Lane: 1, Parent: -1, Zone: 2}, {Number: 3, Parent: 0, Zone: 3}}}
		for n := range int64(99) {
			m.Frames = append(m.Frames, feed.Frame{Number: n, Took: 10 * ms, Parts: []int64{0, 1, 5 * ms, 1, 1, 1 * ms, 2, 1, 1 * ms}})
		}
		m.Frames = append(m.Frames, feed.Frame{Number: 99, Took: 90 * ms, Parts: parts})
		p.Add(feed.Message{Frames: m})
		if got := Slowest(&p, 120); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
