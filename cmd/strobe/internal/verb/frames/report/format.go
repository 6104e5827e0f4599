// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"strings"

	"github.com/strobe-go/strobe/frames"
)

// Verdict describes what a difference shows; "" if nothing is known about it.
func Verdict(d frames.Difference) string {
	switch {
	case DifferenceBounds(d) == "":
		return ""
	case !d.Clear:
		return "no difference shown"
	case d.Value > 0:
		return "higher"
	}
	return "lower"
}

// A table is all figures of all captures.
type table struct {
	Rows    []row
	Reasons []string // why figures have no interval, marked a, b, c
}

type row struct {
	Name, Definition string
	Main             bool
	Cells            []cell
}

type cell struct {
	Value, Bounds, Mark string
	By                  string // whose definition, if it is not the preset's
}

func tableOf(p Page) (t table) {
	seen := map[string]bool{}
	for _, c := range p.Captures {
		for _, m := range c.Report.Metrics {
			if seen[m.Key] {
				continue
			}
			seen[m.Key] = true
			r := row{Name: m.Name, Definition: m.Definition, Main: isMain(m.Key)}
			for _, c := range p.Captures {
				r.Cells = append(r.Cells, t.cell(c.Report, m.Key))
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

func (t *table) cell(r frames.Report, key string) cell {
	m, ok := r.Metric(key)
	if !ok {
		for _, a := range r.Absent {
			if a.Key == key {
				return cell{Value: "–", Mark: t.mark(a.Reason)}
			}
		}
		return cell{Value: "–"}
	}
	c := cell{Value: Value(m), Bounds: MetricBounds(m)}
	c.Mark = t.mark(m.Interval.Reason)
	if m.By != r.Preset.String() {
		c.By = m.By
	}
	return c
}

func (t *table) mark(reason string) string {
	if reason == "" {
		return ""
	}
	for i, known := range t.Reasons {
		if known == reason {
			return letter(i)
		}
	}
	t.Reasons = append(t.Reasons, reason)
	return letter(len(t.Reasons) - 1)
}

func letter(i int) string { return string(rune('a' + i%26)) }

// main lists the figures at the top of the page.
var main = []string{"avg_fps", "p1_fps", "low1_average_fps", "low1_integral_fps", "p01_fps", "low01_average_fps", "displayed_fps", "gpu_busy_ms", "latency_ms"}

func isMain(key string) bool {
	for _, k := range main {
		if k == key {
			return true
		}
	}
	return false
}

// Headline returns the figures at the top of the page.
func (c Capture) Headline() (out []frames.Metric) {
	for _, key := range main {
		if m, ok := c.Report.Metric(key); ok {
			out = append(out, m)
		}
	}
	return out
}

// Value writes a figure, for the template.
func (c Capture) Value(m frames.Metric) string { return Value(m) }

// Bounds writes the interval of a figure, for the template.
func (c Capture) Bounds(m frames.Metric) string { return MetricBounds(m) }

// differences is a comparison as a table.
type differences struct {
	Base, Other         int
	BaseName, OtherName string
	Rows                []difference
	Reasons             []string
	Warnings            []string
}

type difference struct {
	Name, Base, Other, Change, Bounds, Mark, Verdict string
	Clear                                            bool
}

func differencesOf(captures []shown, c Comparison) differences {
	base, other := captures[c.Base], captures[c.Other]
	d := differences{Base: c.Base, Other: c.Other, BaseName: base.Label, OtherName: other.Label, Warnings: c.Warnings}
	d.fill(c.Differences, func(key string) (string, string) {
		m, _ := base.Report.Metric(key)
		o, _ := other.Report.Metric(key)
		return Value(m), Value(o)
	})
	return d
}

func groupDifferencesOf(p Page, c GroupComparison) differences {
	base, other := p.Groups[c.Base], p.Groups[c.Other]
	d := differences{Base: c.Base, Other: c.Other, BaseName: base.Name, OtherName: other.Name, Warnings: c.Warnings}
	d.fill(c.Differences, func(key string) (string, string) { return base.value(key), other.value(key) })
	return d
}

// value writes a figure of a group with its interval.
func (g Group) value(key string) string {
	for _, f := range g.Figures {
		if f.Key == key {
			return strings.TrimSpace(GroupValue(f) + " " + Bounds(f.Unit, f.Interval))
		}
	}
	return "–"
}

func (d *differences) fill(all []frames.Difference, values func(key string) (base, other string)) {
	var t table
	for _, x := range all {
		r := difference{Name: x.Name, Change: Change(x), Bounds: DifferenceBounds(x)}
		r.Base, r.Other = values(x.Key)
		r.Mark = t.mark(x.Interval.Reason)
		r.Verdict, r.Clear = Verdict(x), x.Clear
		d.Rows = append(d.Rows, r)
	}
	d.Reasons = t.Reasons
}
