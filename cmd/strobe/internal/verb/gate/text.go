// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// sides says what is compared.
func (m *measurement) sides() (base, latest string) {
	if m.checkout == nil {
		return "the working tree itself", "the working tree"
	}
	base = fmt.Sprintf("%.12s, the merge base of HEAD and %s", m.checkout.base, m.flags.Rev)
	latest = fmt.Sprintf("the working tree, %.12s", m.checkout.Head)
	if m.checkout.Status != "" {
		latest += " with changes that are not committed"
	}
	return base, latest
}

// effort says what was spent.
func (m *measurement) effort() string {
	text := fmt.Sprintf("%s of at most %s", m.spent.Round(100*time.Millisecond), time.Duration(m.flags.MaxTime))
	if m.layouts > 1 {
		text += fmt.Sprintf(", %d layouts of the code", m.layouts)
	}
	switch m.flags.by() {
	case "cpu":
		text += ", compared by processor time"
	case instructions:
		text += ", compared by " + instructions
	}
	return text
}

// write prints the report.
func (r *report) write(s *session.Session) error {
	p := s.Printer()
	base, latest := r.m.sides()
	for _, text := range r.m.altered {
		p.Wrap("rules ", text)
	}
	p.Wrap("base  ", base)
	p.Wrap("new   ", latest)
	p.Wrap("time  ", r.m.effort())
	var dropped []string
	titles := r.titles()
	rows := r.shown()
	for i := 0; i < len(rows); {
		t := layout.Table{Columns: []layout.Column{{Left: true, Min: 24}, {Min: 9, Drop: 3}, {Min: 9, Drop: 4}, {Left: true, Min: 26}, {Drop: 1}, {Left: true}}}
		if len(titles) > len(t.Columns) {
			t.Columns = slices.Insert(t.Columns, 4, layout.Column{Drop: 2})
		}
		for k, title := range titles {
			t.Columns[k].Title = title
		}
		t.Columns[0].Title = rows[i].pkg.path
		for first := i; i < len(rows) && rows[i].pkg == rows[first].pkg; i++ {
			t.Rows = append(t.Rows, r.cells(rows[i])...)
			t.Rows = append(t.Rows, r.answerCells(rows[i])...)
		}
		p.WriteByte('\n')
		dropped = append(dropped, p.Table(t)...)
	}
	p.LeftOut(dropped)
	p.WriteByte('\n')
	if len(rows) > 0 {
		p.Wrap("rows  ", r.coverage())
	}
	for _, x := range r.m.sizes {
		if x.apart {
			p.Wrap("size  ", x.sentence)
		}
	}
	faults, _ := r.faults()
	for _, text := range r.some(faults) {
		p.Wrap("not measured: ", text)
	}
	for _, l := range []struct {
		mark  string
		names []string
	}{{"new:      ", r.m.added}, {"vanished: ", r.m.vanished}, {"same program: ", r.m.unchanged}} {
		if len(l.names) > 0 {
			p.Wrap(l.mark, r.list(l.names))
		}
	}
	for _, text := range r.some(r.waivers()) {
		p.Wrap("waived: ", text)
	}
	for _, text := range r.remarks() {
		p.Note(text)
	}
	for _, text := range r.some(r.gate.Reasons) {
		p.Wrap("gate ", text)
	}
	r.printCauses(p)
	for _, command := range r.repeat() {
		p.Printf("again: %s\n", command)
	}
	return s.Print(p)
}

// printCauses prints what changed in the profiles.
func (r *report) printCauses(p *layout.Printer) {
	for _, x := range r.rows {
		e := x.explained
		if e == nil {
			continue
		}
		var dropped []string
		for _, c := range e.tables(x.title()) {
			t := layout.Table{Columns: []layout.Column{{Left: true, Min: 24}, {Min: 9, Drop: 3}, {Min: 9, Drop: 2}, {Left: true, Min: 20}, {Left: true, Drop: 1}}, Rows: c.rows}
			for i, title := range c.titles {
				t.Columns[i].Title = title
			}
			p.WriteByte('\n')
			dropped = append(dropped, p.Table(t)...)
		}
		p.LeftOut(dropped)
		p.WriteByte('\n')
		p.Wrap("profiles", "of "+x.title()+": "+e.effort()+e.nothing())
		for _, line := range e.kept() {
			p.Printf("%s\n", line)
		}
	}
}
