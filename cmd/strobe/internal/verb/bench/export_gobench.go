// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

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
