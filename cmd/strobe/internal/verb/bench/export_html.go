// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	_ "embed"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/page"
)

//go:embed bench.html
var body string

//go:embed bench.js
var script string

// A pageCommand is a command as the body of the page shows it.
type pageCommand struct {
	Name, Mean, Median, Range, Ratio, Verdict string
	Runs                                      int
	Notes                                     []string
}

// A pagePlot is a command as the script draws it, in ns.
type pagePlot struct {
	Times  []float64 `json:"times"`
	Lo     float64   `json:"lo"` // of the mean's interval; equal to Hi where there is none
	Center float64   `json:"center"`
	Hi     float64   `json:"hi"`
}

func exportHTML(w io.Writer, b *measurement, _ bool) error {
	var view struct {
		Level, Failed string
		Commands      []pageCommand
		Gate          *gate.Gate
	}
	var data struct {
		Commands []pagePlot `json:"commands"`
	}
	view.Level, view.Gate = "95", b.gate()
	if b.failed != nil {
		view.Failed = b.failed.Error()
	}
	all := b.comparisons()
	for i, j := range b.jobs {
		c, plot := pageCommand{Name: j.name, Runs: len(j.runs)}, pagePlot{Times: j.walls()}
		if i > 0 {
			c.Ratio, c.Verdict = ratioText(all[i-1].Ratio), verdictText(all[i-1])
		}
		if c.Runs > 0 {
			f := j.figures()
			c.Mean, c.Median, c.Range, c.Notes = b.flags.inTime(f.mean), b.flags.duration(f.median), b.flags.duration(f.min)+" to "+b.flags.duration(f.max), f.notes
			plot.Center = f.mean.Center
			if f.mean.Level > 0 {
				plot.Lo, plot.Hi, view.Level = f.mean.Lo, f.mean.Hi, layout.Percent(f.mean.Level)
			}
		}
		view.Commands, data.Commands = append(view.Commands, c), append(data.Commands, plot)
	}
	return page.Write(w, page.Page{Title: "strobe bench", Version: session.Version(), Body: body, View: view, Data: data, Script: script})
}
