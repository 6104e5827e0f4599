// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import "strings"

// least is the number of samples that a function must have to be compared.
const least = 10

// moved returns the new names of functions of the base that moved: they are gone, and exactly one function of the same name is
// new in another package. A renamed function is not found: it counts as removed, and its new name as added.
func (p *Profiles) moved() map[string]string {
	base, latest := p.sides[Base].names(), p.sides[New].names()
	gone, came := p.onlyIn(Base, base, latest), p.onlyIn(New, latest, base)
	names := map[string]string{}
	if old, to := p.sides[Base].entry, p.sides[New].entry; old != "" && to != "" && old != to { // a benchmark with another name
		names[old] = to
	}
	for name, old := range gone {
		if to := came[name]; len(old) == 1 && len(to) == 1 {
			names[old[0]] = to[0]
		}
	}
	return names
}

// onlyIn returns the functions that only one side has, by their names without the package.
func (p *Profiles) onlyIn(side int, here, there map[string]int) map[string][]string {
	only := map[string][]string{}
	for f, n := range here {
		if there[f] == 0 && n >= least && !inRuntime(f) && !p.standard(f) {
			name := strings.TrimPrefix(f, packageOf(f))
			only[name] = append(only[name], f)
		}
	}
	return only
}

// names returns the number of samples of each function, those that it calls included.
func (s *sampled) names() map[string]int {
	n := map[string]int{}
	for _, r := range s.runs {
		for i, count := range r.count {
			for _, f := range s.stacks[i].frames {
				n[f] += count
			}
		}
	}
	return n
}
