// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/stat/decide"
)

// source returns where a benchmark begins in the working tree: a file below the top of the checkout, with slashes, and a line. The
// file is empty if it is not known, or not in the checkout.
func (m *measurement) source(b *benchmark) (file string, line int) {
	top, _, _ := strings.Cut(b.name, "/")
	at := b.pkg.tests[newSide].function("Benchmark" + top)
	dir, err := os.Getwd()
	if m.checkout == nil || !at.IsValid() || err != nil {
		return "", 0
	}
	below, err := filepath.Rel(dir, at.Filename)
	if file = path.Join(m.checkout.Prefix, filepath.ToSlash(below)); err != nil || !fs.ValidPath(file) {
		return "", 0
	}
	return file, at.Line
}

// annotations returns commands for a GitHub workflow, a line each: errors for what failed, at its source, and warnings for what is
// undecided.
func (r *report) annotations() string {
	var lines strings.Builder
	message, property := strings.NewReplacer("%", "%25"), strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C") // plain text has no line ends
	add := func(outcome decide.Outcome, file string, line int, text string) {
		kind := "error"
		switch outcome {
		case decide.Passed:
			return
		case decide.Undecided:
			kind = "warning"
		}
		if fmt.Fprintf(&lines, "::%s ", kind); file != "" {
			fmt.Fprintf(&lines, "file=%s,line=%d,", property.Replace(plain.Text(file)), line)
		}
		fmt.Fprintf(&lines, "title=strobe gate::%s\n", message.Replace(plain.Text(text)))
	}
	for _, x := range r.rows {
		file, line := r.m.source(x.benchmark)
		add(x.outcome, file, line, x.sentence)
	}
	for _, x := range r.m.sizes {
		add(x.outcome, "", 0, x.sentence)
	}
	for _, text := range r.m.overdue() {
		add(decide.Failed, "", 0, text)
	}
	if faults, blame := r.faults(); blame {
		add(decide.Failed, "", 0, strings.Join(faults, "; "))
	}
	for _, text := range r.unseen() {
		add(decide.Undecided, "", 0, text)
	}
	return lines.String()
}
