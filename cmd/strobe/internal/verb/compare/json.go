// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
)

// A compareObject is the JSON of strobe compare.
type compareObject struct {
	Schema  int           `json:"schema"`            // version of this format
	Base    string        `json:"base"`              // name of the first file
	Other   string        `json:"other"`             // name of the second file
	Results []compareLine `json:"results"`           // benchmarks that both files have, by unit
	Alone   []string      `json:"alone,omitempty"`   // benchmarks that one file alone has
	Skipped []string      `json:"skipped,omitempty"` // lines that could not be read, with file, line and reason
	Gate    *gate.Gate    `json:"gate,omitempty"`    // with --gate
}

type compareLine struct {
	Package  string         `json:"package,omitempty"`  // package of the benchmark
	Name     string         `json:"name"`               // name of the benchmark, without "Benchmark"
	Unit     string         `json:"unit"`               // such as sec/op
	Base     compareSide    `json:"base"`               // its values in the first file
	Other    compareSide    `json:"other"`              // its values in the second file
	Delta    *float64       `json:"delta,omitempty"`    // relative change of the median; absent from 0 to something else
	P        *float64       `json:"p,omitempty"`        // p-value of the Mann-Whitney test
	Ratio    *stat.Interval `json:"ratio,omitempty"`    // ratio of the second to the first, by Hodges and Lehmann
	Verdict  string         `json:"verdict"`            // faster, slower, lower, higher, same or inconclusive
	Warnings []string       `json:"warnings,omitempty"` // why the figures may be wrong
}

type compareSide struct {
	N      int     `json:"n"`      // number of values
	Median float64 `json:"median"` // in the unit
}

func (c *Flags) object(lines []line, alone, skipped []string, g *gate.Gate) compareObject {
	o := compareObject{Schema: session.Schema, Base: c.Old, Other: c.New, Alone: alone, Skipped: skipped, Gate: g}
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
