// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/plain"
)

// headline lists the figures that are shown side by side and compared on a terminal. JSON and the page have all figures.
var headline = []string{"avg_fps", "p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps",
	"stddev_ms", "jitter_ms", "stutter_time_share"}

// text prints the report.
func (c *Flags) text(s *session.Session, page report.Page, damage []string) error {
	p := s.Printer()
	if len(page.Captures) == 1 {
		c.single(p, page)
	} else {
		c.beside(p, page)
	}
	for _, d := range damage {
		p.Note("incomplete input: " + plain.Text(d))
	}
	return s.Print(p)
}

// single prints all figures of one capture.
func (c *Flags) single(p *layout.Printer, page report.Page) {
	r := page.Captures[0].Report
	p.Printf("%s\n", p.Bold(plain.Text(page.Captures[0].Name())))
	p.Wrap("", source(r))
	p.Printf("%s, by the definitions of %s\n\n", page.Captures[0].Length(), r.Preset)
	t := layout.Table{Columns: []layout.Column{{Left: true}, {Title: "value"}, {Title: layout.Percent(float64(c.Level)) + " % interval", Left: true}}}
	var reasons []string
	for _, m := range r.Metrics {
		name := m.Name
		if m.By != r.Preset.String() {
			name += " *"
		}
		bounds := report.MetricBounds(m)
		if reason := m.Interval.Reason; reason != "" {
			bounds = strings.TrimSpace(bounds + " " + footnote(&reasons, reason))
		}
		t.Rows = append(t.Rows, []string{name, report.Value(m), bounds})
	}
	p.Table(t)
	p.WriteByte('\n')
	if r.Preset != frames.Strobe {
		p.Wrap("*", fmt.Sprintf("by strobe's definition: %s has no such figure", r.Preset))
	}
	footnotes(p, reasons)
	for _, a := range r.Absent {
		p.Wrap("-", fmt.Sprintf("%s is not available: %s", a.Key, a.Reason))
	}
	if len(r.Scenes) > 0 {
		p.WriteByte('\n')
		p.LeftOut(p.Table(scenesTable(r)))
		p.WriteByte('\n')
	}
	if c.Explain {
		p.Printf("%s\n", p.Bold("definitions"))
		for _, m := range r.Metrics {
			p.Wrap("-", m.Name+": "+m.Definition)
		}
	}
	notes(p, page.Captures)
}

// scenesTable returns a table with a line for each scene and the figures that reviewers print.
func scenesTable(r frames.Report) layout.Table {
	t := layout.Table{Columns: []layout.Column{{Title: "scene"}, {Title: "from"}, {Title: "to"}, {Title: "frames"}}}
	var shown []frames.Metric
	for _, key := range []string{"avg_fps", "p1_fps", "low1_average_fps"} {
		if m, ok := r.Metric(key); ok && len(m.Scenes) > 0 {
			shown = append(shown, m)
			t.Columns = append(t.Columns, layout.Column{Title: m.Name})
		}
	}
	for i, s := range r.Scenes {
		row := []string{fmt.Sprint(i + 1), fmt.Sprintf("%.4g s", s.Start/1e3), fmt.Sprintf("%.4g s", (s.Start+s.Length)/1e3), fmt.Sprint(s.Frames)}
		for _, m := range shown {
			row = append(row, report.Figure(m.Unit, m.Scenes[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func source(r frames.Report) string {
	text := plain.Text(r.File) + ", " + r.Format.String()
	if r.Column != "" {
		text += " " + plain.Text(r.Column)
	}
	return text
}

// beside prints the main figures of several captures in columns, and their differences.
func (c *Flags) beside(p *layout.Printer, page report.Page) {
	p.Wrap("", fmt.Sprintf("%d captures by the definitions of %s, with %s %% intervals", len(page.Captures), page.Captures[0].Report.Preset, layout.Percent(float64(c.Level))))
	names, sides := sidesOf(page.Captures)
	besides(p, names, sides)
	for _, d := range page.Comparisons {
		p.Printf("\n%s\n", p.Bold(fmt.Sprintf("%d less %d", d.Other+1, d.Base+1)))
		differences(p, d)
	}
	p.WriteByte('\n')
	notes(p, page.Captures)
	for _, d := range page.Comparisons {
		for _, w := range d.Warnings {
			p.Note(fmt.Sprintf("%d less %d: %s", d.Other+1, d.Base+1, plain.Text(w)))
		}
	}
	if len(page.Comparisons) == 0 {
		p.Wrap("", "Processes of one file are not compared; --process NAME shows one in full.")
	}
}

// sidesOf returns the headline of captures, numbered from 1, and the names of its lines.
func sidesOf(captures []report.Capture) (names []string, sides []side) {
	names = []string{"", "frames"}
	for i, c := range captures {
		sides = append(sides, side{
			titles: []string{fmt.Sprintf("%d %s", i+1, plain.Text(c.Name())), plain.Text(c.Report.File)},
			cells:  []figure{{fmt.Sprint(c.Report.Frames), c.Lasting()}},
		})
	}
	for _, key := range headline {
		name := ""
		for _, c := range captures {
			if m, ok := c.Report.Metric(key); ok {
				name = m.Name
			}
		}
		if name == "" {
			continue
		}
		names = append(names, name)
		for i, c := range captures {
			shown := figure{value: "-"}
			if m, ok := c.Report.Metric(key); ok {
				shown = figure{report.Value(m), report.Bounds(m.Unit, m.Interval) + report.Bound("≤", "≥", m.Unit, m.Value, m.Interval)}
			}
			sides[i].cells = append(sides[i].cells, shown)
		}
	}
	return names, sides
}

// differences prints a comparison.
func differences(p *layout.Printer, d report.Comparison) {
	var reasons []string
	dropped := p.Table(differenceTable(d.Differences, &reasons))
	footnotes(p, reasons)
	p.LeftOut(dropped)
}
