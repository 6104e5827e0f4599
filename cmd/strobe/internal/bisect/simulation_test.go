// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/internal/tables"
	"github.com/strobe-go/strobe/stat/decide"
)

var update = flag.Bool("update", false, "write the table in docs/bisect.md anew")

// kinds are the histories of the simulation. Each changes the cost of one of n revisions, at and by how much.
var kinds = []struct {
	name string
	make func(h *history, n, at int, by float64)
}{
	{"one rise", func(h *history, n, at int, by float64) { h.step(at, by) }},
	{"a third does not build", func(h *history, n, at int, by float64) {
		h.step(at, by)
		for i := 1; i < n-1; i++ {
			h.broken[i] = i != at && i != at-1 && h.rng.IntN(3) == 0
		}
	}},
	{"two rises", func(h *history, n, at int, by float64) {
		h.step(at, by)
		h.step(1+(at-1+n/2)%(n-1), by)
	}},
	{"undone and done again", func(h *history, n, at int, by float64) {
		h.step(n/4, by)
		h.step(n/2, 1/(1+by)-1)
		h.step(n-n/4, by)
	}},
	{"a drift beside it", func(h *history, n, at int, by float64) {
		for i := range h.levels {
			h.levels[i] = 0.02 * float64(i) / float64(n)
		}
		h.step(at, by)
	}},
	{"a drift alone", func(h *history, n, at int, by float64) {
		for i := range h.levels {
			h.levels[i] = by * float64(i) / float64(n)
		}
	}},
}

// methods are compared on the same histories.
var methods = []struct {
	name   string
	bisect func(t testing.TB, h *history, by float64) []int
}{
	{"`strobe bisect`", func(t testing.TB, h *history, _ float64) []int { return h.search(t) }},
	{"`git bisect run`, threshold at half of the rise", func(_ testing.TB, h *history, by float64) []int {
		return h.gitBisect(func(good, commit []float64) bool { return median(commit)-median(good) > math.Log1p(by)/2 })
	}},
	{"`git bisect run`, U test at 5 %", func(_ testing.TB, h *history, _ float64) []int {
		return h.gitBisect(func(good, commit []float64) bool {
			p := decide.MannWhitney(slices.Sorted(slices.Values(good)), slices.Sorted(slices.Values(commit))).P
			return p < 0.05 && median(commit) > median(good)
		})
	}},
}

// A score counts what a method did with histories.
type score struct {
	right, wrong, none int     // histories by what was named: rises alone, anything else, nothing
	dear               int     // histories that took more than 2*log2(n)+6 gates
	gates              float64 // sum
}

// of returns the shares, for a table.
func (s score) cells() []string {
	n := float64(s.right + s.wrong + s.none)
	return []string{fmt.Sprintf("%.1f", 100*float64(s.right)/n), fmt.Sprintf("%.1f", 100*float64(s.wrong)/n), fmt.Sprintf("%.1f", 100*float64(s.none)/n), fmt.Sprintf("%.1f", s.gates/n)}
}

// simulate lets a method bisect histories with rises, and others without.
func simulate(t testing.TB, file string, method, tries int) (rises, none score) {
	noise := recordings(t, file)
	for _, k := range kinds {
		for i, n := range []int{16, 40, 100, 200} {
			for seed := range uint64(tries) {
				h := newHistory(n, 10*seed+uint64(i), noise)
				by := 0.08 * math.Pow(0.3/0.08, h.rng.Float64()) // 8 to 30 %
				k.make(h, n, 1+h.rng.IntN(n-1), by)
				named := methods[method].bisect(t, h, by)
				s := &rises
				if len(h.rises) == 0 {
					s = &none
				}
				switch {
				case slices.ContainsFunc(named, func(i int) bool { return !slices.Contains(h.rises, i) }):
					s.wrong++
					if method == 0 {
						t.Logf("%s, %d revisions, seed %d, by %.2f at %v: names %v", k.name, n, seed, by, h.rises, named)
					}
				case len(named) > 0:
					s.right++
				default:
					s.none++
				}
				if s.gates += h.spent(); h.spent() > 2*math.Log2(float64(n))+6+2 { // the last step may be a comparison
					s.dear++
				}
			}
		}
	}
	return rises, none
}

// The noise is that of gates on a busy machine. Right and wrong are as the promise in the help says.
func TestTheRightCommitIsNamed(t *testing.T) {
	rises, none := simulate(t, "self.csv", 0, 4)
	n := rises.right + rises.wrong + rises.none
	if n < 60 || float64(rises.right) < 0.95*float64(n) || float64(rises.wrong) > 0.01*float64(n) || none.wrong > 0 || rises.dear+none.dear > 0 {
		t.Errorf("with rises %+v, without %+v", rises, none)
	}
	t.Logf("with rises %+v, without %+v", rises, none)
}

// Where the linker does not align functions, layouts may differ by more than the rise.
func TestHardlyAnyWrongCommitIsNamedWhereLayoutsMatter(t *testing.T) {
	rises, none := simulate(t, "unaligned.csv", 0, 2)
	if rises.wrong+none.wrong > 1 {
		t.Errorf("with rises %+v, without %+v", rises, none)
	}
	t.Logf("with rises %+v, without %+v", rises, none)
}

func TestTheTableOfMethodsIsThatOfTheDocument(t *testing.T) {
	long.Only(t)
	table := tables.NewGrid("method, and noise", "right", "wrong", "none", "gates", "wrong without a rise")
	for _, x := range []struct{ noise, file string }{{"functions aligned", "self.csv"}, {"not aligned", "unaligned.csv"}} {
		for i, m := range methods {
			rises, none := simulate(t, x.file, i, 10)
			table.Row(m.name+", "+x.noise, append(rises.cells(), none.cells()[1])...)
		}
	}
	tables.Check(t, "../../../../docs/bisect.md", "methods", table.String(), *update)
	t.Log("\n" + table.String())
}
