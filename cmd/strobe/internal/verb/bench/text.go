// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/perf"
)

// write prints what was found.
func (b *measurement) write(s *session.Session) error {
	p := s.Printer()
	for i, k := range b.sorted() {
		j := b.jobs[k]
		if i > 0 {
			p.WriteByte('\n')
		}
		j.write(p, b.flags, b.shell)
	}
	if all := b.comparisons(); len(all) > 0 && len(b.jobs[0].runs) > 0 {
		title := "against " + b.jobs[0].name + ", by the ratio of the two runs of each round"
		if b.flags.By == "cpu" {
			title = "against " + b.jobs[0].name + ", by the ratio of the processor times of the two runs of each round"
		}
		p.WriteByte('\n')
		p.Title(title)
		wide, most := 0, 40
		if p.Width > 0 {
			most = min(most, p.Width/3)
		}
		for _, c := range all {
			wide = max(wide, layout.Width(c.Other))
		}
		for _, k := range b.sorted() {
			if k == 0 {
				continue
			}
			c := all[k-1]
			if layout.Width(c.Other) > most { // the name gets a separate line
				p.Wrap("  ", c.Other)
				c.Other = ""
			}
			p.Wrap(fmt.Sprintf("  %-*s ", min(wide, most), c.Other), ratioText(c.Ratio)+", "+verdictText(c))
		}
	}
	core := b.core.Report()
	if seen, _ := core.Seen(); seen {
		p.WriteByte('\n')
		p.Wrap("core", "Between the runs, "+core.String()+". Times vary by as much.")
	}
	if g := b.gate(); g != nil {
		p.WriteByte('\n')
		for _, reason := range g.Reasons {
			p.Wrap("gate", reason)
		}
	}
	return s.Print(p)
}

func (j *job) write(p *layout.Printer, flags *Flags, shell *startup) {
	p.Title(j.name)
	if len(j.runs) == 0 {
		p.Printf("  no runs\n")
		return
	}
	f := j.figures()
	line := func(name, format string, args ...any) {
		p.Wrap(fmt.Sprintf("  %-8s", name), fmt.Sprintf(format, args...))
	}
	mean := flags.inTime(f.mean)
	if f.mean.Bounded() {
		mean += fmt.Sprintf(" (%s %%, %s)", layout.Percent(f.mean.Level), f.mean.Method)
	}
	line("mean", "%s", mean)
	line("range", "%s to %s, median %s, %d runs", flags.duration(f.min), flags.duration(f.max), flags.duration(f.median), f.runs)
	cpu := flags.duration(f.user+f.system) + "; user and system time are not separate, because the kernel's ticks saw only one of them"
	if f.split {
		cpu = fmt.Sprintf("%s user, %s system", flags.duration(f.user), flags.duration(f.system))
	}
	if f.switchesKnown {
		cpu += fmt.Sprintf(", preempted %.3g times", f.preempted)
	}
	line("cpu", "%s", cpu)
	switch {
	case f.peakKnown:
		line("memory", "%s", layout.Bytes(f.peak))
	case f.peak > 0:
		line("memory", "at most %s: the kernel reports at least the peak of strobe itself", layout.Bytes(f.peak))
	}
	text, missing := j.counters()
	if text != "" {
		line("counts", "%s", text)
	}
	if missing != "" {
		line("missing", "%s", missing)
	}
	if shell != nil {
		line("shell", "%s", shell.note(flags, f.median))
	}
	for _, note := range f.notes {
		line("note", "%s", note)
	}
}

// counters lists the counts of a run, and the events that could not be counted with the reason of the first.
func (j *job) counters() (text, missing string) {
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
		have = append(have, fmt.Sprintf("%.3g instructions per cycle", float64(instructions.Total)/float64(cycles.Total)))
	}
	if len(lack) > 0 {
		missing = strings.Join(lack, ", ") + ": " + reason
	}
	return strings.Join(have, ", "), missing
}
