// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/perf"
)

// write prints what was found.
func (v *survey) write(s *session) error {
	var b bytes.Buffer
	title := func(format string, args ...any) {
		fmt.Fprintln(&b, paint(s.color, bold, fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(&b, "%s\n", machine())

	b.WriteByte('\n')
	title("%-24s %8s %10s   %-18s %s", "clock", "cost ns", "step ns", "rate off by, ppm", "steps back")
	for _, c := range v.clocks {
		if c.err != nil {
			fmt.Fprintf(&b, "%-24s not to be had: %v\n", c.Name, c.err)
			continue
		}
		fmt.Fprintf(&b, "%-24s %8.1f %10s   %-18s %s\n", c.Name, c.Overhead, step(c.Step), c.off(), c.back())
	}

	b.WriteByte('\n')
	title("%-24s %10s %10s %10s %10s %10s", "sleep", "of", "late p50", "p99", "at most", "processor")
	for _, l := range v.sleeps {
		if l.err != nil {
			fmt.Fprintf(&b, "%-24s %10s %v\n", l.Name, units.Duration(float64(l.Period)), l.err)
			continue
		}
		late := func(d time.Duration) string { return units.Duration(float64(d)) }
		p99, cpu := "-", "-"
		if l.N >= few {
			p99 = late(l.P99)
		}
		if l.CPUKnown {
			cpu = fmt.Sprintf("%.1f %%", 100*l.CPU)
		}
		fmt.Fprintf(&b, "%-24s %10s %10s %10s %10s %10s\n", l.Name, late(l.Period), late(l.P50), p99, late(l.Max), cpu)
	}

	b.WriteByte('\n')
	title("counters")
	for i := 0; i < len(v.counters); { // neighbours with the same answer share a line
		var names []string
		answer := answerOf(v.counters[i])
		for ; i < len(v.counters) && answerOf(v.counters[i]) == answer; i++ {
			names = append(names, string(v.counters[i].Event))
		}
		fmt.Fprintf(&b, "%s: %s\n", strings.Join(names, ", "), answer)
	}

	b.WriteByte('\n')
	title("advice")
	for _, line := range v.advice() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	_, err := s.out.Write(b.Bytes())
	return err
}

// answerOf says whether an event can be counted.
func answerOf(v perf.Value) string {
	why := v.Reason
	if v.Remedy != "" {
		why += "; " + v.Remedy
	}
	switch {
	case !v.Known():
		return "no, " + why
	case v.UserOnly:
		return "in user mode only: " + why
	case v.Count == 0:
		return "yes, but the trial counted none"
	case v.Source == "rusage" || v.Source == "clock":
		return "yes, by getrusage and the thread's clock"
	}
	return "yes"
}

func step(ns float64) string {
	if ns <= 0 {
		return "-"
	}
	if ns >= 1e5 {
		return fmt.Sprintf("%.0f", ns)
	}
	return fmt.Sprintf("%.4g", ns)
}

// off says how fast the clock runs.
func (c clockFound) off() string {
	switch {
	case c.slow:
		return "not of time"
	case !c.Rated:
		return "-"
	}
	return units.Uncertain(c.PPM, c.PPMError, "")
}

// back says whether the clock stepped back, on one processor or between two.
func (c clockFound) back() string {
	switch {
	case c.Back > 0:
		return fmt.Sprintf("%d on one processor", c.Back)
	case c.BackAcross > 0:
		return fmt.Sprintf("%d of %d across processors", c.BackAcross, c.Across)
	case c.Across == 0:
		return "none on one processor"
	}
	return "none"
}
