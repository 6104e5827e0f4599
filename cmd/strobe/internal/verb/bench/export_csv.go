// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
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

// exportSummary writes a row for each command, with the columns and units, seconds, that hyperfine's CSV has.
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
