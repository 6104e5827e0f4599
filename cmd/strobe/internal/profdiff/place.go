// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// The categories of stacks without a function of a module.
const (
	Collector = "garbage collection"
	Scheduler = "scheduler"
	elsewhere = "runtime"
)

// inRuntime reports whether a name is one of these.
func inRuntime(name string) bool { return name == Collector || name == Scheduler || name == elsewhere }

// A program distinguishes functions of modules from those of the standard library.
type program struct {
	modules []string // paths, that of the main module first; nil if they are not known
	rename  string   // path that replaces that of the main module, so that a new major version has the same names; empty for none
}

// packageOf returns the import path in the name of a function, such as "example.com/m.(*T).F[...]".
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[") // type arguments have paths too
	slash := strings.LastIndexByte(name, '/') + 1
	last, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + last
}

// standard reports whether a function is part of the standard library.
func (p program) standard(function string) bool {
	path := packageOf(function)
	if p.modules == nil {
		first, _, _ := strings.Cut(path, "/")
		return !strings.Contains(first, ".")
	}
	return !slices.ContainsFunc(p.modules, func(module string) bool { return within(path, module) })
}

// within reports whether a package is part of a module.
func within(path, module string) bool {
	rest, ok := strings.CutPrefix(path, module)
	return ok && (rest == "" || rest[0] == '/' || rest == "_test")
}

// renamed returns the name that a function has on the new side if nothing but the path of its module changed.
func (p program) renamed(function string) string {
	if p.rename != "" && len(p.modules) > 0 && within(packageOf(function), p.modules[0]) {
		return p.rename + function[len(p.modules[0]):]
	}
	return function
}

// A Source is where a function begins on the new side. Absent for what is not in its profile, or is no function.
type Source struct {
	File string `json:"file,omitempty"` // as the build names it: with -trimpath, the import path of the package and the name of the file
	Line int    `json:"line,omitempty"` // of the keyword func
}

// sources are those of the functions of a side, by name.
type sources map[string]Source

// note adds those of a profile.
func (s sources) note(p *profile.Profile) {
	for _, f := range p.Function {
		if f.StartLine > 0 {
			s[f.Name] = Source{f.Filename, int(f.StartLine)}
		}
	}
}

// untimed are functions of package testing that benchmarks call while their timer stands still.
var untimed = []string{"testing.(*B).ResetTimer", "testing.(*B).StartTimer", "testing.(*B).StopTimer"}

// place returns the part of a stack, outermost function first, that belongs to a benchmark. entry says that its first function is
// the benchmark's. ok is false for the work of package testing itself.
func (p program) place(stack []string) (frames []string, entry, ok bool) {
	last := -1
	for i, name := range stack {
		switch {
		case name == "testing.(*B).runN", strings.HasPrefix(name, "testing.(*B).RunParallel.func"):
			last = i
		case slices.Contains(untimed, name):
			return nil, false, false
		}
	}
	frames = stack[last+1:]
	if len(frames) == 0 {
		return nil, false, false
	}
	switch outermost := packageOf(frames[0]); {
	case last >= 0 && outermost == "runtime", outermost == "testing", outermost == "runtime/pprof", outermost == "main", frames[0] == "runtime.main":
		return nil, false, false
	}
	return frames, last >= 0, true
}

// owner returns what the cost of a stack belongs to: the collector, or the innermost function that is not of the standard library.
func (p program) owner(frames []string) string {
	if slices.ContainsFunc(frames, collects) {
		return Collector
	}
	for i := len(frames) - 1; i >= 0; i-- {
		if !p.standard(frames[i]) {
			return frames[i]
		}
	}
	switch {
	case packageOf(frames[0]) != "runtime": // a goroutine of the standard library
		return frames[0]
	case slices.ContainsFunc(frames, schedules):
		return Scheduler
	}
	return elsewhere
}

// collects reports whether a function of the runtime collects garbage.
func collects(name string) bool {
	switch name {
	case "runtime.bgsweep", "runtime.bgscavenge", "runtime.GC", "runtime._GC", "runtime.deductSweepCredit", "runtime.wbBufFlush":
		return true
	}
	return strings.HasPrefix(name, "runtime.gc")
}

// schedules reports whether a function of the runtime looks for something to run.
func schedules(name string) bool {
	switch name {
	case "runtime.mcall", "runtime.schedule", "runtime.findRunnable", "runtime.mstart", "runtime.sysmon", "runtime.park_m", "runtime.gosched_m", "runtime.goschedImpl":
		return true
	}
	return false
}
