// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// exportCSV writes a row for each run.
func exportCSV(w io.Writer, b *measurement, _ bool) error {
	c := csv.NewWriter(w)
	c.Write([]string{"command", "run", "wall_ns", "user_ns", "system_ns", "peak_bytes", "preemptions", "exit_code"})
	for _, j := range b.jobs {
		for i, r := range j.runs {
			row := []string{j.name, strconv.Itoa(i + 1), fmt.Sprint(int64(r.Wall)), fmt.Sprint(int64(r.User)), fmt.Sprint(int64(r.System)), "", "", strconv.Itoa(r.Exit)}
			if r.Known.Peak {
				row[5] = fmt.Sprint(r.Peak)
			}
			if r.Known.Switches {
				row[6] = fmt.Sprint(r.Preempted)
			}
			c.Write(row)
		}
	}
	c.Flush()
	return c.Error()
}

// exportSummary writes a row for each command, with the columns and units (seconds) of hyperfine's CSV.
func exportSummary(w io.Writer, b *measurement, _ bool) error {
	c := csv.NewWriter(w)
	header := []string{"command", "mean", "stddev", "median", "user", "system", "min", "max"}
	for _, p := range b.jobs[0].params {
		header = append(header, "parameter_"+p.name)
	}
	c.Write(header)
	for _, j := range b.jobs {
		if len(j.runs) == 0 {
			continue
		}
		r := j.hyperfine()
		row := []string{r.Command, fmt.Sprint(r.Mean), "", fmt.Sprint(r.Median), fmt.Sprint(r.User), fmt.Sprint(r.System), fmt.Sprint(r.Min), fmt.Sprint(r.Max)}
		if r.StdDev != nil {
			row[2] = fmt.Sprint(*r.StdDev)
		}
		for _, p := range j.params {
			row = append(row, p.value)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// exportGo writes Go benchmark text: a line for each run.
func exportGo(w io.Writer, b *measurement, _ bool) error {
	fmt.Fprintf(w, "Unit peak-bytes better=lower\n\n")
	for _, j := range b.jobs {
		for _, r := range j.runs {
			fmt.Fprintf(w, "Benchmark%s 1 %d ns/op %g user-sec/op %g system-sec/op", goName(j.name), r.Wall, r.User.Seconds(), r.System.Seconds())
			if r.Known.Peak {
				fmt.Fprintf(w, " %d peak-bytes", r.Peak)
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

// goName makes a name that is valid in Go benchmark text: without blanks, and not starting with a lower-case letter.
func goName(name string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, name)
	return "/" + text
}

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
