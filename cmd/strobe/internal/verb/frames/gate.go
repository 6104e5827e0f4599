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
// headline, by the ratio of their geometric means over the runs. Its intervals hold together with a probability of 95 %.
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
		if d := stat.Compare(logs(x.other.Widened()), logs(x.base.Widened()), level).MeanDifference; d.Level > 0 {
			ratio := d // of the time a frame takes
			ratio.Center, ratio.Lo, ratio.Hi = math.Exp(d.Center), math.Exp(d.Lo), math.Exp(d.Hi)
			outcome, reason = bench.Gate(bench.Comparison{Base: p.Groups[0].Name, Other: x.name, Ratio: ratio}, limit)
			reason = strings.ReplaceAll(reason, "rounds", "runs")
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

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Log(max(v, 1e-3)) // widened ones may not be positive
	}
	return out
}
