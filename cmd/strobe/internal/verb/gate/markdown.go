// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// markdown writes the report for a comment or a summary.
func (r *report) markdown(w io.Writer) error {
	var b bytes.Buffer
	base, latest := r.m.sides()
	fmt.Fprintf(&b, "### Performance: %s\n\n", r.verdict())
	for _, text := range r.m.altered {
		fmt.Fprintf(&b, "- **this change alters what is allowed**: %s\n", escape(text))
	}
	fmt.Fprintf(&b, "\n%s against %s; %s.\n", latest, base, r.m.effort())
	if len(r.rows) > 0 {
		titles := r.titles()
		fmt.Fprintf(&b, "\n| package | benchmark | %s |\n|---|---|---:|---:|---%s|---:|---|\n", strings.Join(titles[1:], " | "), strings.Repeat("|---:", len(titles)-6))
		for _, x := range r.shown() {
			for _, line := range append(r.cells(x), r.answerCells(x)...) {
				cells := append([]string{x.pkg.path}, line...)
				for i := range cells {
					cells[i] = escape(cells[i])
				}
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
		}
	}
	b.WriteByte('\n')
	if len(r.rows) > 0 {
		fmt.Fprintf(&b, "%s.\n\n", r.coverage())
	}
	for _, x := range r.m.sizes {
		if x.apart {
			fmt.Fprintf(&b, "- size: %s\n", escape(x.sentence))
		}
	}
	for _, text := range r.some(r.gate.Reasons) {
		fmt.Fprintf(&b, "- %s\n", escape(text))
	}
	faults, _ := r.faults()
	for _, text := range r.some(faults) {
		fmt.Fprintf(&b, "- not measured: %s\n", escape(text))
	}
	for _, l := range []struct {
		mark  string
		names []string
	}{{"new", r.m.added}, {"vanished", r.m.vanished}, {"same program", r.m.unchanged}} {
		if len(l.names) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", l.mark, escape(r.list(l.names)))
		}
	}
	for _, text := range r.some(r.waivers()) {
		fmt.Fprintf(&b, "- waived: %s\n", escape(text))
	}
	for _, text := range r.remarks() {
		fmt.Fprintf(&b, "- note: %s\n", escape(text))
	}
	r.markdownCauses(&b)
	for _, command := range r.repeat() {
		fmt.Fprintf(&b, "\n```sh\n%s\n```\n", plain.Text(command))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// escape keeps what a benchmark is called, or printed, from being read as Markdown.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'", "*", `\*`, "_", `\_`, "[", `\[`).Replace(plain.Text(text))
}

// writeMarkdown writes the report where the flags and the environment want it.
func (r *report) writeMarkdown() error {
	if name := r.m.flags.Markdown; name != "" {
		if err := session.WriteFile(name, r.markdown); err != nil {
			return err
		}
	}
	name := os.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err == nil {
		err = r.markdown(f)
		if closed := f.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return session.Failure{Code: session.Unwritten, Err: fmt.Errorf("cannot append to $GITHUB_STEP_SUMMARY: %w", err)}
	}
	return nil
}

// markdownCauses writes the same for a comment.
func (r *report) markdownCauses(w io.Writer) {
	for _, x := range r.rows {
		e := x.explained
		if e == nil {
			continue
		}
		for _, t := range e.tables(x.title()) {
			fmt.Fprintf(w, "\n| %s |\n|---|---:|---:|---|---|\n", escapedRow(t.titles))
			for _, row := range t.rows {
				fmt.Fprintf(w, "| %s |\n", escapedRow(row))
			}
		}
		fmt.Fprintf(w, "\nProfiles of %s: %s.\n", escape(x.title()), escape(e.effort()+e.nothing()))
	}
}

func escapedRow(cells []string) string {
	escaped := make([]string, len(cells))
	for i, c := range cells {
		escaped[i] = escape(c)
	}
	return strings.Join(escaped, " | ")
}
