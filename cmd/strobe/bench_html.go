// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	_ "embed"
	"html/template"
	"io"
	"math"

	"github.com/strobe-go/strobe/internal/units"
)

//go:embed bench.html
var benchPage string

// A plotted is a command on the page: every run a dot, by when it ran from left to right, by what it took from bottom to top.
type plotted struct {
	Name, Mean, Range, Ratio, Verdict string
	Runs                              int
	Notes                             []string
	Dots                              []dot
	Lo, Center, Hi                    float64 // of the interval, on the scale of the dots
}

type dot struct{ X, Y float64 }

// The plot's size.
const plotWidth, plotHeight = 600.0, 120.0

func exportHTML(w io.Writer, b *benchRun, _ bool) error {
	page, err := template.New("page").Parse(benchPage)
	if err != nil {
		return err
	}
	top := 0.0 // one scale for all
	for _, j := range b.jobs {
		for _, r := range j.runs {
			top = max(top, float64(r.Wall))
		}
	}
	height := func(ns float64) float64 { return math.Round(10*plotHeight*(1-min(1, ns/(1.05*top)))) / 10 }
	all := b.comparisons()
	var data struct {
		Title  string
		Top    string
		W, H   float64
		Parts  []plotted
		Gate   *gateObject
		Failed string
	}
	data.Title, data.Top, data.W, data.H, data.Gate = "strobe bench", units.Duration(1.05*top), plotWidth, plotHeight, b.gate()
	if b.failed != nil {
		data.Failed = b.failed.Error()
	}
	for i, j := range b.jobs {
		p := plotted{Name: j.name, Runs: len(j.runs)}
		if i > 0 {
			p.Ratio, p.Verdict = ratioText(all[i-1].Ratio), verdictText(all[i-1])
		}
		if p.Runs > 0 {
			f := j.figures()
			p.Mean, p.Range, p.Notes = inTime(f.mean), units.Duration(f.min)+" to "+units.Duration(f.max), f.notes
			for k, r := range j.runs {
				p.Dots = append(p.Dots, dot{math.Round(10*plotWidth*(float64(k)+0.5)/float64(p.Runs)) / 10, height(float64(r.Wall))})
			}
			p.Center, p.Lo, p.Hi = height(f.mean.Center), height(max(0, f.mean.Lo)), height(f.mean.Hi)
		}
		data.Parts = append(data.Parts, p)
	}
	return page.Execute(w, data)
}
