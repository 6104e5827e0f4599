// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	_ "embed"
	"io"
	"math"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/page"
)

//go:embed bench.html
var body string

//go:embed bench.js
var script string

// A pageCommand is a command in the body of the page.
type pageCommand struct {
	Name, Mean, Median, Range, Ratio, Verdict string
	Runs                                      int
	Notes                                     []string
}

// A pagePlot is a command as the script draws it. Times are in ns.
type pagePlot struct {
	Times  []float64 `json:"times"`
	Lo     float64   `json:"lo"` // of the mean's interval; equal to Hi where there is none
	Center float64   `json:"center"`
	Hi     float64   `json:"hi"`
}

// A pageRatio is a comparison with the first command, as the script draws it.
type pageRatio struct {
	Command int     `json:"command"` // which one, from 0
	Name    string  `json:"name"`
	Lo      float64 `json:"lo"`
	Center  float64 `json:"center"`
	Hi      float64 `json:"hi"`
	Text    string  `json:"text"`
	Verdict string  `json:"verdict"`
}

func exportHTML(w io.Writer, b *measurement, _ bool) error {
	var view struct {
		Level, Failed, Shell string
		Commands             []pageCommand
		Ratios               bool
		Gate                 *gate.Gate
	}
	var data struct {
		Commands []pagePlot  `json:"commands"`
		Ratios   []pageRatio `json:"ratios,omitempty"` // those that have an interval
		Limit    float64     `json:"limit,omitempty"`  // ratio up to which the gate passes
	}
	view.Level, view.Gate = "95", b.gate()
	if b.failed != nil {
		view.Failed = b.failed.Error()
	}
	if view.Gate != nil {
		data.Limit = 1 + view.Gate.Limit
	}
	if b.shell != nil {
		view.Shell = b.shell.note(b.flags, math.Inf(1))
	}
	all := b.comparisons()
	for i, j := range b.jobs {
		c, plot := pageCommand{Name: j.name, Runs: len(j.runs)}, pagePlot{Times: j.walls()}
		if i > 0 {
			c.Ratio, c.Verdict = ratioText(all[i-1].Ratio), verdictText(all[i-1])
			if iv := all[i-1].Ratio; iv.Bounded() {
				data.Ratios = append(data.Ratios, pageRatio{i, j.name, iv.Lo, iv.Center, iv.Hi, c.Ratio, c.Verdict})
			}
		}
		if c.Runs > 0 {
			f := j.figures()
			c.Mean, c.Median, c.Range, c.Notes = b.flags.inTime(f.mean), b.flags.duration(f.median), b.flags.duration(f.min)+" to "+b.flags.duration(f.max), f.notes
			plot.Center = f.mean.Center
			if f.mean.Bounded() {
				plot.Lo, plot.Hi, view.Level = f.mean.Lo, f.mean.Hi, layout.Percent(f.mean.Level)
			}
		}
		view.Commands, data.Commands = append(view.Commands, c), append(data.Commands, plot)
	}
	view.Ratios = len(data.Ratios) > 0
	text, err := markup.Of(body, view)
	if err != nil {
		return err
	}
	return page.Write(w, page.Page{Title: "strobe bench", Version: session.Version(), Body: text, Data: data, Script: script})
}
