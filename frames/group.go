// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/stat"
	statsample "github.com/strobe-go/strobe/stat/sample"
)

// Group is several runs of one configuration. A perf.Group is a set of counters.
type Group struct {
	Name string    // such as "driver 1.2"
	Runs []Capture // in any order
}

// GroupReport is what the runs of a group have in common. A run is the unit: an interval is that of the mean over runs. It is
// computed from how much they differ or, if they differ by less than the intervals of single runs allow, from those: two runs may
// have the same figure by chance.
type GroupReport struct {
	Name    string        `json:"name"`
	Runs    []Report      `json:"runs"`
	Figures []GroupFigure `json:"figures"` // those that every run has
}

// GroupFigure is one figure over the runs of a group.
type GroupFigure struct {
	Key   string    `json:"key"`   // as in Metric
	Name  string    `json:"name"`  // as in Metric
	Unit  Unit      `json:"unit"`  // as in Metric
	Value float64   `json:"value"` // mean over the runs
	Runs  []float64 `json:"runs"`  // the figure of each run
	// Within is how much the figure of one run would differ from that of another if only chance within a run were at work: a standard
	// deviation, in the unit of the figure, by the intervals of the runs. It has no interval of its own, and is not known if no run
	// has one.
	Within stat.Interval `json:"within_run"`

	// Interval of the value, or the reason why it has none.
	Interval stat.Interval `json:"interval"`
}

// GroupComparison is the result of comparing two groups.
type GroupComparison struct {
	Base        GroupReport  `json:"base"`
	Other       GroupReport  `json:"other"`
	Differences []Difference `json:"differences"` // of all figures that both have
	Warnings    []string     `json:"warnings,omitempty"`
}

// AnalyzeGroup reports on the runs of a group. It fails as [Analyze] does, and if the group has no runs. Safe for concurrent use.
func AnalyzeGroup(g Group, o Options) (GroupReport, error) {
	r := GroupReport{Name: g.Name}
	if len(g.Runs) == 0 {
		return r, errors.New("frames: group " + plain.Name(g.Name, plain.Longest) + " has no runs")
	}
	for _, c := range g.Runs {
		run, err := Analyze(c, o)
		if err != nil {
			return GroupReport{}, err
		}
		r.Runs = append(r.Runs, run)
	}
	for _, m := range r.Runs[0].Metrics {
		if f, ok := r.figure(m); ok && m.Key != "n_eff" { // it describes one run, not the configuration
			r.Figures = append(r.Figures, f)
		}
	}
	return r, nil
}

// figure collects the figure m of every run; ok is false if a run lacks it.
func (r *GroupReport) figure(m Metric) (f GroupFigure, ok bool) {
	f = GroupFigure{Key: m.Key, Name: m.Name, Unit: m.Unit}
	var squares float64
	var known uint64
	for i := range r.Runs {
		x, ok := r.Runs[i].Metric(m.Key)
		if !ok {
			return f, false
		}
		f.Runs = append(f.Runs, x.Value)
		if variance, ok := x.variance(); ok {
			squares, known = squares+variance, known+1
		}
	}
	if f.Within = stat.Unknown(cmp.Or(m.Interval.Reason, "the runs have no interval")); known > 0 {
		f.Within = stat.Point(math.Sqrt(squares/float64(known)), known, "intervals of the runs", "it is itself a measure of uncertainty")
	}
	level := r.Runs[0].Options.Level
	if level < 0 {
		level = 0
	}
	iv := statsample.Mean(f.Widened(), level, statsample.StudentT)
	f.Value = iv.Center
	none := func(reason string) { f.Interval = stat.Point(f.Value, iv.N, iv.Method, reason) }
	switch {
	case r.Runs[0].Options.Level < 0:
		none("none was asked for")
	case !iv.Bounded():
		none("one run: how much runs differ is unknown")
	case m.Interval.Reason == noExtreme:
		none(noExtreme)
	default:
		if f.Interval = iv; f.Unit != NoUnit {
			f.Interval.Lo = max(iv.Lo, min(f.Value, 0)) // rates, times and shares are not negative
		}
	}
	return f, true
}

// variance returns the variance of a figure within a run, derived from its bounds; ok is false if it has none. Differences between
// the scenes of a run are not part of it.
func (m *Metric) variance() (v float64, ok bool) {
	x := *m
	x.Scenes = nil
	below, above := x.errors(0.95) // without scenes the level does not matter
	switch {
	case m.Interval.Bounded():
		above = (below + above) / 2
	case atLeast(m.Interval):
		above = below
	case !atMost(m.Interval):
		return 0, false
	}
	return above * above, true
}

