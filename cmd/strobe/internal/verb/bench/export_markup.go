// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"io"
	"strings"
)

// titles are those of a table in markup. The first column is aligned to the left, as the last is.
var titles = [...]string{"command", "mean, 95 %", "median", "range", "runs", "times the first, by round", "result"}

// table returns the cells of a table, a row for each command.
func (b *measurement) table() (rows [][len(titles)]string) {
	all := b.comparisons()
	for _, i := range b.sorted() {
		j := b.jobs[i]
		row := [len(titles)]string{strings.ReplaceAll(j.name, "\n", " "), "–", "–", "–", "0", "–", ""}
		if len(j.runs) > 0 {
			f := j.figures()
			row = [len(titles)]string{row[0], b.flags.inTime(f.mean), b.flags.duration(f.median), b.flags.duration(f.min) + " to " + b.flags.duration(f.max),
				fmt.Sprint(f.runs), "1", ""}
			if i > 0 {
				row[5], row[6] = strings.TrimSuffix(ratioText(all[i-1].Ratio), " times"), verdictText(all[i-1])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func exportMarkdown(w io.Writer, b *measurement, _ bool) error {
	fmt.Fprintf(w, "| %s |\n|---|--:|--:|--:|--:|--:|---|\n", strings.Join(titles[:], " | "))
	for _, row := range b.table() {
		row[0] = "`" + strings.NewReplacer("|", `\|`, "`", "'").Replace(row[0]) + "`"
		fmt.Fprintf(w, "| %s |\n", strings.Join(row[:], " | "))
	}
	return nil
}

func exportASCIIDoc(w io.Writer, b *measurement, _ bool) error {
	fmt.Fprintf(w, "[cols=\"<,>,>,>,>,>,<\",options=\"header\"]\n|===\n| %s\n", strings.Join(titles[:], " | "))
	for _, row := range b.table() {
		row[0] = "`+" + strings.ReplaceAll(row[0], "|", `\|`) + "+`"
		fmt.Fprintf(w, "\n| %s\n", strings.Join(row[:], "\n| "))
	}
	_, err := fmt.Fprintln(w, "|===")
	return err
}

func exportOrg(w io.Writer, b *measurement, _ bool) error {
	fmt.Fprintf(w, "| %s |\n|%s--|\n", strings.Join(titles[:], " | "), strings.Repeat("--+", len(titles)-1))
	for _, row := range b.table() {
		row[0] = "=" + strings.ReplaceAll(row[0], "|", `\vert{}`) + "="
		fmt.Fprintf(w, "| %s |\n", strings.Join(row[:], " | "))
	}
	return nil
}
