// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/plain"
)

// groupText prints the groups side by side, their differences, and the gate.
func (f *Flags) groupText(s *session.Session, page report.Page, damage []string, g *gate.Gate) error {
	p := s.Printer()
	p.Wrap("", fmt.Sprintf("%s by the definitions of %s: means over runs, with %s %% intervals from how much runs differ",
		layout.Plural(uint64(len(page.Groups)), "group"), page.Captures[0].Report.Preset, layout.Percent(float64(f.Level))))
	p.WriteByte('\n')
	for _, g := range page.Groups {
		var runs []string
		for _, i := range g.Members {
			runs = append(runs, fmt.Sprintf("%s (%d)", plain.Text(filepath.Base(page.Captures[i].File)), len(page.Captures[i].Frames)))
		}
		p.Wrap("-", plain.Text(g.Name)+": "+layout.Plural(uint64(len(runs)), "run")+" (frames): "+strings.Join(runs, ", "))
	}
	names, sides := groupSides(page.Groups)
	besides(p, names, sides)
	var reasons []string
	for _, c := range page.GroupComparisons {
		p.Printf("\n%s\n", p.Bold(plain.Text(page.Groups[c.Other].Name)+" less "+plain.Text(page.Groups[c.Base].Name)))
		dropped := p.Table(differenceTable(c.Differences, &reasons))
		p.LeftOut(dropped)
	}
	p.WriteByte('\n')
	footnotes(p, reasons)
	if f.Explain {
		p.Printf("%s\n", p.Bold("definitions"))
		for _, m := range page.Captures[0].Report.Metrics {
			p.Wrap("-", m.Name+": "+m.Definition)
		}
	}
	seen := map[string]bool{}
	for _, c := range page.GroupComparisons {
		for _, w := range c.Warnings {
			if !seen[w] {
				seen[w] = true
				p.Note(plain.Text(w))
			}
		}
	}
	if len(page.GroupComparisons) > 0 {
		p.Note("higher and lower hold for all figures together: if nothing differed, one of 20 comparisons would report any difference, provided that the runs of the groups were recorded in turn; the intervals of differences are at the levels that this takes")
	}
	for _, d := range damage {
		p.Note("incomplete input: " + plain.Text(d))
	}
	if g != nil {
		p.Printf("\n%s\n", p.Bold(fmt.Sprintf("gate of %g %%: %s", 100*g.Limit, g.Outcome)))
		for _, r := range g.Reasons {
			p.Wrap("-", plain.Text(r))
		}
	}
	return s.Print(p)
}

// groupSides returns the headline of groups and the names of its lines.
func groupSides(groups []report.Group) (names []string, sides []side) {
	for _, g := range groups {
		sides = append(sides, side{titles: []string{plain.Text(g.Name)}})
	}
	for _, key := range headline {
		cells, name := make([]figure, len(groups)), ""
		for i, g := range groups {
			cells[i].value = "-"
			for _, x := range g.Figures {
				if x.Key == key {
					name, cells[i] = x.Name, figure{report.GroupValue(x), report.Bounds(x.Unit, x.Interval)}
				}
			}
		}
		if name == "" {
			continue
		}
		names = append(names, name)
		for i := range sides {
			sides[i].cells = append(sides[i].cells, cells[i])
		}
	}
	return names, sides
}

// differenceTable shows the differences of the headline.
func differenceTable(differences []frames.Difference, reasons *[]string) layout.Table {
	t := layout.Table{Columns: []layout.Column{{Left: true, Min: 20}, {Title: "difference"}, {Title: "interval", Left: true, Drop: 1}, {Title: "result", Left: true}}}
	for _, key := range headline {
		for _, x := range differences {
			if x.Key == key {
				bounds, result := report.DifferenceBounds(x), report.Verdict(x)
				if bounds == "" {
					result = footnote(reasons, x.Interval.Reason)
				}
				t.Rows = append(t.Rows, []string{x.Name, report.Change(x), bounds, result})
			}
		}
	}
	return t
}