// Widened returns the figures of the runs, moved away from their mean until their standard deviation is at least Within: what to
// give to a test over runs.
func (f *GroupFigure) Widened() []float64 {
	n := float64(len(f.Runs))
	mean := exactSum(f.Runs) / n
	var squares float64
	for _, x := range f.Runs {
		squares += (x - mean) * (x - mean)
	}
	least := (n - 1) * f.Within.Center * f.Within.Center
	if n < 2 || squares >= least {
		return f.Runs
	}
	from, factor := f.Runs, math.Sqrt(least/squares)
	if squares <= least*1e-18 { // all runs are equal
		from, squares = make([]float64, len(f.Runs)), 0
		for i := range from {
			from[i] = mean + float64(i) - (n-1)/2
			squares += (from[i] - mean) * (from[i] - mean)
		}
		factor = math.Sqrt(least / squares)
	}
	out := make([]float64, len(from))
	for i, x := range from {
		out[i] = mean + (x-mean)*factor
	}
	return out
}

// Compare compares another group with r; both must have been analyzed with the same options.
//
// Differences are those of the means over runs, by Welch's t test over the runs, so what differs from run to run is in their
// intervals. Record the runs of both groups in turns, so that the intervals also include slow changes, such as those of
// temperature. Frames within a run do not count as independent, however many there are. Differences that are clear are so for all
// figures together, as in [Compare].
func (r GroupReport) Compare(other GroupReport) GroupComparison {
	c := GroupComparison{Base: r, Other: other}
	level := r.Runs[0].Options.Level
	var keys []string
	var chances []float64
	var again []func(level float64) stat.Interval // returns the interval at another level; nil if there is none
	for _, x := range r.Figures {
		for _, y := range other.Figures {
			if x.Key != y.Key {
				continue
			}
			d := Difference{Key: x.Key, Name: x.Name, Unit: x.Unit, Base: x.Value, Other: y.Value, Value: y.Value - x.Value}
			chance, at := 1.0, (func(level float64) stat.Interval)(nil)
			switch test := stat.Compare(x.Widened(), y.Widened(), max(level, 0)); {
			case level < 0, x.Interval.Reason != "" && len(x.Runs) > 1:
				d.Interval = stat.Point(d.Value, uint64(len(x.Runs)+len(y.Runs)), test.MeanDifference.Method, x.Interval.Reason)
			case !test.MeanDifference.Bounded():
				d.Interval = stat.Point(d.Value, uint64(len(x.Runs)+len(y.Runs)), test.MeanDifference.Method, "needs two runs or more of each group")
			default:
				chance = test.WelchP
				at = func(level float64) stat.Interval { return stat.Compare(x.Widened(), y.Widened(), level).MeanDifference }
			}
			c.Differences = append(c.Differences, d)
			keys, chances, again = append(keys, d.Key), append(chances, chance), append(again, at)
		}
	}
	for i, by := range judge(keys, chances, 1-level) {
		if c.Differences[i].Clear = by.clear; again[i] != nil {
			c.Differences[i].Interval = again[i](by.level)
		}
	}
	for _, g := range []GroupReport{r, other} {
		if n := len(g.Runs); n < fewestRuns {
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s has %d runs: with fewer than %d only large differences can be clear", plain.Name(g.Name, plain.Longest), n, fewestRuns))
		}
	}
	if short, long := lengths(r.Runs, other.Runs); long > 2*short {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the runs have from %d to %d frames: figures of the slow end depend on the length of a run", short, long))
	}
	if a, b := r.Runs[0].Column, other.Runs[0].Column; a != b {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the groups measure different things: %s and %s", a, b))
	}
	return c
}

// lengths returns the least and the greatest number of frames of a run.
func lengths(groups ...[]Report) (short, long int) {
	short = groups[0][0].Frames
	for _, runs := range groups {
		for _, r := range runs {
			short, long = min(short, r.Frames), max(long, r.Frames)
		}
	}
	return short, long
}

// fewestRuns is the number of runs from which Student's t no longer shrinks fast.
const fewestRuns = 4

// CompareGroups is [AnalyzeGroup] of both and [GroupReport.Compare].
func CompareGroups(base, other Group, o Options) (GroupComparison, error) {
	a, err := AnalyzeGroup(base, o)
	if err != nil {
		return GroupComparison{}, err
	}
	b, err := AnalyzeGroup(other, o)
	if err != nil {
		return GroupComparison{}, err
	}
	return a.Compare(b), nil
}
