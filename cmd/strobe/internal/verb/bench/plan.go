// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// mostJobs limits the number of commands that parameters make.
const mostJobs = 1000

// plan makes the jobs: every command with every combination of parameters.
func (f *Flags) plan() ([]*job, error) {
	if n := len(f.Name); n > 0 && n != len(f.Commands) {
		return nil, fmt.Errorf("--name: %d names for %d commands; give each one or none", n, len(f.Commands))
	}
	sets := [][]param{nil}
	for _, text := range f.Param {
		name, values, err := parseParam(text)
		if err != nil {
			return nil, fmt.Errorf("--param: %q: %w", text, err)
		}
		if !f.mentions(name) {
			return nil, fmt.Errorf("--param: no command contains {%s}", name)
		}
		var more [][]param
		for _, set := range sets {
			for _, v := range values {
				more = append(more, append(set[:len(set):len(set)], param{name, v}))
			}
		}
		if sets = more; len(sets)*len(f.Commands) > mostJobs {
			return nil, fmt.Errorf("--param: more than %d commands to run", mostJobs)
		}
	}
	for flag, n := range map[string]int{"--prepare": len(f.Prepare), "--output": len(f.Output)} {
		if n > 1 && n != len(f.Commands) {
			return nil, fmt.Errorf("%s: %d for %d commands; give one for all, or each one its own", flag, n, len(f.Commands))
		}
	}
	var jobs []*job
	for i, text := range f.Commands {
		for _, set := range sets {
			j := &job{text: fill(text, set), params: set}
			j.name = named(text, set)
			if len(f.Name) > 0 {
				j.name = named(f.Name[i], set)
			}
			j.output = fill(of(f.Output, i), set)
			for what, word := range map[string]struct {
				words *[]string
				text  string
			}{"CMD": {&j.args, text}, "--setup": {&j.setup, f.Setup}, "--prepare": {&j.prepare, of(f.Prepare, i)}, "--cleanup": {&j.cleanup, f.Cleanup}} {
				if word.text == "" && what != "CMD" {
					continue
				}
				var err error
				if *word.words, err = f.words(fill(word.text, set), what == "CMD"); err != nil {
					return nil, fmt.Errorf("%s: %q: %w", what, word.text, err)
				}
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// of returns the i-th of a flag that is given once for all or for each command.
func of(all []string, i int) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return all[i]
}

// words returns the words that start a command. All timed commands run in the shell if one of them needs it, so that they are
// comparable; others run in it if they need it themselves.
func (f *Flags) words(text string, timed bool) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("names no program")
	}
	if timed && f.inShell() || !timed && f.shellFor([]string{text}) {
		return command.Shell(f.shell(), text)
	}
	return command.Split(text)
}

// inShell reports whether timed commands run in a shell.
func (f *Flags) inShell() bool { return f.shellFor(f.Commands) }

func (f *Flags) shellFor(texts []string) bool {
	switch {
	case f.NoShell || f.Shell == "none":
		return false
	case f.Shell == "auto" || f.Shell == "":
		return slices.ContainsFunc(texts, command.NeedsShell)
	}
	return true
}

// shell returns the command of the shell, "" for the system's.
func (f *Flags) shell() string {
	if f.Shell == "auto" || f.Shell == "default" {
		return ""
	}
	return f.Shell
}

func (f *Flags) mentions(name string) bool {
	for _, text := range slices.Concat([]string{f.Setup, f.Cleanup}, f.Prepare, f.Output, f.Commands) {
		if strings.Contains(text, "{"+name+"}") {
			return true
		}
	}
	return false
}

// fill replaces {NAME} by the parameter's value.
func fill(text string, set []param) string {
	for _, p := range set {
		text = strings.ReplaceAll(text, "{"+p.name+"}", p.value)
	}
	return text
}

// named returns the name of a job: that given, followed by the parameters that it does not mention.
func named(name string, set []param) string {
	for _, p := range set {
		if !strings.Contains(name, "{"+p.name+"}") {
			name += " " + p.name + "=" + p.value
		}
	}
	return fill(name, set)
}

// parseParam reads NAME=a,b,c or NAME=FROM..TO or NAME=FROM..TO:STEP.
func parseParam(text string) (name string, values []string, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" || strings.ContainsAny(name, "{} ") {
		return "", nil, errors.New("give NAME=1,2,4 or NAME=1..9 or NAME=0..100:20")
	}
	from, to, scan := strings.Cut(list, "..")
	if !scan {
		return name, strings.Split(list, ","), nil
	}
	to, by, stepped := strings.Cut(to, ":")
	if !stepped {
		by = "1"
	}
	var x [3]float64
	for i, t := range []string{from, to, by} {
		if x[i], err = strconv.ParseFloat(t, 64); err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return "", nil, fmt.Errorf("%q is not a number", t)
		}
	}
	steps := (x[1] - x[0]) / x[2]
	if !(x[2] > 0) || !(steps >= 0) || steps > mostJobs {
		return "", nil, fmt.Errorf("%s to %s by %s is not a range of at most %d values", from, to, by, mostJobs)
	}
	for i := range int(steps+1e-9) + 1 {
		values = append(values, strconv.FormatFloat(x[0]+float64(i)*x[2], 'g', 12, 64))
	}
	return name, values, nil
}
