// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// judge returns the gate's decision on all groups but the first; nil without a gate. It judges the frame rates of the headline by
// the ratio of their geometric means over the runs.
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
	passed := g.Judge(len(pairs), float64(f.Level), func(i int, error float64) (decide.Outcome, string) {
		x := pairs[i]
		c, ok := compareTimes(p.Groups[0].Name, x.name, x.base, x.other, 1-2*error)
		if !ok {
			return decide.Undecided, x.name + ": needs two runs or more of each group"
		}
		return bench.Gate(c, limit)
	})
	if len(pairs) == 0 {
		g.Add(decide.Undecided, "the groups have no frame rate in common")
	} else if passed > 0 {
		g.Add(decide.Passed, fmt.Sprintf("%d of %d frame rates are not worse by more than %g %%", passed, len(pairs), 100*limit))
	}
	return g
}

// compareTimes compares the times that frames take by a figure of two groups. It reports false if there are too few runs.
func compareTimes(base, name string, x, y frames.GroupFigure, level float64) (bench.Comparison, bool) {
	d := stat.Compare(logs(y.Widened()), logs(x.Widened()), level).MeanDifference
	ratio := d
	ratio.Center, ratio.Lo, ratio.Hi = math.Exp(d.Center), math.Exp(d.Lo), math.Exp(d.Hi)
	return bench.Comparison{Base: base, Other: name, Ratio: ratio, Apart: true}, d.Bounded()
}

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Log(max(v, 1e-3)) // widened values may not be positive
	}
	return out
}
