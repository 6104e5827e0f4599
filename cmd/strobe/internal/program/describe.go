// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
)

// mostNamed is how many functions a sentence names.
const mostNamed = 3

// Describe says in a few lines where zones are.
func Describe(p *instrument.Plan) (lines []string) {
	packages := map[string]bool{}
	for _, z := range p.Zones {
		packages[z.Package] = true
	}
	lines = append(lines, fmt.Sprintf("%s in %s; %s none (--list says why)", layout.Plural(uint64(len(p.Zones)), "zone"),
		layout.Plural(uint64(len(packages)), "package"), have(len(p.LeftOut))))
	for _, k := range []struct {
		kind shape.Kind
		what string
	}{{shape.Unit, "units"}, {shape.Wait, "waits"}} {
		var named []string
		n := 0
		for _, z := range p.Zones {
			if z.Kind != k.kind {
				continue
			}
			n++
			if text := plain.Name(z.Name, plain.Longest) + ", " + plain.Text(z.Why); len(named) < mostNamed && !slices.Contains(named, text) { // a function may wait in several places
				named = append(named, text)
			}
		}
		if n > 0 {
			lines = append(lines, k.what+": "+strings.Join(named, "; ")+more(n-len(named))+" (--list shows all, --skip leaves out)")
		}
	}
	if p.Unkept != "" {
		lines = append(lines, plain.Text(p.Unkept)+"; the program is built anew at each run")
	}
	if n := len(p.Costly); n > 0 {
		lines = append(lines, "left out, since measuring them slowed an earlier run: "+Costly(p.Costly)+" (--all-functions brings them back)")
	}
	return lines
}

// Costly names zones that slow a program, with the share of its time that they took, and what they had of the self time.
func Costly(all []instrument.Costly) string {
	all = slices.SortedStableFunc(slices.Values(all), func(a, b instrument.Costly) int { return cmp.Compare(b.Share, a.Share) })
	var named []string
	for _, c := range all[:min(mostNamed, len(all))] {
		text := plain.Name(c.Name, plain.Longest) + " by " + percent(c.Share)
		if c.Self > 0 {
			text += fmt.Sprintf(" (it had %s of the self time)", percent(c.Self))
		}
		named = append(named, text)
	}
	return strings.Join(named, ", ") + more(len(all)-len(named))
}

func percent(share float64) string { return layout.Fixed(100*share, 1) + " %" }

func have(functions int) string {
	if functions == 1 {
		return "1 function has"
	}
	return fmt.Sprintf("%d functions have", functions)
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}
