// SPDX-License-Identifier: BSD-3-Clause

package exact

import "strings"

// Lines turns benchmark lines of the emulated machine into what they mean there. The zero value changes nothing.
type Lines struct {
	Unit string // what a ns/op is there, "" if it is time
	said bool
}

// Rewrite returns what to print for a line: times per operation have another unit, and what is per second means nothing. Before the first of them a line tells benchstat that less is better.
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
	return []string{"Unit " + l.Unit + " better=lower", line}
}
