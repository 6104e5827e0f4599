// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/stat"
)

// Value writes a figure with its unit, in the digits of the preset's tool.
func Value(m frames.Metric) string {
	if m.Unit == frames.FPS || m.Unit == frames.Milliseconds {
		return m.Text + " " + string(m.Unit)
	}
	return m.Text
}

// Figure writes a value with its unit.
func Figure(unit frames.Unit, v float64) string {
	switch unit {
	case frames.FPS:
		return fmt.Sprintf("%.2f fps", v)
	case frames.Milliseconds:
		return fmt.Sprintf("%.4f ms", v)
	case frames.Share:
		return fmt.Sprintf("%.2f %%", 100*v)
	}
	return fmt.Sprintf("%.4f", v)
}

// Verdict says what a difference shows; empty when nothing is known about it.
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

// Bounds writes an interval as "[12.1, 12.9]", shares in percent; empty when there is none. The nearer bound decides on the
// digits, so that rounding never shows the figure outside.
func Bounds(unit frames.Unit, iv stat.Interval) string {
	if iv.Level <= 0 {
		return ""
	}
	per, suffix, most := 1.0, "", 4
	switch unit {
	case frames.Share:
		per, suffix, most = 100, " %", 3
	case frames.FPS:
		most = 2
	}
	side := iv.Hi - iv.Center
	if below := iv.Center - iv.Lo; side <= 0 || below > 0 && below < side {
		side = below
	}
	decimals := 0
	if side *= per; side > 0 {
		decimals = min(most, max(0, int(math.Ceil(-math.Log10(side/3.5)))))
	}
	write := func(v float64) string { return strconv.FormatFloat(per*v, 'f', decimals, 64) }
	return "[" + write(iv.Lo) + ", " + write(iv.Hi) + "]" + suffix
}

// Bound writes a one-sided bound as "at most 79.5 fps"; empty when there is none.
func Bound(side string, unit frames.Unit, b frames.Bound) string {
	switch {
	case b.Level == 0:
		return ""
	case unit == frames.Share:
		return fmt.Sprintf("%s %.2f %%", side, 100*b.Value)
	case unit == frames.Milliseconds:
		return fmt.Sprintf("%s %.4f ms", side, b.Value)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %.2f %s", side, b.Value, unit))
}

// MetricBounds writes the interval of a figure, or its bound.
func MetricBounds(m frames.Metric) string {
	return Bounds(m.Unit, m.Interval) + Bound("at most", m.Unit, m.AtMost) + Bound("at least", m.Unit, m.AtLeast)
}

// DifferenceBounds writes the interval of a difference, or its bound.
func DifferenceBounds(d frames.Difference) string {
	return Bounds(d.Unit, d.Interval) + Bound("at least", d.Unit, d.AtLeast) + Bound("at most", d.Unit, d.AtMost)
}

// Signed writes a difference with its sign.
func Signed(d frames.Difference) string {
	switch d.Unit {
	case frames.FPS:
		return fmt.Sprintf("%+.2f fps", d.Value)
	case frames.Milliseconds:
		return fmt.Sprintf("%+.4f ms", d.Value)
	case frames.Share:
		return fmt.Sprintf("%+.2f %%", 100*d.Value)
	}
	return fmt.Sprintf("%+.4f", d.Value)
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
	By                  string // whose definition, where it is not the preset's
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
	c.Mark = t.mark(m.NoInterval)
	if m.By != string(r.Preset) {
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
			return strings.TrimSpace(Figure(f.Unit, f.Value) + " " + Bounds(f.Unit, f.Interval))
		}
	}
	return "–"
}

func (d *differences) fill(all []frames.Difference, values func(key string) (base, other string)) {
	var t table
	for _, x := range all {
		r := difference{Name: x.Name, Change: Signed(x), Bounds: DifferenceBounds(x)}
		r.Base, r.Other = values(x.Key)
		r.Mark = t.mark(x.NoInterval)
		r.Verdict, r.Clear = Verdict(x), x.Clear
		d.Rows = append(d.Rows, r)
	}
	d.Reasons = t.Reasons
}
