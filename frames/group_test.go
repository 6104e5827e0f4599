// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// runs returns captures of one configuration. The frame times of a run are multiplied by a random factor with the given
// deviation.
func runs(r *rand.Rand, n int, factor, scatter float64) (g Group) {
	for range n {
		g.Runs = append(g.Runs, Capture{Frames: faster(autoregressive(600, 0.5, r.Uint64()), factor*(1+scatter*r.NormFloat64()))})
	}
	return g
}

func anyClear(differences []Difference) bool {
	return slices.ContainsFunc(differences, func(d Difference) bool { return d.Clear })
}

func TestGroupsThatDifferOnlyBetweenRunsAreNotToldApart(t *testing.T) {
	if testing.Short() {
		t.Skip("compares 200 pairs of groups")
	}
	r := rand.New(rand.NewPCG(1, 1))
	o := Options{Resamples: -1}
	const pairs = 200
	for _, n := range []int{3, 5} {
		clear, single, covered := 0, 0, 0
		for range pairs {
			base, other := runs(r, n, 1, 0.03), runs(r, n, 1, 0.03)
			c, err := CompareGroups(base, other, o)
			if err != nil {
				t.Fatal(err)
			}
			if anyClear(c.Differences) {
				clear++
			}
			if anyClear(CompareReports(c.Base.Runs[0], c.Other.Runs[0]).Differences) {
				single++
			}
			for _, d := range c.Differences {
				if d.Key == "mean_ms" && d.Interval.Lo <= 0 && 0 <= d.Interval.Hi {
					covered++
				}
			}
		}
		t.Logf("%d runs a group: %d of %d pairs have a clear figure, %d by one run each", n, clear, pairs, single)
		if clear > pairs*7/100 || covered < pairs*91/100 {
			t.Errorf("%d runs a group: %d of %d pairs have a clear figure, %d intervals cover no difference", n, clear, pairs, covered)
		}
		if single < pairs/4 {
			t.Errorf("single runs are called different in %d of %d pairs: the simulation has no drift", single, pairs)
		}
	}
}

