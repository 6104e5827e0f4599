// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat/decide"
)

// A recording is what rounds and layouts did to one benchmark, in a gate of a program with itself: logarithms of the ratio of both
// sides.
type recording struct {
	layouts []float64   // medians
	rounds  [][]float64 // of each layout, in their order, without its median
}

// recordings reads those of a file, which were taken from what strobe gate --self --record wrote.
func recordings(t testing.TB, file string) (all []recording) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := csv.NewReader(f)
	lines.Comment = '#'
	rows, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	name, layout := "", ""
	for _, row := range rows {
		x, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if row[0] != name {
			all = append(all, recording{})
			name, layout = row[0], ""
		}
		r := &all[len(all)-1]
		if row[1] != layout {
			r.rounds = append(r.rounds, nil)
			layout = row[1]
		}
		last := &r.rounds[len(r.rounds)-1]
		*last = append(*last, x)
	}
	for i := range all {
		for _, rounds := range all[i].rounds {
			m := median(rounds)
			all[i].layouts = append(all[i].layouts, m)
			for k := range rounds {
				rounds[k] -= m
			}
		}
	}
	return all
}

// A history is what a simulation bisects. Its noise is that of a recording.
type history struct {
	levels  []float64 // logarithms of the true costs
	rises   []int     // where they rise
	broken  []bool
	noise   recording
	effects map[[2]int]float64 // of layouts, by the revision and the layout
	apart   map[[2]int][]float64
	rng     *rand.Rand
	rounds  int // that were measured, of two runs each
	builds  int
}

func newHistory(n int, seed uint64, noise []recording) *history {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	return &history{levels: make([]float64, n), broken: make([]bool, n), noise: noise[rng.IntN(len(noise))], effects: map[[2]int]float64{}, apart: map[[2]int][]float64{}, rng: rng}
}

// step changes the cost from a revision on by a share.
func (h *history) step(at int, by float64) {
	for i := at; i < len(h.levels); i++ {
		h.levels[i] += math.Log1p(by)
	}
	if by > 0 {
		h.rises = append(h.rises, at)
	}
}

// effect returns what a layout makes of the cost of a revision. The recorded ones are of both sides together.
func (h *history) effect(i, layout int) float64 {
	key := [2]int{i, layout}
	x, ok := h.effects[key]
	if !ok {
		x = h.noise.layouts[h.rng.IntN(len(h.noise.layouts))] / math.Sqrt2
		if h.rng.IntN(2) == 0 {
			x = -x
		}
		h.effects[key] = x
		h.builds++
	}
	return x
}

// scatter returns that of successive rounds.
func (h *history) scatter(n int) (out []float64) {
	from := h.noise.rounds[h.rng.IntN(len(h.noise.rounds))]
	at := h.rng.IntN(len(from))
	for range n {
		out = append(out, from[at%len(from)])
		at++
	}
	return out
}

const (
	layouts  = 4 // as strobe bisect has by default
	perBuild = 6 // rounds, too
	limit    = 0.02
	level    = 0.99
)

// spent returns what was spent, in gates: of 24 rounds, and builds of both sides in all layouts.
func (h *history) spent() float64 {
	return max(float64(h.rounds)/24, float64(h.builds)/(2*layouts))
}

// measure returns rounds of a build, against the first revision in all of its layouts.
func (h *history) measure(i, layout int) []float64 {
	reference := 0.0
	for k := range layouts {
		reference += h.effect(0, 1+k) / layouts
	}
	rounds := h.scatter(perBuild)
	for k := range rounds {
		rounds[k] += h.levels[i] + h.effect(i, layout) - h.levels[0] - reference
	}
	h.rounds += perBuild
	return rounds
}

// compare gates revision i against an earlier one, in layouts from the given one on. It also returns the logarithms of the ratios, by
// layout.
func (h *history) compare(i, earlier, first int, level float64) (o decide.Outcome, by [layouts][]float64) {
	f := bench.NewFamily(level, bench.Member{Limit: limit})
	order := bench.NewOrder(2, h.rng.Uint64())
	for k, scatter := range h.scatter(48) {
		l := k % layouts
		order.Next()
		d := h.levels[i] + h.effect(i, first+l) - h.levels[earlier] - h.effect(earlier, first+l) + scatter
		by[l] = append(by[l], d)
		h.rounds++
		if f.Add(0, 1, math.Exp(d), order.Before(0, 1)); f.Outcome(0) != decide.Undecided {
			break
		}
	}
	f.Finish()
	slow, key := 0, [2]int{i, earlier}
	for _, x := range by {
		h.apart[key] = append(h.apart[key], median(x))
		if median(x) > math.Log1p(limit) {
			slow++
		}
	}
	if o = f.Outcome(0); o == decide.Failed && (4*slow <= 3*layouts || !Apart(h.apart[key], math.Log1p(limit), 1-level)) {
		o = decide.Undecided
	}
	return o, by
}

// search bisects the history as strobe bisect does, with the time of 2*log2(n)+6 gates. It returns the revisions that it names.
func (h *history) search(t testing.TB) (named []int) {
	n := len(h.levels)
	o, by := h.compare(n-1, 0, 1, level)
	if o != decide.Failed {
		return nil
	}
	s := NewSearch(n, math.Log1p(limit), layouts)
	for l := range by {
		s.Measured(n-1, 1+l, by[l])
	}
	compared := 0
	for step := s.Next(); step.Do != Stop && h.spent() < 2*math.Log2(float64(n))+6; step = s.Next() {
		switch {
		case step.Do == Compare:
			if h.broken[step.Revision] || h.broken[step.Earlier] || step.Earlier >= step.Revision || slices.Contains(h.broken[step.Earlier+1:step.Revision], false) {
				t.Fatalf("%+v cannot be compared", step)
			}
			o, _ := h.compare(step.Revision, step.Earlier, 1000*(1+compared), 1-2*(1-level)*decide.Interim(compared))
			s.Compared(step.Revision, step.Earlier, o)
			compared++
		case h.broken[step.Revision]:
			h.builds++
			s.Unmeasurable(step.Revision)
		default:
			s.Measured(step.Revision, step.Layout, h.measure(step.Revision, step.Layout))
		}
	}
	for _, r := range s.Confirmed() {
		if len(r.Revisions) == 1 {
			named = append(named, r.Revisions[0])
		}
	}
	return named
}

// gitBisect bisects the history as git bisect run does, with a test of ten runs of a commit against ten of the first one. It returns
// the revision that it names, or none if the commits before that are skipped.
func (h *history) gitBisect(slower func(good, commit []float64) bool) (named []int) {
	runs := func(i int) []float64 {
		x := h.scatter(10)
		for k := range x {
			x[k] += h.levels[i] + h.effect(i, 0)
		}
		h.rounds += len(x) / 2
		return x
	}
	first := runs(0)
	good, bad := 0, len(h.levels)-1
	skipped := map[int]bool{}
	for {
		next := -1
		for i := good + 1; i < bad; i++ {
			if !skipped[i] && (next < 0 || max(2*i-good-bad, good+bad-2*i) < max(2*next-good-bad, good+bad-2*next)) {
				next = i
			}
		}
		switch {
		case next < 0 && bad-good > 1:
			return nil
		case next < 0:
			return []int{bad}
		case h.broken[next]:
			skipped[next] = true
			h.builds++
		case slower(first, runs(next)):
			bad = next
		default:
			good = next
		}
	}
}
