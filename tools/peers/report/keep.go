// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Keep returns a page with the tables of an older page that this one lacks, marked with when and by which clock they were measured.
// Tables that take hours are not measured again with the others.
func Keep(page, old string, tables []Table) string {
	now, before := split(page), split(old)
	for _, t := range tables {
		k := before.section(t.Title)
		if k == nil || strings.Contains(k.text, "Not measured here.") || now.section(t.Title) != nil {
			continue
		}
		text := k.text
		if !strings.Contains(text, keptFrom) {
			text = strings.Replace(text, "`Benchmark", keptFrom+before.fact("date")+" at commit "+before.fact("commit")+" with the clock "+before.fact("clock source of the system")+". `Benchmark", 1)
		}
		now.add(section{t.Title, text})
		for _, verdict := range verdicts {
			now.goals(verdict, before.rows(verdict, "| "+t.Name+" |"))
		}
		now.count(linesWith(before.intro, "| ["+t.Title+"]"))
	}
	return now.text()
}

const keptFrom = "Measured on "

var verdicts = []string{"Goals missed", "Goals met", "Goals not measured here"}

// A document is a page in parts.
type document struct {
	intro    string // with the summary
	sections []section
}

type section struct{ title, text string } // the text begins after the heading

func split(page string) *document {
	page, _, _ = strings.Cut(page, "<!-- sum ")
	parts := strings.Split(page, "\n## ")
	d := &document{intro: parts[0] + "\n"}
	for _, p := range parts[1:] {
		title, text, _ := strings.Cut(p, "\n")
		d.sections = append(d.sections, section{title, strings.TrimRight(text, "\n") + "\n\n"})
	}
	return d
}

func (d *document) text() string {
	var b strings.Builder
	b.WriteString(d.intro)
	for _, s := range d.sections {
		fmt.Fprintf(&b, "## %s\n%s", s.title, s.text)
	}
	return sealed(b.String())
}

func (d *document) section(title string) *section {
	if i := slices.IndexFunc(d.sections, func(s section) bool { return s.title == title }); i >= 0 {
		return &d.sections[i]
	}
	return nil
}

func (d *document) add(s section) { d.sections = append(d.sections, s) }

// fact returns a line about the machine.
func (d *document) fact(name string) string {
	if s := d.section("Measured on"); s != nil {
		if m := regexp.MustCompile(`(?m)^\| ` + name + ` \| (.*) \|$`).FindStringSubmatch(s.text); m != nil {
			return m[1]
		}
	}
	return "an unknown " + name
}

// rows returns the lines of a section that begin with a text.
func (d *document) rows(title, with string) string {
	if s := d.section(title); s != nil {
		return linesWith(s.text, with)
	}
	return ""
}

func linesWith(text, with string) (out string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, with) {
			out += line
		}
	}
	return out
}

// goals adds rows to a list of goals.
func (d *document) goals(verdict, rows string) {
	if rows == "" {
		return
	}
	if d.section(verdict) == nil {
		at := slices.IndexFunc(d.sections, func(s section) bool { return !slices.Contains(verdicts[:slices.Index(verdicts, verdict)], s.title) })
		d.sections = slices.Insert(d.sections, max(at, 0), section{verdict, goalsHead + "\n"})
	}
	s := d.section(verdict)
	s.text = strings.TrimRight(s.text, "\n") + "\n" + rows + "\n"
}

// count adds rows to the summary, and to its last row.
func (d *document) count(rows string) {
	before, all, _ := strings.Cut(d.intro, "| all |")
	line, after, _ := strings.Cut(all, "\n")
	sums := strings.Split(strings.Trim(line, "| "), " | ")
	for row := range strings.Lines(rows) {
		for i, cell := range strings.Split(strings.Trim(row, "| \n"), " | ")[1:] {
			a, _ := strconv.Atoi(sums[i])
			b, _ := strconv.Atoi(cell)
			sums[i] = strconv.Itoa(a + b)
		}
	}
	d.intro = before + rows + "| all | " + strings.Join(sums, " | ") + " |\n" + after
}
