// SPDX-License-Identifier: BSD-3-Clause

package main

import "github.com/strobe-go/strobe/stat"

// A compareObject is the JSON of strobe compare. What is not known is absent.
type compareObject struct {
	Schema  int           `json:"schema"`
	Base    string        `json:"base"`
	Other   string        `json:"other"`
	Results []compareLine `json:"results"`
	Alone   []string      `json:"alone,omitempty"` // benchmarks of one file only
	Gate    *gateObject   `json:"gate,omitempty"`
}

type compareLine struct {
	Package  string         `json:"package,omitempty"`
	Name     string         `json:"name"`
	Unit     string         `json:"unit"`
	Base     compareSide    `json:"base"`
	Other    compareSide    `json:"other"`
	Delta    *float64       `json:"delta,omitempty"` // share by which the median changed
	P        *float64       `json:"p,omitempty"`     // Mann-Whitney
	Ratio    *stat.Interval `json:"ratio,omitempty"` // Hodges-Lehmann
	Verdict  string         `json:"verdict"`
	Warnings []string       `json:"warnings,omitempty"`
}

type compareSide struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
}

func compareJSON(c *compareCmd, lines []line, alone []string, g *gateObject) compareObject {
	o := compareObject{Schema: schema, Base: c.Old, Other: c.New, Alone: alone, Gate: g}
	for i := range lines {
		l := &lines[i]
		a, b := l.medians()
		x := compareLine{Package: l.pkg, Name: l.name, Unit: l.unit, Base: compareSide{len(l.base), a}, Other: compareSide{len(l.other), b},
			Verdict: l.verdict(), Warnings: l.level.Warnings}
		if d, ok := l.delta(); ok {
			x.Delta = &d
		}
		if !l.exact {
			x.P = &l.level.P
		}
		if l.level.Ratio.Level > 0 {
			x.Ratio = &l.level.Ratio
		}
		o.Results = append(o.Results, x)
	}
	return o
}
