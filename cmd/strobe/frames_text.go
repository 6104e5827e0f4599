// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/report"
	"github.com/strobe-go/strobe/frames"
)

// headline is the figures that are shown side by side and compared on a terminal. All stand in JSON and on the page.
var headline = []string{"avg_fps", "p1_fps", "p01_fps", "low1_average_fps", "low01_average_fps", "low1_integral_fps", "low01_integral_fps",
	"stddev_ms", "jitter_ms", "stutter_time_share"}

func (c *framesCmd) text(s *session, p report.Page) error {
	var b bytes.Buffer
	if len(p.Captures) == 1 {
		c.single(&b, s.color, p)
	} else {
		c.beside(&b, s.color, p)
	}
	_, err := s.out.Write(b.Bytes())
	return err
}

// single shows all figures of one capture.
func (c *framesCmd) single(b *bytes.Buffer, color bool, p report.Page) {
	r := p.Captures[0].Report
	fmt.Fprintf(b, "%s  %s\n", paint(color, bold, clean(p.Captures[0].Name())), source(r))
	fmt.Fprintf(b, "%d frames in %.4g s, by the definitions of %s\n\n", r.Frames, p.Captures[0].Seconds(), r.Preset)
	fmt.Fprintf(b, "%-28s %14s  %s\n", "", "", percent(float64(c.Level))+" % interval")
	var reasons []string
	for _, m := range r.Metrics {
		name := m.Name
		if m.By != string(r.Preset) {
			name += " *"
		}
		value, bounds := report.Value(m), report.Bounds(m.Unit, m.Interval)
		if bounds == "" {
			bounds = footnote(&reasons, m.NoInterval)
		}
		fmt.Fprintf(b, "%-28s %14s  %s\n", name, value, bounds)
		if c.Explain {
			fmt.Fprintf(b, "    %s\n", m.Definition)
		}
	}
	fmt.Fprintln(b)
	if r.Preset != frames.Strobe {
		fmt.Fprintf(b, "* by strobe's definition: %s has no such figure\n", r.Preset)
	}
	footnotes(b, reasons)
	for _, a := range r.Absent {
		fmt.Fprintf(b, "- %s is absent: %s\n", a.Key, a.Reason)
	}
	notes(b, color, p.Captures)
}

// footnote returns the mark of a reason, which is new or known.
func footnote(reasons *[]string, reason string) string {
	if reason == "" {
		return ""
	}
	for i, known := range *reasons {
		if known == reason {
			return mark(i)
		}
	}
	*reasons = append(*reasons, reason)
	return mark(len(*reasons) - 1)
}

func footnotes(b *bytes.Buffer, reasons []string) {
	for i, reason := range reasons {
		wrap(b, mark(i), mark(i), "no interval: "+reason)
	}
}

func mark(i int) string { return "(" + string(rune('a'+i%26)) + ")" }

// notes writes what there is to know about captures, once, with the numbers of those it holds for.
func notes(b *bytes.Buffer, color bool, captures []report.Capture) {
	var order []string
	whose := map[string][]string{}
	for i, c := range captures {
		for _, text := range append(c.Report.Warnings[:len(c.Report.Warnings):len(c.Report.Warnings)], c.Report.Notes...) {
			if whose[text] == nil {
				order = append(order, text)
			}
			whose[text] = append(whose[text], strconv.Itoa(i+1))
		}
	}
	for _, text := range order {
		if len(captures) > 1 {
			note(b, color, strings.Join(whose[text], ", ")+": "+clean(text))
		} else {
			note(b, color, clean(text))
		}
	}
}

func source(r frames.Report) string {
	text := clean(r.File) + ", " + r.Format
	if r.Column != "" {
		text += " " + clean(r.Column)
	}
	return text
}

// beside shows the main figures of several captures in columns, and their differences.
func (c *framesCmd) beside(b *bytes.Buffer, color bool, p report.Page) {
	fmt.Fprintf(b, "%d captures by the definitions of %s, with %s %% intervals\n", len(p.Captures), p.Captures[0].Report.Preset, percent(float64(c.Level)))
	const columns = 2
	for from := 0; from < len(p.Captures); from += columns {
		group := p.Captures[from:min(from+columns, len(p.Captures))]
		line := func(name string, cell func(int, report.Capture) string) {
			fmt.Fprintf(b, "%-22s", name)
			for i, c := range group {
				text := cell(from+i, c)
				fmt.Fprintf(b, " %s%s", text, strings.Repeat(" ", max(0, 28-utf8.RuneCountInString(text))))
			}
			b.Truncate(len(bytes.TrimRight(b.Bytes(), " ")))
			fmt.Fprintln(b)
		}
		fmt.Fprintln(b)
		line("", func(i int, c report.Capture) string { return short(fmt.Sprintf("%d %s", i+1, c.Name()), 28) })
		line("", func(_ int, c report.Capture) string { return short(c.Report.File, 28) })
		line("frames", func(_ int, c report.Capture) string { return fmt.Sprintf("%d in %.4g s", c.Report.Frames, c.Seconds()) })
		for _, key := range headline {
			name := ""
			for _, c := range group {
				if m, ok := c.Report.Metric(key); ok {
					name = m.Name
				}
			}
			if name == "" {
				continue
			}
			line(name, func(_ int, c report.Capture) string {
				m, ok := c.Report.Metric(key)
				if !ok {
					return "-"
				}
				return strings.TrimSpace(report.Value(m) + "  " + report.Bounds(m.Unit, m.Interval))
			})
		}
	}
	for _, d := range p.Comparisons {
		fmt.Fprintf(b, "\n%s\n", paint(color, bold, fmt.Sprintf("%d less %d", d.Other+1, d.Base+1)))
		c.differences(b, d)
	}
	fmt.Fprintln(b)
	notes(b, color, p.Captures)
	for _, d := range p.Comparisons {
		for _, w := range d.Warnings {
			note(b, color, fmt.Sprintf("%d less %d: %s", d.Other+1, d.Base+1, clean(w)))
		}
	}
	if len(p.Comparisons) == 0 {
		fmt.Fprintln(b, "Processes of one file are not compared; --process NAME shows one in full.")
	}
}

func (c *framesCmd) differences(b *bytes.Buffer, d report.Comparison) {
	var reasons []string
	for _, key := range headline {
		for _, x := range d.Differences {
			if x.Key != key {
				continue
			}
			verdict := "no difference shown"
			bounds := report.Bounds(x.Unit, x.Interval)
			switch {
			case bounds == "":
				verdict, bounds = "", footnote(&reasons, x.NoInterval)
			case x.Clear:
				verdict = "differs"
			}
			fmt.Fprint(b, strings.TrimRight(fmt.Sprintf("%-22s %14s  %-20s %s", x.Name, report.Signed(x), bounds, verdict), " "), "\n")
		}
	}
	footnotes(b, reasons)
}

// clean takes what could move a terminal's cursor out of what a file says.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// short keeps the end of a text that is too long, where files differ.
func short(text string, width int) string {
	r := []rune(clean(text))
	if len(r) <= width {
		return string(r)
	}
	return "…" + string(r[len(r)-width+1:])
}
