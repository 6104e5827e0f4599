// SPDX-License-Identifier: BSD-3-Clause

package machine

import "strings"

// Lines rewrites the benchmark lines of the emulated machine, whose ns are instructions. The zero value changes nothing.
type Lines struct {
	Unit  string // what ns/op are there; empty if they are times
	Exact bool   // the same program gives the same values
	said  bool
}

// Rewrite returns what to print for a line: ns/op get the other unit, and values per second are dropped. A line before the first
// benchmark tells benchstat that less is better, and that values are exact.
func (l *Lines) Rewrite(line string) []string {
	if l.Unit == "" || !strings.HasPrefix(line, "Benchmark") || !strings.Contains(line, " ns/op") {
		return []string{line}
	}
	fields := strings.Split(line, "\t")
	kept := fields[:0]
	for _, f := range fields {
		if before, ok := strings.CutSuffix(f, " ns/op"); ok {
			f = before + " " + l.Unit
		}
		if !strings.HasSuffix(f, "/s") {
			kept = append(kept, f)
		}
	}
	line = strings.Join(kept, "\t")
	if l.said {
		return []string{line}
	}
	l.said = true
	unit := "Unit " + l.Unit + " better=lower"
	if l.Exact {
		unit += " assume=exact"
	}
	return []string{unit, line}
}
