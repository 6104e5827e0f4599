// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
)

// write prints what was found.
func (b *benchRun) write(s *session) error {
	var w bytes.Buffer
	for i, j := range b.jobs {
		if i > 0 {
			w.WriteByte('\n')
		}
		j.write(&w, s.color)
	}
	if all := b.comparisons(); len(all) > 0 && len(b.jobs[0].runs) > 0 {
		w.WriteByte('\n')
		title := "against " + b.jobs[0].name
		if b.cmd.By == "cpu" {
			title += ", by processor time"
		}
		fmt.Fprintln(&w, paint(s.color, bold, title))
		wide := 0
		for _, c := range all {
			wide = max(wide, len([]rune(c.Other)))
		}
		for _, c := range all {
			fmt.Fprintf(&w, "  %-*s  %s, %s\n", min(wide, 40), c.Other, ratioText(c.Ratio), verdictText(c))
		}
	}
	if g := b.gate(); g != nil {
		w.WriteByte('\n')
		for _, reason := range g.Reasons {
			fmt.Fprintf(&w, "gate %s\n", reason)
		}
	}
	_, err := s.out.Write(w.Bytes())
	return err
}

func (j *job) write(w *bytes.Buffer, color bool) {
	fmt.Fprintln(w, paint(color, bold, j.name))
	if len(j.runs) == 0 {
		fmt.Fprintln(w, "  no runs")
		return
	}
	f := j.figures()
	iv := f.mean
	fmt.Fprintf(w, "  mean     %s", inTime(iv))
	if iv.Level > 0 {
		fmt.Fprintf(w, "   (%g %%, %s)", 100*iv.Level, iv.Method)
	}
	fmt.Fprintf(w, "\n  range    %s to %s, median %s, %d runs\n", units.Duration(f.min), units.Duration(f.max), units.Duration(f.median), f.runs)
	fmt.Fprintf(w, "  cpu      %s user, %s system", units.Duration(f.user), units.Duration(f.system))
	if f.switchesKnown {
		fmt.Fprintf(w, ", preempted %.3g times", f.preempted)
	}
	fmt.Fprintln(w)
	switch {
	case f.peakKnown:
		fmt.Fprintf(w, "  memory   %s\n", bytesText(f.peak))
	case f.peak > 0:
		fmt.Fprintf(w, "  memory   up to %s, which strobe itself has\n", bytesText(f.peak))
	}
	if text, absent := j.counters(); text != "" || absent != "" {
		if text != "" {
			fmt.Fprintf(w, "  counts   %s\n", text)
		}
		if absent != "" {
			fmt.Fprintf(w, "  absent   %s\n", absent)
		}
	}
	for _, note := range f.notes {
		fmt.Fprintf(w, "  note     %s\n", note)
	}
}

// counters lists the counts of a run, and the events that could not be had with the reason of the first.
func (j *job) counters() (text, absent string) {
	var have, lack []string
	reason := ""
	for _, e := range counted {
		sum := j.counts.Of(e)
		if sum.N > 0 {
			have = append(have, fmt.Sprintf("%s %s", units.Count(uint64(math.Round(sum.Mean.Center))), e))
		} else if sum.Missing > 0 {
			lack = append(lack, string(e))
			if reason == "" {
				reason = sum.Reason
			}
		}
	}
	cycles, instructions := j.counts.Of(perf.Cycles), j.counts.Of(perf.Instructions)
	if cycles.N > 0 && instructions.N == cycles.N && cycles.Total > 0 {
		have = append(have, fmt.Sprintf("%.3g instructions a cycle", float64(instructions.Total)/float64(cycles.Total)))
	}
	if len(lack) > 0 {
		absent = strings.Join(lack, ", ") + ": " + reason
	}
	return strings.Join(have, ", "), absent
}

// inTime writes an interval of nanoseconds in the unit that suits it.
func inTime(iv stat.Interval) string {
	per, unit := units.Scale(iv.Center)
	return iv.In(per, unit)
}

func ratioText(iv stat.Interval) string {
	if iv.Level == 0 {
		return "no ratio"
	}
	return iv.In(1, "") + " times"
}

func verdictText(c bench.Comparison) string {
	switch {
	case c.Ratio.Level == 0 && len(c.Ratio.Warnings) > 0:
		return string(c.Verdict) + " (" + c.Ratio.Warnings[0] + ")"
	case c.Verdict == bench.Same:
		return fmt.Sprintf("same within %.3g %%", 100*c.Within)
	}
	return string(c.Verdict)
}

// bytesText writes a size with a binary prefix.
func bytesText(n int64) string {
	x, prefixes := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for x >= 1024 && len(prefixes) > 1 {
		x /= 1024
		prefixes = prefixes[1:]
	}
	return fmt.Sprintf("%.3g %s", x, prefixes[0])
}
