// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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
		"12:00:00  strobe: a span costs 20 ns and may be wrong by 3 ns; measuring took less than 0.01 % of any lane's time",
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
	for range 20 { // deeper than what is indented
		n := len(s.Lanes[0].Nodes)
		parent := int32(n - 1)
		if n == 3 {
			parent = 1
		}
		s.Lanes[0].Nodes = append(s.Lanes[0].Nodes, profile.Node{Parent: parent, Zone: 0, Calls: 1, Total: 5})
	}
	text := strings.Join(linesOf(new(Text), makes(Options{Tree: true}, s)), "\n")
	for _, want := range []string{"  update  ", "    draw (wait)  ", "      update  ", " [21] update ", "sums over 40 lanes"} {
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
	for _, line := range got[1:3] { // the columns stand below each other
		if r := []rune(line); r[column+5] != ' ' || r[column+4] == ' ' {
			t.Errorf("column %d of %q", column, line)
		}
	}
	if again := linesOf(&text, makes(Options{}, program(1))); strings.HasPrefix(again[0], "time") {
		t.Errorf("a header although nothing is wider: %q", again[0])
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
	got := linesOf(new(Text), makes(Options{}, s))[1]
	if !strings.Contains(got, "  estimate: 100 calls timed, times ± ") || !strings.HasSuffix(got, " %") {
		t.Errorf("%q", got)
	}
	z.Timed, z.Histogram = 2, profile.Histogram{}
	if got := linesOf(new(Text), makes(Options{}, s))[1]; !strings.HasSuffix(got, "  estimate: 2 calls timed") {
		t.Errorf("%q", got)
	}
}

func TestWhatIsUnknownIsADash(t *testing.T) {
	s := program(1)
	s.Lanes[0].Shared = true
	s.Lanes[0].Zones = []profile.ZoneStats{{Open: 2, Total: time.Millisecond}}
	fields := strings.Fields(linesOf(new(Text), makes(Options{}, s))[1])
	if got := strings.Join(fields[len(fields)-5:], " "); got != "- - - 2 open" {
		t.Errorf("%q", fields)
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

func TestCutKeepsBothEnds(t *testing.T) {
	for in, want := range map[string]string{"short": "short", "exactly ten": "exact… ten", "日本語日本語日本語日本語": "日本語日本…語日本語"} {
		if got := cut(in, 10); got != want || utf8.RuneCountInString(got) > 10 {
			t.Errorf("%q is cut to %q, want %q", in, got, want)
		}
	}
}
