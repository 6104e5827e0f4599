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
