// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/series"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// A summary is what strobe stat has to say.
type summary struct {
	of        *series.Series
	moments   series.Moments
	interval  stat.Interval
	quantiles []series.Quantile
	bins      []series.Bin
	notes     []string
	dropped   *int // as warm-up; nil when not asked for
}

func (c *statCmd) sum(all *series.Series) *summary {
	r := &summary{of: all}
	note := func(format string, args ...any) { r.notes = append(r.notes, fmt.Sprintf(format, args...)) }
	if c.WarmUp {
		dropped, ok := all.WarmUp()
		switch r.dropped = &dropped; {
		case ok && dropped == 0:
			note("nothing is left out as warm-up: MSER-5 sees none")
		case ok:
			note("the first %d numbers are left out as warm-up, by MSER-5; intervals after that cover less than they promise", dropped)
		default:
			*r.dropped = 0
			note("nothing is left out as warm-up: MSER-5 needs 50 numbers that settle in their first half")
		}
	}
	level := float64(c.Level)
	r.moments = all.Moments()
	r.interval = all.Interval(c.Method, level)
	r.quantiles = all.Quantiles(level)
	r.bins = all.Bins()
	if r.interval.Level > 0 {
		for _, w := range r.interval.Warnings {
			note("%s", strings.Replace(w, "use BatchMeans", "use --method batch-means", 1))
		}
	}
	if all.Rounded {
		note("some numbers have more digits than fit; they were rounded to %d decimals", all.Decimals())
	}
	if all.Empty > 0 {
		note("%d cells without a value were skipped", all.Empty)
	}
	return r
}

// text writes the summary for people.
func (r *summary) text(s *session) error {
	var b bytes.Buffer
	m, unit := r.moments, r.of.Unit
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("n", "%d", m.N)
	mean := r.interval.In(1, unit)
	if iv := r.interval; iv.Level > 0 {
		line("mean", "%s", mean)
		line("", "%s %% interval by %s, worth %s independent samples", percent(iv.Level), iv.Method, rough(iv.NEff))
	} else {
		line("mean", "%s", mean)
	}
	if !math.IsNaN(m.StdDev) {
		text := units.Plain(significantly(m.StdDev, 4), unit)
		if m.Mean > 0 && m.Min >= 0 {
			text += fmt.Sprintf(", %.3g %% of the mean", 100*m.StdDev/m.Mean)
		}
		line("sd", "%s", text)
	}
	if !math.IsNaN(m.Lag1) {
		line("lag-1", "%s", fixed(m.Lag1, 4))
		line("shape", "skewness %s, excess kurtosis %s", fixed(m.Skewness, 2), fixed(m.ExcessOfKurtosis, 2))
	}
	line("min, max", "%s, %s", units.Plain(m.Min, unit), units.Plain(m.Max, unit))
	if len(r.quantiles) > 0 {
		fmt.Fprintf(&b, "\n%s  %s\n", paint(s.color, bold, "quantiles"), r.of.Ranked())
		for _, q := range r.quantiles {
			text := q.Interval.In(1, unit)
			if q.Interval.Level == 0 {
				text = units.Plain(significantly(q.Value, 6), unit) + "  no interval: " + reason(q.Interval)
			}
			fmt.Fprintf(&b, "  %-7s %s\n", "p"+percent(q.Q), text)
		}
	}
	r.picture(&b, s.color)
	if len(r.notes) > 0 {
		fmt.Fprintln(&b)
	}
	for _, n := range r.notes {
		note(&b, s.color, n)
	}
	_, err := s.out.Write(b.Bytes())
	return err
}

// note writes a sentence that qualifies a result.
func note(b *bytes.Buffer, color bool, text string) {
	wrap(b, "Note:", paint(color, yellow, "Note:"), text+".")
}

// wrap writes text in lines of 80 columns behind a mark, which is painted.
func wrap(b *bytes.Buffer, mark, painted, text string) {
	b.WriteString(painted)
	indent := utf8.RuneCountInString(mark)
	at := indent
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if at+1+n > 80 {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		}
		b.WriteString(" " + word)
		at += 1 + n
	}
	b.WriteByte('\n')
}

// picture draws the histogram, 80 columns wide at most.
func (r *summary) picture(b *bytes.Buffer, color bool) {
	if len(r.bins) == 0 {
		return
	}
	widest, most := 0, uint64(1)
	for _, bin := range r.bins {
		widest, most = max(widest, len([]rune(bin.Label))), max(most, bin.N)
	}
	room := max(10, 78-widest-2-10)
	fmt.Fprintf(b, "\n%s  from  share\n", paint(color, bold, "histogram"))
	for _, bin := range r.bins {
		share := 100 * float64(bin.N) / float64(r.moments.N)
		text := fmt.Sprintf("%5.1f %%", share)
		switch {
		case bin.N == 0:
			text = "      -"
		case share < 0.05:
			text = " <0.1 %"
		}
		fmt.Fprintf(b, "%*s %s %s\n", widest+2, bin.Label, text, bar(float64(bin.N)/float64(most)*float64(room)))
	}
}

// reason says why there is no interval.
func reason(iv stat.Interval) string {
	if len(iv.Warnings) == 0 {
		return "unknown"
	}
	return strings.TrimPrefix(iv.Warnings[0], "no interval: ")
}

// bar draws a bar of so many characters, in eighths.
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

// fixed writes v with so many decimals, and no -0.
func fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func percent(q float64) string { return strconv.FormatFloat(significantly(100*q, 12), 'f', -1, 64) }

// significantly rounds v to so many significant digits.
func significantly(v float64, digits int) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return v
}

// rough writes a number of samples that is itself an estimate.
func rough(n float64) string {
	if n >= 100 {
		return strconv.FormatFloat(significantly(n, 3), 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}
