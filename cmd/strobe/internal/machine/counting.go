// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Instructions is the unit of the counts of a program built with Overlay.
const Instructions = "instructions/op"

// Environment returns the environment for a program in the machine: the variables of the Go runtime that are set here, and the
// given ones, each either NAME, for its value here, or NAME=VALUE. A program that counts its own instructions runs without
// garbage collections, unless GOGC is set, and without heap profiling: both would affect one operation in thousands, a different
// one in every build.
func (m Machine) Environment(counting bool, given ...string) []string {
	env := []string{"STROBE_EXACT=1"}
	set := map[string]string{}
	for _, name := range []string{"GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOTRACEBACK"} {
		if v, ok := os.LookupEnv(name); ok {
			set[name] = v
		}
	}
	for _, e := range given {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			value = os.Getenv(name)
		}
		set[name] = value
	}
	if _, ok := set["GOGC"]; !ok && counting {
		set["GOGC"] = "off"
		if _, ok := set["GOMEMLIMIT"]; !ok {
			set["GOMEMLIMIT"] = fmt.Sprintf("%dMiB", m.memory()*3/4) // otherwise the machine would run out of memory
		}
	}
	if counting && !strings.Contains(set["GODEBUG"], "memprofilerate=") {
		set["GODEBUG"] = strings.TrimPrefix(set["GODEBUG"]+",memprofilerate=0", ",")
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

// Lines rewrites the benchmark lines of the emulated machine, in which ns are instructions. The zero value changes nothing.
type Lines struct {
	Unit  string // unit that replaces ns/op; empty if ns/op are times
	Exact bool   // the same program gives the same values
	said  bool
}

// Rewrite returns the lines to print for a line: ns/op get the other unit, and values per second are dropped. A line before the
// first benchmark tells benchstat that less is better and whether values are exact.
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
