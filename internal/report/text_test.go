// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/profile"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func linesOf(t *Text, r *Report) []string {
	return strings.Split(strings.TrimSuffix(string(t.Append(nil, noon, r)), "\n"), "\n")
}

func TestTextIsATable(t *testing.T) {
	s := program(2)
	s.Notes = []string{"a note"}
	got := linesOf(new(Text), makes(Options{}, s))
	want := []string{
		"time      lane      zone             ms in   of ms      share      calls    self ms  mean of a call ± 95 %             p99",
		"12:00:00  worker 0  update          500.00    1000     50.0 %         10     300.00  50.0000000 ± 0.0000030 ms           -",
		"12:00:00  worker 0  draw (wait)     200.00    1000     20.0 %         20     200.00  10.0000000 ± 0.0000030 ms           -  open",
		"12:00:00  worker 1  update          500.00    1000     50.0 %         10     300.00  50.0000000 ± 0.0000030 ms           -",
		"12:00:00  worker 1  draw (wait)     200.00    1000     20.0 %         20     200.00  10.0000000 ± 0.0000030 ms           -  open",
		"12:00:00  strobe: a span costs 20 ns, with a systematic error of up to 3 ns; measuring took less than 0.01 % of any lane's time",
		"12:00:00  strobe: a note",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d of\n%s\nwant\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestTreeIsIndented(t *testing.T) {
	s := program(40)
	s.Zones = append(s.Zones, profile.ZoneInfo{Name: "last indented"})
	for range 20 { // deeper than lines are indented
		n := len(s.Lanes[0].Nodes)
		parent := n - 1
		if n == 3 {
			parent = 1
		}
		s.Lanes[0].Nodes = append(s.Lanes[0].Nodes, profile.Node{Parent: parent, Zone: 0, Calls: 1, Total: 5})
		if n == 3+deepest-2 {
			s.Lanes[0].Nodes[n].Zone = 3
		}
	}
	text := strings.Join(linesOf(new(Text), makes(Options{Tree: true}, s)), "\n")
	for _, want := range []string{"  update  ", "    draw (wait)  ", "      update  ", " [21] update ", " " + strings.Repeat("  ", deepest) + "last indented ", "sums over 40 lanes"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "p99") {
		t.Error("a tree has no quantiles")
	}
}

func TestColumnsFollowTheLongestNameUpToALimit(t *testing.T) {
	s := program(1)
	s.Zones[0].Name = "a name that is longer than twenty letters"
	s.Zones[2].Name = strings.Repeat("first half ", 5) + strings.Repeat("second half ", 5)
	s.Lanes[0].Name = strings.Repeat("é", 60)
	var text Text
	got := linesOf(&text, makes(Options{}, s))
	if !strings.Contains(got[1], "a name that is longe…than twenty letters") {
		t.Errorf("%q", got[1])
	}
	if !strings.Contains(got[2], "first half first hal…d half second half  (wait)") || !strings.Contains(got[2], strings.Repeat("é", 20)+"…"+strings.Repeat("é", 19)+"  ") {
		t.Errorf("%q", got[2])
	}
	column := strings.Index(got[0], "ms in")
	for _, line := range got[1:3] { // columns are aligned
		if r := []rune(line); r[column+5] != ' ' || r[column+4] == ' ' {
			t.Errorf("column %d of %q", column, line)
		}
	}
	for _, wider := range []string{"lane", "zone"} {
		var text Text
		linesOf(&text, makes(Options{}, program(1)))
		s := program(1)
		if wider == "lane" {
			s.Lanes[0].Name = "a name that is longer"
		} else {
			s.Zones[0].Name = "a name that is longer"
		}
		if got := linesOf(&text, makes(Options{}, s)); !strings.HasPrefix(got[0], "time") {
			t.Errorf("no header although the %s is wider: %q", wider, got[0])
		}
	}
	if again := linesOf(&text, makes(Options{}, program(1))); strings.HasPrefix(again[0], "time") {
		t.Errorf("a header although nothing is wider: %q", again[0])
	}
}

func TestTheColumnOfLanesStaysWhenTheyAreSummedUp(t *testing.T) {
	var text Text
	linesOf(&text, makes(Options{}, program(1)))
	if got := linesOf(&text, makes(Options{}, program(100)))[0]; !strings.HasPrefix(got, "12:00:00            update  ") {
		t.Errorf("%q", got)
	}
	if got := linesOf(&Text{lane: 8}, makes(Options{}, program(100)))[0]; !strings.HasPrefix(got, "time                zone  ") {
		t.Errorf("%q", got)
	}
	s := profile.Snapshot{Elapsed: time.Second, Zones: make([]profile.ZoneInfo, 30), Lanes: make([]profile.LaneStats, 1)}
	for i := range s.Zones {
		s.Lanes[0].Zones = append(s.Lanes[0].Zones, profile.ZoneStats{Zone: i, Calls: 1})
	}
	if got := strings.Join(linesOf(new(Text), makes(Options{}, s)), "\n"); strings.Contains(got, "sums over") {
		t.Errorf("one lane is said to be summed up:\n%s", got)
	}
}

func TestAFewLanesThatFellSilentAreNamed(t *testing.T) {
	for names, want := range map[string]string{"a": "a", "a b c d e": "a, b, c, d, e", "a b c d e f": "a, b, c, d, e and 1 more"} {
		if got := list(strings.Fields(names)); got != want {
			t.Errorf("%s: %q", names, got)
		}
	}
}

func TestWhatMeasuringTookIsSaid(t *testing.T) {
	for share, want := range map[float64]string{0.00009: "less than 0.01 % of any lane's time", 0.0001: "0.01 % of the time of busy, less on other lanes",
		0.081: "8.10 % of the time of busy, less on other lanes"} {
		if got := overhead(&Report{Probe: share, ProbeLane: "busy"}); !strings.HasSuffix(got, "; measuring took "+want) {
			t.Errorf("%v: %q", share, got)
		}
	}
	s := program(1)
	s.EndedTwice = 1
	if got := linesOf(new(Text), makes(Options{}, s)); !strings.HasPrefix(got[len(got)-1], "12:00:00  strobe: a span was ended twice: ") {
		t.Errorf("%q", got)
	}
}

func TestReportsOfManyLanesAreFewLines(t *testing.T) {
	var text Text
	for i := range 3 {
		r := makes(Options{}, program(200*(i+1)))
		r.Silent = make([]string, 5000)
		got := linesOf(&text, r)
		if len(got) > 7 || !strings.Contains(strings.Join(got, "\n"), "4995 more") {
			t.Errorf("%d lines:\n%s", len(got), strings.Join(got, "\n"))
		}
	}
	if got := linesOf(new(Text), makes(Options{Lanes: true}, program(5000))); len(got) > defaultRows+3 || !strings.Contains(got[len(got)-2], "9976 more rows") {
		t.Errorf("%d lines, %q", len(got), got[len(got)-2])
	}
}

func TestSampledZonesAreCalledEstimates(t *testing.T) {
	s := program(1)
	z := &s.Lanes[0].Zones[0]
	z.Calls, z.Timed, z.Histogram = 6400, 100, profile.Histogram{First: 100, Counts: []uint64{50, 0, 0, 0, 50}, NsPerTick: 1}
	z.Max = time.Second
	r := makes(Options{}, s)
	got := linesOf(new(Text), r)[1]
	if want := fmt.Sprintf("  estimate: 100 calls timed, times ± %.2g %%", r.Rows[0].Error*100); !strings.HasSuffix(got, want) || r.Rows[0].Error == 0 {
		t.Errorf("%q, want %q", got, want)
	}
	if p99, _ := r.Rows[0].Stats.Quantile(0.99); !strings.Contains(got, "  "+units.Duration(float64(p99))+"  ") {
		t.Errorf("no p99 of %v in %q", p99, got)
	}
	z.Timed, z.Histogram = 2, profile.Histogram{}
	if got := linesOf(new(Text), makes(Options{}, s))[1]; !strings.HasSuffix(got, "  estimate: 2 calls timed") {
		t.Errorf("%q", got)
	}
}

func TestUnknownValuesAreDashes(t *testing.T) {
	s := program(1)
	s.Lanes[0].Shared = true
	s.Lanes[0].Zones = []profile.ZoneStats{{Open: 2, Total: time.Millisecond, SelfUnknown: true}}
	fields := strings.Fields(linesOf(new(Text), makes(Options{}, s))[1])
	if got := strings.Join(fields[len(fields)-5:], " "); got != "- - - 2 open" {
		t.Errorf("%q", fields)
	}
	// A row that sums up lanes does not know it either if one of the lanes does not.
	other := s.Lanes[0]
	other.ID, other.Shared, other.Zones = 1, false, []profile.ZoneStats{{Calls: 1, Timed: 1, Total: time.Second, Self: time.Second}}
	s.Lanes = append(s.Lanes, other)
	r := makes(Options{Rows: 1}, s)
	fields = strings.Fields(linesOf(new(Text), r)[1])
	if got := fields[7]; r.Lanes != 2 || got != "-" {
		t.Errorf("%+v: %q", r.Lanes, fields)
	}
}

func TestRowsLeftOutMayHaveUnknownSelfTimes(t *testing.T) {
	s := program(1)
	s.Zones = append(s.Zones, s.Zones[0])
	s.Lanes[0].Zones = []profile.ZoneStats{{Zone: 0, Calls: 2, Total: time.Second, Self: time.Second}, {Zone: 1, Calls: 1, Total: time.Millisecond, SelfUnknown: true}}
	lines := linesOf(new(Text), makes(Options{Rows: 1}, s))
	if text := strings.Join(lines, "\n"); !strings.Contains(text, "1 more rows, some with unknown self times;") {
		t.Errorf("%s", text)
	}
}

func TestNotesAreRepeatedWithTheHeaderOrWhenTheyChange(t *testing.T) {
	var text Text
	s := program(2)
	s.Notes = []string{"a note"}
	count, headers := 0, 0
	for range 30 {
		for _, l := range linesOf(&text, makes(Options{}, s)) {
			if strings.HasSuffix(l, "a note") {
				count++
			}
			if strings.HasPrefix(l, "time ") {
				headers++
			}
		}
	}
	if count != headers || headers < 3 || headers > 6 {
		t.Errorf("%d notes and %d headers in 30 reports", count, headers)
	}
	s.Notes = []string{"another"}
	if got := linesOf(&text, makes(Options{}, s)); !strings.HasSuffix(got[len(got)-1], "another") {
		t.Errorf("%q", got)
	}
}

func TestAPageHasAtMostFortyLines(t *testing.T) {
	var text Text
	four, five := program(2), program(2)
	five.Lanes[0].Zones[1] = profile.ZoneStats{Zone: 1, Calls: 1, Timed: 1}
	headers := []int{0, 8, 16}
	for i := range 18 { // each report has four rows and a line, only the eighth has five rows: 7*5 + 5 = 40 lines
		s := four
		if i == 7 {
			s = five
		}
		if got := linesOf(&text, makes(Options{}, s)); strings.HasPrefix(got[0], "time ") != slices.Contains(headers, i) {
			t.Errorf("report %d begins with %q", i, got[0])
		}
	}
}

// hostile is a name with characters that would control a terminal.
var hostile = "\x1b[2J\a\u202e\u2028\u009b" + strings.Repeat("long ", 1<<18)

func TestNamesOfATextMoveNoCursorAndFitIntoALine(t *testing.T) {
	s := program(2)
	s.Zones[0].Name, s.Lanes[0].Name, s.Lanes[1].Name = hostile, hostile, hostile+"!"
	s.Notes, s.Cost = []string{"a note about \x1b[31m"}, 1e9 // so that a warning says that measuring takes too much
	for _, o := range []Options{{Lanes: true}, {Rows: 1}, {Tree: true}, {Tree: true, Lanes: true}} {
		var text Text
		m := &maker{}
		m.o, m.warning = o.withDefaults()
		m.active = map[int]string{9: s.Lanes[0].Name}
		m.make(s, nil)
		for _, line := range append(linesOf(&text, m.make(s, nil)), linesOf(&text, m.make(profile.Snapshot{Elapsed: 1}, nil))...) {
			if n := utf8.RuneCountInString(line); n > 300 {
				t.Errorf("%+v: a line of %d characters: %.100q", o, n, line)
			}
			for _, r := range line {
				if !plain.Is(r) {
					t.Errorf("%+v: %q in %.100q", o, r, line)
				}
			}
		}
	}
	if s.Zones[0].Name != hostile || s.Lanes[0].Name != hostile || s.Notes[0] != "a note about \x1b[31m" {
		t.Error("a report changes the snapshot that it is made from")
	}
}

func TestAPathOfASampledZoneSaysOfWhichCallsItsTimesAre(t *testing.T) {
	s := program(1)
	s.Lanes[0].Nodes[1].Untimed = 80
	var row string
	for _, line := range linesOf(new(Text), makes(Options{Tree: true}, s)) {
		if strings.Contains(line, "timed") {
			row += line
		}
	}
	if !strings.Contains(row, "  100  ") || !strings.HasSuffix(row, "  open  estimate: 20 calls timed, which ms in is of") {
		t.Errorf("%q", row)
	}
}
