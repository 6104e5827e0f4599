// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat/series"
	"github.com/strobe-go/strobe/internal/units"
)

// text writes the summary for people.
func (r *summary) text(s *session.Session, explain bool) error {
	p := s.Printer()
	m, unit := r.moments, r.of.Unit
	line := func(name, format string, args ...any) {
		p.Wrap(fmt.Sprintf("%-9s", name), fmt.Sprintf(format, args...))
	}
	line("n", "%d", m.N)
	mean := r.interval.In(1, unit)
	if iv := r.interval; iv.Bounded() {
		line("mean", "%s", mean)
		line("", "%s %% interval by %s, equivalent to %s independent samples", layout.Percent(iv.Level), iv.Method, rough(iv.NEff))
	} else {
		line("mean", "%s", mean)
	}
	if q := r.instead; q != nil {
		line("instead", "%s, the median: a few large numbers determine the mean", quantile(*q, unit))
	}
	if !math.IsNaN(m.StdDev) {
		text := units.Approx(m.StdDev, unit)
		if m.Mean > 0 && m.Min >= 0 {
			text += fmt.Sprintf(", %.3g %% of the mean", 100*m.StdDev/m.Mean)
		}
		line("sd", "%s", text)
	}
	if !math.IsNaN(m.Lag1) {
		line("lag-1", "%s, the correlation of neighbouring numbers", layout.Fixed(m.Lag1, 4))
		line("shape", "skewness %s, excess kurtosis %s", layout.Fixed(m.Skewness, 2), layout.Fixed(m.ExcessOfKurtosis, 2))
	}
	line("min, max", "%s, %s", units.Plain(m.Min, unit), units.Plain(m.Max, unit))
	if len(r.quantiles) > 0 {
		p.Printf("\n%s  %s\n", p.Bold("quantiles"), r.of.Ranked())
		for _, q := range r.quantiles {
			p.Wrap(fmt.Sprintf("  %-7s", "p"+layout.Percent(q.Q)), quantile(q, unit))
		}
	}
	r.picture(p)
	r.order(p)
	p.WriteByte('\n')
	p.Wrap("meaning: ", r.meaning())
	p.Wrap("next:    ", r.next())
	if explain {
		r.explain(p)
	}
	for i, n := range r.notes {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Note(n)
	}
	return s.Print(p)
}

// quantile writes a quantile with its interval, or why it has none.
func quantile(q series.Quantile, unit string) string {
	if !q.Interval.Bounded() {
		return units.Approx(q.Value, unit) + ", no interval: " + q.Interval.Reason
	}
	return q.Interval.In(1, unit)
}

// rough formats an estimated number of samples.
func rough(n float64) string {
	if n >= 100 {
		return strconv.FormatFloat(layout.Significant(n, 3), 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}

// picture draws the histogram, at most as wide as text.
func (r *summary) picture(p *layout.Printer) {
	if len(r.bins) == 0 {
		return
	}
	widest, most := 0, uint64(1)
	for _, bin := range r.bins {
		widest, most = max(widest, len([]rune(bin.Label))), max(most, bin.N)
	}
	columns := layout.Columns
	if p.Width > 0 {
		columns = min(columns, p.Width)
	}
	room := max(10, columns-widest-2-12)
	p.Printf("\n%s  from  share\n", p.Bold("histogram"))
	for _, bin := range r.bins {
		share := 100 * float64(bin.N) / float64(r.moments.N)
		text := fmt.Sprintf("%5.1f %%", share)
		switch {
		case bin.N == 0:
			text = "      -"
		case share < 0.05:
			text = " <0.1 %"
		}
		p.Printf("%*s %s %s\n", widest+2, bin.Label, text, bar(float64(bin.N)/float64(most)*float64(room)))
	}
}

// bar draws a bar of a length in characters, to an eighth.
func bar(length float64) string {
	eighths := int(math.Round(length * 8))
	if length > 0 {
		eighths = max(1, eighths)
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}
