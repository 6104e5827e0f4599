// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// mostJobs limits the number of commands that parameters make.
const mostJobs = 1000

// sets returns all combinations of the parameters; one empty combination if there are none. The first parameter changes fastest,
// as with hyperfine.
func (f *Flags) sets() ([][]param, error) {
	type values struct {
		flag, name string
		all        []string
	}
	var given []values
	for _, text := range f.Param {
		name, all, err := parseParam(text)
		if err != nil {
			return nil, fmt.Errorf("--param: %q: %w", text, err)
		}
		given = append(given, values{"--param", name, all})
	}
	for _, words := range f.List {
		given = append(given, values{"--parameter-list", words[0], splitList(words[1])})
	}
	if f.Step != "" && len(f.Scan) == 0 {
		return nil, errors.New("--parameter-step-size: it is the step of --parameter-scan, which is missing")
	}
	for _, words := range f.Scan {
		step := f.Step
		if step == "" {
			step = "1"
		}
		all, err := scan(words[1], words[2], step)
		if err != nil {
			return nil, fmt.Errorf("--parameter-scan: %w", err)
		}
		given = append(given, values{"--parameter-scan", words[0], all})
	}
	sets := [][]param{nil}
	seen := map[string]bool{}
	for _, g := range given {
		if seen[g.name] {
			return nil, fmt.Errorf("%s: %s is given twice", g.flag, g.name)
		}
		if seen[g.name] = true; !f.mentions(g.name) {
			return nil, fmt.Errorf("%s: no command contains {%s}", g.flag, g.name)
		}
		var more [][]param
		for _, v := range g.all {
			for _, set := range sets {
				more = append(more, append(set[:len(set):len(set)], param{g.name, v}))
			}
		}
		if sets = more; len(sets)*len(f.Commands) > mostJobs {
			return nil, fmt.Errorf("%s: more than %d commands to run", g.flag, mostJobs)
		}
	}
	return sets, nil
}

func (f *Flags) mentions(name string) bool {
	for _, text := range slices.Concat([]string{f.Setup, f.Cleanup}, f.Prepare, f.Conclude, f.Output, f.Commands) {
		if strings.Contains(text, "{"+name+"}") {
			return true
		}
	}
	return false
}

// parseParam reads NAME=a,b,c or NAME=FROM..TO or NAME=FROM..TO:STEP.
func parseParam(text string) (name string, values []string, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" || strings.ContainsAny(name, "{} ") {
		return "", nil, errors.New("give NAME=1,2,4 or NAME=1..9 or NAME=0..100:20")
	}
	from, to, isRange := strings.Cut(list, "..")
	if !isRange {
		return name, strings.Split(list, ","), nil
	}
	to, by, stepped := strings.Cut(to, ":")
	if !stepped {
		by = "1"
	}
	values, err = scan(from, to, by)
	return name, values, err
}

// splitList splits a list at commas. A backslash escapes a comma or a backslash.
func splitList(text string) (values []string) {
	var value strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == ',' || text[i+1] == '\\'):
			i++
			value.WriteByte(text[i])
		case c == ',':
			values = append(values, value.String())
			value.Reset()
		default:
			value.WriteByte(c)
		}
	}
	return append(values, value.String())
}

// scan returns the numbers from one to another, with as many decimals as the start and the step have. The first is unchanged.
func scan(from, to, by string) (values []string, err error) {
	var x [3]float64
	decimals := 0
	for i, text := range []string{from, to, by} {
		if x[i], err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return nil, fmt.Errorf("%q is not a number", text)
		}
		for _, form := range []string{text, strconv.FormatFloat(x[i], 'f', -1, 64)} {
			if _, fraction, ok := strings.Cut(form, "."); ok && i != 1 && !strings.ContainsAny(form, "eExX") {
				decimals = max(decimals, len(fraction))
			}
		}
	}
	steps := (x[1] - x[0]) / x[2]
	if !(x[2] > 0) || !(steps >= 0) || steps > mostJobs {
		return nil, fmt.Errorf("%s to %s by %s is not a range of at most %d values", from, to, by, mostJobs)
	}
	for i := range int(steps+1e-9) + 1 {
		values = append(values, strconv.FormatFloat(x[0]+float64(i)*x[2], 'f', decimals, 64))
	}
	values[0] = from
	return values, nil
}
