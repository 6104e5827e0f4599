// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

// A compareObject is the JSON of strobe compare.
type compareObject struct {
	Schema   int           `json:"schema"`             // version of this format
	Base     string        `json:"base"`               // the first column, usually the first file
	Other    string        `json:"other"`              // the second column
	Columns  []string      `json:"columns"`            // all columns; every other is compared with the first
	Results  []compareLine `json:"results"`            // rows that the first column and another have, by unit
	Geomeans []compareMean `json:"geomeans"`           // geometric means of the results of each table, unit and column
	Alone    []string      `json:"alone,omitempty"`    // benchmarks that only one of two columns has
	Skipped  []string      `json:"skipped,omitempty"`  // lines that could not be read, with file, line and reason
	Failures []string      `json:"failures,omitempty"` // lines that report a failure, with file and line
	Notes    []string      `json:"notes,omitempty"`    // limitations of how results were combined
	Gate     *gate.Gate    `json:"gate,omitempty"`     // with --gate
}

type compareLine struct {
	Package  string            `json:"package,omitempty"`  // package of the benchmark
	Config   map[string]string `json:"config,omitempty"`   // other keys that distinguish its table
	Name     string            `json:"name"`               // name of the row: the benchmark's name without "Benchmark"
	Unit     string            `json:"unit"`               // such as sec/op
	Column   string            `json:"column"`             // the column that is compared with the first
	Base     compareSide       `json:"base"`               // values in the first column
	Other    compareSide       `json:"other"`              // values in the column
	Delta    *float64          `json:"delta,omitempty"`    // relative change of the median; absent from 0 to something else
	P        *float64          `json:"p,omitempty"`        // p-value of the Mann-Whitney test; absent if values do not vary
	Ratio    *stat.Interval    `json:"ratio,omitempty"`    // ratio of the column to the first, by Hodges and Lehmann; absent if values do not vary
	Verdict  string            `json:"verdict"`            // faster, slower, lower, higher, same or inconclusive
	Warnings []string          `json:"warnings,omitempty"` // why the figures may be wrong
}

type compareSide struct {
	N        int           `json:"n"`        // number of values
	Median   float64       `json:"median"`   // in the unit
	Interval stat.Interval `json:"interval"` // of the median
}

type compareMean struct {
	Package string            `json:"package,omitempty"` // package of the benchmarks
	Config  map[string]string `json:"config,omitempty"`  // other keys that distinguish their table
	Unit    string            `json:"unit"`              // such as sec/op
	Column  string            `json:"column"`            // the column that is compared with the first
	N       int               `json:"n"`                 // number of results
	Base    *float64          `json:"base,omitempty"`    // mean of the medians of the first column; absent if one is not above 0
	Other   *float64          `json:"other,omitempty"`   // mean of the medians of the column; absent likewise
	Ratio   *float64          `json:"ratio,omitempty"`   // mean of the ratios of medians; absent if one is from or to 0
}

func (c *Flags) object(r *outcome) compareObject {
	o := compareObject{Schema: session.Schema, Base: r.columns[0], Other: r.columns[1], Columns: r.columns, Results: []compareLine{}, Geomeans: []compareMean{},
		Skipped: r.skipped, Failures: r.failures, Notes: r.notes, Gate: r.gate}
	for _, a := range r.alone {
		o.Alone = append(o.Alone, a.String())
	}
	side := func(x []float64, median float64) compareSide {
		return compareSide{len(x), median, sample.QuantileInterval(x, 0.5, float64(c.Level))}
	}
	for i := range r.lines {
		l := &r.lines[i]
		a, b := l.medians()
		x := compareLine{Package: l.pkg, Config: l.config, Name: l.name, Unit: l.unit, Column: l.column, Base: side(l.base, a), Other: side(l.other, b),
			Verdict: l.verdict(), Warnings: l.result.Warnings}
		if d, ok := l.delta(); ok {
			x.Delta = &d
		}
		if !l.exact {
			x.P, x.Ratio = &l.result.P, &l.result.Ratio
		}
		o.Results = append(o.Results, x)
	}
	for _, g := range groups(r.lines) {
		for _, column := range r.columns[1:] {
			lines := g.of(column)
			if len(lines) == 0 {
				continue
			}
			m := geomean(lines)
			o.Geomeans = append(o.Geomeans, compareMean{lines[0].pkg, lines[0].config, g.unit, column, m.n, known(m.base), known(m.other), known(m.ratio)})
		}
	}
	return o
}

// known returns nil for 0, which stands for no mean.
func known(x float64) *float64 {
	if x == 0 {
		return nil
	}
	return &x
}
