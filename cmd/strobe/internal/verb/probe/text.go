// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
)

// write prints what was found.
func (v *survey) write(s *session.Session) error {
	p := s.Printer()
	v.print(p)
	return s.Print(p)
}

func (v *survey) print(p *layout.Printer) {
	describeMachine(&v.machine, p)
	p.WriteByte('\n')
	dropped := p.Table(v.clockTable())
	var calls []string
	for _, c := range v.clocks {
		if c.call {
			calls = append(calls, c.Name)
		}
	}
	if len(calls) > 0 {
		p.Wrap("", "Read by a system call, which time.Now and most C programs do not need: "+strings.Join(calls, ", ")+".")
	}
	p.WriteByte('\n')
	dropped = append(dropped, p.Table(v.sleepTable())...)
	p.LeftOut(dropped)
	for _, c := range v.clocks {
		if c.err != nil {
			p.Wrap("", fmt.Sprintf("%s: %s.", c.Name, strings.TrimSuffix(c.err.Error(), ".")))
		}
	}
	for _, l := range v.sleeps {
		if l.err != nil {
			p.Wrap("", fmt.Sprintf("%s of %s: %v.", l.Name, units.Duration(float64(l.Period)), l.err))
		}
	}
	said := map[string]bool{}
	for _, l := range v.sleeps {
		if l.err == nil && l.CPU.Reason != "" && !said[l.CPU.Reason] {
			said[l.CPU.Reason] = true
			p.Wrap("", "Where no processor time is shown: "+l.CPU.Reason+".")
		}
	}
	p.Printf("\n%s\n", p.Bold("counters"))
	for i := 0; i < len(v.counters); { // successive counters with the same answer share a line
		var names []string
		answer := answerOf(v.counters[i])
		for ; i < len(v.counters) && answerOf(v.counters[i]) == answer; i++ {
			names = append(names, string(v.counters[i].Event))
		}
		p.Wrap("-", strings.Join(names, ", ")+": "+answer)
	}
	p.Printf("\n%s\n", p.Bold("advice"))
	for _, line := range v.advice() {
		p.Wrap("-", line)
	}
}

// describeMachine prints what is known of a machine.
func describeMachine(m *host.Machine, p *layout.Printer) {
	line := func(name, text string) {
		if text != "" {
			p.Wrap(fmt.Sprintf("%-11s", name), text)
		}
	}
	line("strobe", fmt.Sprintf("%s, %s, %s/%s", m.Strobe, m.Go, m.OS, m.Arch))
	line("processor", strings.TrimPrefix(fmt.Sprintf("%s, %d for this process", m.Processor, m.CPUs), ", "))
	kernel := m.Kernel
	if m.Clocksource != "" {
		kernel += ", clocksource " + m.Clocksource
	}
	if m.Slack != nil {
		kernel += ", timer slack " + units.Duration(float64(*m.Slack))
	}
	line("kernel", strings.TrimPrefix(kernel, ", "))
	line("hypervisor", m.Hypervisor)
	if m.Load != nil {
		line("load", fmt.Sprintf("%.2f over the last minute, this program included", *m.Load))
	}
}

func (v *survey) clockTable() layout.Table {
	t := layout.Table{Columns: []layout.Column{{Title: "clock", Left: true}, {Title: "cost ns"}, {Title: "step ns"},
		{Title: "rate error ppm", Drop: 2}, {Title: "steps back", Left: true, Drop: 1}}}
	for _, c := range v.clocks {
		row := []string{c.Name, "-", "-", "-", "not available"}
		if c.err == nil {
			row = []string{c.Name, fmt.Sprintf("%.1f", c.Overhead), step(c.Step), c.rateError(), c.back()}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (v *survey) sleepTable() layout.Table {
	t := layout.Table{Columns: []layout.Column{{Title: "sleep", Left: true}, {Title: "of"}, {Title: "late p50"},
		{Title: "p99", Drop: 2}, {Title: "max", Drop: 3}, {Title: "processor", Drop: 1}}}
	write := func(d time.Duration) string { return units.Duration(float64(d)) }
	for _, l := range v.sleeps {
		if l.err != nil {
			t.Rows = append(t.Rows, []string{l.Name, write(l.Period), "-", "-", "-", "-"})
			continue
		}
		p99, cpu := "-", "-"
		if l.N >= few {
			p99 = write(l.P99)
		}
		if l.CPU.Known() {
			cpu = l.cpu()
		}
		t.Rows = append(t.Rows, []string{l.Name, write(l.Period), write(l.P50), p99, write(l.Max), cpu})
	}
	return t
}

// cpu formats the share of processor time, with its uncertainty if that is visible.
func (l sleepFound) cpu() string {
	if l.CPU.Hi-l.CPU.Center < 0.0005 {
		return fmt.Sprintf("%.1f %%", 100*l.CPU.Center)
	}
	return l.CPU.In(0.01, "%")
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

// rateError formats the difference of the clock's rate from that of the system's clock.
func (c clockFound) rateError() string {
	switch {
	case c.slow:
		return "not a clock"
	case !c.Rated:
		return "-"
	}
	return units.Uncertain(c.PPM, c.PPMError, "")
}

// back describes whether the clock stepped back, on one processor or between two.
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
