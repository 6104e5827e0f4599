// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// mostEvidence is how many lines of evidence are printed; the JSON has all.
const mostEvidence = 20

// show prints one report.
func show(s *session.Session, k kept) error {
	if s.JSON {
		return session.WriteJSON(s.Out, captureObject{Schema: session.Schema, reportObject: objectOf(k)})
	}
	p := s.Printer()
	p.Title(plain.Text(k.String()))
	what := []string{k.Program, k.At.UTC().Format("2006-01-02 15:04:05.000 UTC"), k.Go, k.System}
	for _, n := range k.Notes {
		what = append(what, n.Key+" "+n.Value)
	}
	p.WriteByte('\n')
	p.Wrap("", plain.Text(joined(what)))
	if len(k.Account) > 0 {
		p.WriteByte('\n')
		p.LeftOut(p.Table(accountTable(k.Report)))
	}
	if k.Split != nil {
		p.WriteByte('\n')
		p.Wrap("", "It was "+k.Split.String()+".")
	}
	if lines := evidence(k.Report); len(lines) > 0 {
		p.WriteString("\nEvidence\n")
		for _, line := range lines[:min(len(lines), mostEvidence)] {
			p.Wrap("-", line)
		}
		if more := len(lines) - mostEvidence; more > 0 {
			p.Wrap("-", fmt.Sprintf("and %d more, which --json has", more))
		}
	}
	if k.Next != "" {
		p.WriteByte('\n')
		p.Wrap("", "Next: "+plain.Text(k.Next))
	}
	for i, text := range missing(k.Report) {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Note(plain.Text(strings.TrimSuffix(text, ".")))
	}
	return s.Print(p)
}

// accountTable has a row for each part of the unit.
func accountTable(r capture.Report) layout.Table {
	t := layout.Table{Columns: []layout.Column{{Title: "cause", Left: true}, {Title: "this time"}, {Title: "usual"}, {Title: "share"}, {Title: "where", Left: true, Drop: 1}}}
	known := slices.ContainsFunc(r.Account, func(p capture.Part) bool { return p.Usual > 0 }) // else no ordinary unit was accounted for
	row := func(name string, took, usual time.Duration, where string) {
		before := ""
		if usual > 0 || known {
			before = duration(usual)
		}
		t.Rows = append(t.Rows, []string{name, duration(took), before, share(took, r.Took), where})
	}
	var small []capture.Part
	for _, part := range r.Account {
		if max(part.Took, part.Usual) < r.Took/1000 {
			small = append(small, part)
		} else {
			row(part.Cause.String(), part.Took, part.Usual, place(part))
		}
	}
	if len(small) > 0 {
		rest := time.Duration(0)
		for _, part := range small {
			rest += part.Took
		}
		t.Rows = append(t.Rows, []string{layout.Plural(uint64(len(small)), "smaller part"), duration(rest), "", share(rest, r.Took), ""})
	}
	row("together", r.Took, r.Usual, "")
	return t
}
