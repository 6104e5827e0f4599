// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

const (
	pictureWidth   = 72
	mostCandidates = 12 // of a rise, in the text; the JSON has all
)

// write prints the report.
func (r *report) write(s *session.Session) error {
	p := s.Printer()
	x := r.last()
	text := fmt.Sprintf("%s, %s", x.name, layout.Plural(uint64(len(x.commits)-1), "commit"))
	if n := len(x.skipped); n > 0 {
		text += fmt.Sprintf(", %d of them skipped", n)
	}
	p.Wrap("range ", text)
	p.Wrap("ends  ", x.ends())
	p.Wrap("time  ", r.effort())
	if x.core != nil {
		p.Printf("where  %s\n", picture(x.core.Probabilities(), x.skipped, pictureWidth))
	}
	for _, c := range x.culprits() {
		p.WriteByte('\n')
		p.Title(fmt.Sprintf("%s  %s", c.short(), c.subject))
		p.Wrap(" ", fmt.Sprintf("%s, %s", c.author, c.date[:10]))
		p.Wrap(" ", x.verdict(c.found))
		p.Printf("  see:  %s\n", x.show(c.commit))
		p.Printf("  gate: %s\n", x.again(c.commit))
	}
	for _, set := range x.candidates() {
		p.WriteByte('\n')
		p.Wrap("", map[bool]string{true: "Not confirmed. It may be one of these commits:", false: "A further rise is not confirmed. It may be one of these commits:"}[len(x.culprits()) == 0])
		t := layout.Table{Columns: []layout.Column{{Left: true, Title: "commit"}, {Title: "probability"}, {Left: true, Title: "date", Drop: 1}, {Left: true, Title: "subject"}}}
		for _, c := range set[:min(len(set), mostCandidates)] {
			subject := layout.Head(c.subject, 60)
			if why := x.skipped[x.index[c.hash]]; why != "" {
				subject = layout.Head(subject, 36) + " (skipped)"
			}
			t.Rows = append(t.Rows, []string{c.short(), layout.Fixed(100*c.probability, 0) + " %", c.date[:10], subject})
		}
		p.Table(t)
		if more := len(set) - mostCandidates; more > 0 {
			p.Printf("and %s\n", plural(more, "other", "others"))
		}
	}
	if len(x.skipped) > 0 {
		p.WriteByte('\n')
	}
	for k, i := range x.skippedInOrder() {
		if k == 3 {
			p.Printf("skipped: %s\n", plural(len(x.skipped)-k, "other", "others"))
			break
		}
		p.Wrap("skipped:", fmt.Sprintf("%s %s", x.commits[i].short(), x.skipped[i]))
	}
	for _, text := range r.remarks() {
		p.Note(text)
	}
	return s.Print(p)
}

// show returns the command that shows what a commit changes.
func (x *search) show(c *commit) string { return "git show " + c.short() }

// again returns the command that compares a commit with its parent once more.
func (x *search) again(c *commit) string {
	return fmt.Sprintf("git checkout --detach %s && strobe gate HEAD~1 %s", c.short(), x.flags.again(x.chosenResult().Package, x.chosenResult().Pattern))
}

// verdict says what the comparison of a commit with its parent found.
func (x *search) verdict(c *comparison) string {
	r := x.chosenResult()
	text := fmt.Sprintf("%s.%s costs %s against its parent", r.Package, r.Name, c.Change)
	if x.flags.Exact {
		return text + " in instructions"
	}
	text += fmt.Sprintf(", proven with %s %% confidence", layout.Percent(min(0.9999, c.Level)))
	if c.Layouts > 1 {
		text += fmt.Sprintf(" in %d layouts of the code", c.Layouts)
	}
	return text
}

// skippedInOrder returns the indices of the commits that were skipped.
func (x *search) skippedInOrder() (all []int) {
	for i := range x.skipped {
		all = append(all, i)
	}
	slices.Sort(all)
	return all
}
