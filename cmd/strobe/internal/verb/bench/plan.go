// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"errors"
	"fmt"
	"math"
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
	var jobs []*job
	for i, text := range f.Commands {
		for _, set := range sets {
			j := &job{text: fill(text, set), params: set}
			j.name = named(text, set)
			if len(f.Name) > 0 {
				j.name = named(f.Name[i], set)
			}
			for what, of := range map[string]struct {
				words *[]string
				text  string
			}{"CMD": {&j.args, text}, "--prepare": {&j.prepare, f.Prepare}, "--cleanup": {&j.cleanup, f.Cleanup}} {
				if of.text == "" && what != "CMD" {
					continue
				}
				var err error
				if *of.words, err = f.words(fill(of.text, set)); err != nil {
					return nil, fmt.Errorf("%s: %q: %w", what, of.text, err)
				}
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// words returns the words that start a command.
func (f *Flags) words(text string) ([]string, error) {
	if f.Shell {
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("names no program")
		}
		return command.Shell(text), nil
	}
	return command.Split(text)
}

func (f *Flags) mentions(name string) bool {
	for _, text := range append([]string{f.Prepare, f.Cleanup}, f.Commands...) {
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
