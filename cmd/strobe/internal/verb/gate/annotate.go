// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/stat/decide"
)

// source returns where what did not pass is to be looked at in the working tree: of the functions in the checkout that made the
// benchmark slower, the first one that was edited, or else one that calls them and was edited, or else the first. Without any it is the
// benchmark. The file has slashes and is below the top of the checkout; it is empty if it is not known, or not in the checkout.
func (m *measurement) source(b *benchmark) (file string, line int) {
	causes := b.explained.sources()
	for _, s := range append(causes, b.explained.callers()...) {
		if below := m.tracked(b.pkg.file(s)); below != "" && m.edits.touches(b.pkg.file(s), below, s.Line) {
			return below, s.Line
		}
	}
	for _, s := range causes {
		if file = m.tracked(b.pkg.file(s)); file != "" {
			return file, s.Line
		}
	}
	top, _, _ := strings.Cut(b.name, "/")
	at := b.pkg.tests[newSide].function("Benchmark" + top)
	if file = m.tracked(at.Filename); file == "" {
		return "", 0
	}
	return file, at.Line
}

// sources returns where the functions begin that Cause and Allocates name.
func (e *explanation) sources() (all []profdiff.Source) {
	if e == nil {
		return nil
	}
	for _, f := range e.compared.Causes() {
		all = append(all, f.Source)
	}
	for _, a := range profdiff.Allocating(e.allocations) {
		all = append(all, a.Source)
	}
	return all
}

// callers returns where the functions begin that with all that they call account for most of what the benchmark became slower by,
// those with the least other time first.
func (e *explanation) callers() (all []profdiff.Source) {
	if e == nil {
		return nil
	}
	growth := e.compared.Cost.Call[newSide] - e.compared.Cost.Call[oldSide]
	functions := slices.DeleteFunc(slices.Clone(e.compared.Functions), func(f profdiff.Function) bool {
		return !f.Total.Changed || !(growth > 0) || f.Total.Difference.Center < growth/2
	})
	slices.SortStableFunc(functions, func(a, b profdiff.Function) int { return cmp.Compare(a.Total.New, b.Total.New) })
	for _, f := range functions {
		all = append(all, f.Source)
	}
	return all
}

// file returns the path of a file that the compiler named with -trimpath: by the import path of its package. It is empty if no such
// file is where the module of this package would have it.
func (p *pkg) file(s profdiff.Source) string {
	below, err := filepath.Rel(filepath.FromSlash(p.path), filepath.FromSlash(s.File))
	if err != nil || s.File == "" {
		return ""
	}
	file := filepath.Join(p.dirs[newSide], below)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// tracked returns the path of a file below the top of the checkout.
func (m *measurement) tracked(file string) string {
	dir, err := os.Getwd()
	if m.checkout == nil || file == "" || err != nil {
		return ""
	}
	below, err := filepath.Rel(dir, file)
	if below = path.Join(m.checkout.Prefix, filepath.ToSlash(below)); err != nil || !fs.ValidPath(below) {
		return ""
	}
	return below
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
