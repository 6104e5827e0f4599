// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"strings"

	"github.com/google/pprof/profile"
)

var modules = [2][]string{{"m"}, {"m"}}

const period = 10e6 // ns

// harness is what stands above each benchmark.
const harness = "runtime.goexit testing.(*B).launch testing.(*B).runN "

// made makes a profile of stacks, outermost function first, with their values. A plus sign means that a function was inlined into the
// one before.
func made(types []string, stacks map[string][]int64) *profile.Profile {
	p := &profile.Profile{Period: period}
	for _, t := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t})
	}
	functions := map[string]*profile.Function{}
	for text, values := range stacks {
		s := &profile.Sample{Value: values}
		for name := range strings.FieldsSeq(text) {
			name, inlined := strings.CutPrefix(name, "+")
			f := functions[name]
			if f == nil {
				f = &profile.Function{ID: uint64(len(functions) + 1), Name: name}
				functions[name] = f
			}
			if inlined {
				s.Location[0].Line = append([]profile.Line{{Function: f}}, s.Location[0].Line...)
				continue
			}
			s.Location = append([]*profile.Location{{Line: []profile.Line{{Function: f}}}}, s.Location...)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// cpu makes a processor profile of samples by stack.
func cpu(stacks map[string]int) *profile.Profile {
	values := map[string][]int64{}
	for text, n := range stacks {
		values[text] = []int64{int64(n), int64(n) * period}
	}
	return made([]string{"samples", "cpu"}, values)
}

// add adds a run whose stacks below the benchmark are these, and that took as long as its samples say, or longer by idle periods.
func add(p *Profiles, side, idle int, stacks map[string]int) {
	all, n := map[string]int{}, idle
	for text, count := range stacks {
		all[harness+text] = count
		n += count
	}
	if err := p.Add(side, Run{Calls: n * period / 1000, Elapsed: float64(n) * period, Profile: cpu(all)}); err != nil {
		panic(err)
	}
}

// function returns one of a comparison, by its name without the package.
func (c *Comparison) function(name string) *Function {
	for i := range c.Functions {
		if Short(c.Functions[i].Name) == name {
			return &c.Functions[i]
		}
	}
	return &Function{}
}
