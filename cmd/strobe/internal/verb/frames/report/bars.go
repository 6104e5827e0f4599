// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/stat"
)

// bars are the figures that reviewers print, with one row for each capture or group.
type bars struct {
	Figures []string `json:"figures"`
	Rows    []barRow `json:"rows"`
}

type barRow struct {
	Name   string `json:"name"`
	Colour int    `json:"colour"`
	Bars   []bar  `json:"bars"`
}

// A bar ends at Value. Lo and Hi are equal if there is no interval; Lo is 0 if only an upper bound is known.
type bar struct {
	Value float64 `json:"v"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Text  string  `json:"text"`
}

// barKeys returns the figures that reviewers print side by side.
func barKeys() []string { return []string{"avg_fps", "low1_average_fps", "low01_average_fps"} }

// barsOf returns a row for each group, or for each capture if there are no groups.
func barsOf(p Page, captures []shown) (b bars) {
	for _, key := range barKeys() {
		if m, ok := captures[0].Report.Metric(key); ok {
			b.Figures = append(b.Figures, m.Name)
		}
	}
	for k, g := range p.Groups {
		row := barRow{Name: g.Name, Colour: k}
		for _, key := range barKeys() {
			for _, f := range g.Figures {
				if f.Key == key {
					row.Bars = append(row.Bars, barOf(f.Value, f.Interval))
				}
			}
		}
		b.Rows = append(b.Rows, row)
	}
	if len(b.Rows) > 0 {
		return b
	}
	for _, c := range captures {
		row := barRow{Name: c.Label, Colour: c.Colour}
		for _, key := range barKeys() {
			if m, ok := c.Report.Metric(key); ok {
				row.Bars = append(row.Bars, barOf(m.Value, m.Interval))
			}
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

func barOf(value float64, iv stat.Interval) bar {
	m := frames.Metric{Unit: frames.FPS, Value: value, Text: strconv.FormatFloat(value, 'f', 1, 64), Interval: iv}
	text := Value(m) + "  " + MetricBounds(m)
	x := bar{Value: page.Rounded(value), Lo: page.Rounded(value), Hi: page.Rounded(value), Text: strings.TrimSpace(strings.ReplaceAll(text, " fps", ""))}
	switch lower, upper := sides(iv); {
	case lower && upper:
		x.Lo, x.Hi = page.Rounded(iv.Lo), page.Rounded(iv.Hi)
	case upper:
		x.Lo, x.Hi = 0, page.Rounded(iv.Hi)
	case lower:
		x.Lo = page.Rounded(iv.Lo)
	}
	return x
}
