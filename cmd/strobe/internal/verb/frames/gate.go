// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/stat"
)

// judge returns what the gate says of all groups beside the first, nil if none was asked for. It judges the frame rates of the
// headline, by the ratio of their geometric means over the runs. That any fails holds for all together with 95 % confidence, that
// one passes for that one.
func (f *Flags) judge(p report.Page) *gate.Gate {
	if f.Gate == nil {
		return nil
	}
	limit := float64(*f.Gate)
	g := gate.New(limit)
	type pair struct {
		name        string
		base, other frames.GroupFigure
	}
	var pairs []pair
	for _, c := range p.GroupComparisons {
		for _, x := range p.Groups[c.Base].Figures {
			for _, y := range p.Groups[c.Other].Figures {
				if x.Key == y.Key && x.Unit == frames.FPS && slices.Contains(headline, x.Key) {
					pairs = append(pairs, pair{p.Groups[c.Other].Name + ", " + x.Name, x, y})
				}
			}
		}
	}
	level := 1 - 0.05/float64(max(1, len(pairs)))
	passed := 0
	for _, x := range pairs {
		outcome, reason := bench.Undecided, x.name+": needs two runs or more of each group"
		if c, ok := compareTimes(p.Groups[0].Name, x.name, x.base, x.other, level); ok {
			outcome, reason = bench.Gate(c, limit)
			reason = strings.ReplaceAll(reason, "rounds", "runs")
		}
		// That all pass is a claim about each, so it is tested at 5 % alone, on one side (Berger 1982).
		if c, ok := compareTimes(p.Groups[0].Name, x.name, x.base, x.other, 0.9); ok && outcome == bench.Undecided {
			if alone, _ := bench.Gate(c, limit); alone == bench.Passed {
				outcome = alone
			}
		}
		if outcome == bench.Passed {
			passed++
			continue
		}
		g.Add(outcome, reason)
	}
	if len(pairs) == 0 {
		g.Add(bench.Undecided, "the groups have no frame rate in common")
	} else if passed > 0 {
		g.Add(bench.Passed, fmt.Sprintf("%d of %d frame rates are not worse by more than %g %%", passed, len(pairs), 100*limit))
	}
	return g
}

// compareTimes compares the times that frames take by a figure of two groups. It reports false if there are too few runs.
func compareTimes(base, name string, x, y frames.GroupFigure, level float64) (bench.Comparison, bool) {
	d := stat.Compare(logs(y.Widened()), logs(x.Widened()), level).MeanDifference
	ratio := d
	ratio.Center, ratio.Lo, ratio.Hi = math.Exp(d.Center), math.Exp(d.Lo), math.Exp(d.Hi)
	return bench.Comparison{Base: base, Other: name, Ratio: ratio}, d.Level > 0
}

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Log(max(v, 1e-3)) // widened ones may not be positive
	}
	return out
}
