// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// mostJobs bounds what a parameter scan may multiply to.
const mostJobs = 1000

// plan makes the jobs: every command with every combination of parameters.
func (c *benchCmd) plan() ([]*job, error) {
	if n := len(c.Name); n > 0 && n != len(c.Commands) {
		return nil, fmt.Errorf("--name: %d names for %d commands; give each one or none", n, len(c.Commands))
	}
	sets := [][]param{nil}
	for _, text := range c.Param {
		name, values, err := parseParam(text)
		if err != nil {
			return nil, fmt.Errorf("--param: %q: %w", text, err)
		}
		if !c.mentions(name) {
			return nil, fmt.Errorf("--param: {%s} stands in no command", name)
		}
		var more [][]param
		for _, set := range sets {
			for _, v := range values {
				more = append(more, append(set[:len(set):len(set)], param{name, v}))
			}
		}
		if sets = more; len(sets)*len(c.Commands) > mostJobs {
			return nil, fmt.Errorf("--param: more than %d commands to run", mostJobs)
		}
	}
	var jobs []*job
	for i, text := range c.Commands {
		for _, set := range sets {
			j := &job{text: fill(text, set), params: set}
			j.name = named(text, set)
			if len(c.Name) > 0 {
				j.name = named(c.Name[i], set)
			}
			for what, of := range map[string]struct {
				words *[]string
				text  string
			}{"CMD": {&j.args, text}, "--prepare": {&j.prepare, c.Prepare}, "--cleanup": {&j.cleanup, c.Cleanup}} {
				if of.text == "" && what != "CMD" {
					continue
				}
				var err error
				if *of.words, err = c.words(fill(of.text, set)); err != nil {
					return nil, fmt.Errorf("%s: %q: %w", what, of.text, err)
				}
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// words returns how a command is started.
func (c *benchCmd) words(text string) ([]string, error) {
	if c.Shell {
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("no program in it")
		}
		return command.Shell(text), nil
	}
	return command.Split(text)
}

func (c *benchCmd) mentions(name string) bool {
	for _, text := range append([]string{c.Prepare, c.Cleanup}, c.Commands...) {
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

// named returns a name given by hand, with the parameters that it does not mention itself.
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
			return "", nil, fmt.Errorf("%q is no number", t)
		}
	}
	steps := (x[1] - x[0]) / x[2]
	if !(x[2] > 0) || !(steps >= 0) || steps > mostJobs {
		return "", nil, fmt.Errorf("from %s to %s by %s is no range of at most %d values", from, to, by, mostJobs)
	}
	for i := range int(steps+1e-9) + 1 {
		values = append(values, strconv.FormatFloat(x[0]+float64(i)*x[2], 'g', 12, 64))
	}
	return name, values, nil
}

// A share is a share, written "5%" or "0.05".
type share float64

func (p *share) UnmarshalText(text []byte) error {
	number, isPercent := strings.CutSuffix(string(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v >= 0 && (v < 1 || isPercent && v < 100)) { // NaN is neither
		return fmt.Errorf("%q is no share; give one such as 5%% or 0.05", text)
	}
	*p = share(v)
	return nil
}

// An amount is how many times something is done.
type amount int

func (n *amount) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 0 || v > 10_000_000 {
		return fmt.Errorf("%q is no number of runs; give a whole number from 0 on", text)
	}
	*n = amount(v)
	return nil
}