func TestGroupsThatDifferAreToldApart(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	base, other := runs(r, 5, 1, 0.01), runs(r, 5, 0.9, 0.01)
	base.Name, other.Name = "old", "new"
	c, err := CompareGroups(base, other, Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Differences {
		if d.Key != "avg_fps" {
			continue
		}
		if !d.Clear || d.Value < 9 || d.Value > 13 || d.Interval.Lo > d.Value || d.Interval.Hi < d.Value || d.Interval.Lo < 6 {
			t.Errorf("%+v", d)
		}
	}
	f := c.Base.Figures[0]
	if f.Key != "avg_fps" || len(f.Runs) != 5 || math.Abs(f.Value-exactSum(f.Runs)/5) > 1e-9 || f.Interval.Level != 0.95 || f.Interval.N != 5 {
		t.Errorf("%+v", f)
	}
	if len(c.Warnings) != 0 || c.Base.Name != "old" || c.Other.Name != "new" {
		t.Errorf("%q", c.Warnings)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func TestGroupsOfOneRunSayWhatIsMissing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	one, three := runs(r, 1, 1, 0), runs(r, 3, 1, 0)
	c, err := CompareGroups(one, three, Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	if anyClear(c.Differences) || c.Differences[0].Interval.Reason != "needs two runs or more of each group" || c.Base.Figures[0].Interval.Reason == "" ||
		c.Other.Figures[0].Interval.Reason != "" || len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "has 1 runs") {
		t.Errorf("%+v, %q", c.Differences[0], c.Warnings)
	}
	for _, bad := range [][2]Group{{{}, three}, {three, {}}, {{Runs: []Capture{{}}}, three}} {
		if _, err := CompareGroups(bad[0], bad[1], Options{}); err == nil {
			t.Errorf("%+v was compared", bad)
		}
	}
	c, err = CompareGroups(three, three, Options{Level: -1})
	if err != nil || c.Differences[0].Interval.Reason != "none was asked for" || anyClear(c.Differences) {
		t.Errorf("%v: %+v", err, c.Differences[0])
	}
	three.Runs[1].Column = "x"
	three.Runs[0].Column = "y"
	if c, _ = CompareGroups(three, one, Options{Resamples: -1}); !strings.Contains(strings.Join(c.Warnings, " "), "different things: y and ") {
		t.Errorf("%q", c.Warnings)
	}
}

// What varies within runs is not known if they have no intervals, which is not the same as 0.
func TestWhatVariesWithinRunsIsKnownOrHasAReason(t *testing.T) {
	noise := Group{Runs: []Capture{{Frames: autoregressive(600, 0.5, 1)}, {Frames: autoregressive(600, 0.5, 2)}}}
	same := Group{Runs: []Capture{{Frames: slices.Repeat([]float64{16}, 600)}, {Frames: slices.Repeat([]float64{16}, 600)}}}
	for _, c := range []struct {
		name  string
		group Group
		o     Options
		want  string
	}{
		{"noise", noise, Options{}, "known, above 0"},
		{"frames that do not vary", same, Options{}, "known, 0"},
		{"no intervals", noise, Options{Level: -1}, "not known: none was asked for"},
	} {
		r, err := AnalyzeGroup(c.group, c.o)
		if err != nil {
			t.Fatal(err)
		}
		within, got := r.Figures[0].Within, "known, 0"
		switch {
		case !within.Known():
			got = "not known: " + within.Reason
		case within.Center > 0:
			got = "known, above 0"
		}
		text, err := json.Marshal(r.Figures[0])
		if got != c.want || err != nil || strings.Contains(string(text), `"within_run":{"center"`) != within.Known() {
			t.Errorf("%s: %s is %s, want %s: %s", c.name, r.Figures[0].Key, got, c.want, text)
		}
		for _, f := range r.Figures {
			if f.Within.Known() == (f.Within.N == 0) || f.Within.Reason == "" {
				t.Errorf("%s: %s %+v", c.name, f.Key, f.Within)
			}
		}
	}
}

func TestIntervalsOfGroupsAreNotNegative(t *testing.T) {
	g := Group{Runs: []Capture{{Frames: faster(autoregressive(600, 0.5, 1), 1)}, {Frames: faster(autoregressive(600, 0.5, 2), 5)}}}
	r, err := AnalyzeGroup(g, Options{Resamples: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Figures {
		if f.Interval.Level > 0 && f.Unit != NoUnit && (f.Interval.Lo < 0 || f.Interval.Lo > f.Value) {
			t.Errorf("%+v", f)
		}
	}
	if f := r.Figures[0]; f.Key != "avg_fps" || f.Interval.Lo != 0 {
		t.Errorf("two runs that differ five times: %+v", f)
	}
}

func TestFiguresAreWidenedToWhatVariesWithinRuns(t *testing.T) {
	for _, c := range []struct {
		runs         []float64
		within, want float64 // standard deviations
	}{
		{[]float64{60, 60, 60, 60}, 2, 2},
		{[]float64{60, 60, 60, 60, 60}, 2, 2},
		{[]float64{59, 60, 61}, 3, 3},
		{[]float64{59, 60, 61}, 0.5, 1}, // runs differ by more
		{[]float64{59, 60, 61}, 0, 1},
		{[]float64{60}, 2, 0},
	} {
		f := GroupFigure{Runs: slices.Clone(c.runs), Within: stat.Point(c.within, 2, "", "")}
		got := f.Widened()
		var squares float64
		for _, x := range got {
			squares += (x - 60) * (x - 60)
		}
		sd := math.Sqrt(squares / max(1, float64(len(got)-1)))
		if len(got) != len(c.runs) || !near(1+sd, 1+c.want, 12) || !slices.IsSorted(got) || !near(exactSum(got), 60*float64(len(got)), 12) {
			t.Errorf("%v within %v: %v, standard deviation %v, want %v", c.runs, c.within, got, sd, c.want)
		}
		if !slices.Equal(f.Runs, c.runs) {
			t.Errorf("the runs have changed: %v", f.Runs)
		}
	}
}
