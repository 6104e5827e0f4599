// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math/rand/v2"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
)

// compared reports whether anything is clear between two groups.
func compared(t *testing.T, base, other Group) bool {
	t.Helper()
	c, err := CompareGroups(base, other, Options{Resamples: 50})
	if err != nil {
		t.Fatal(err)
	}
	return anyClear(c.Differences)
}

// drifted returns two groups of n runs recorded in turns, while frames get longer by 3 % in total, between runs and within them.
func drifted(r *rand.Rand, n, frames int) (base, other Group) {
	for i := range 2 * n {
		from := 1 + 0.03*float64(i)/float64(2*n)
		x := autoregressive(frames, 0.5, r.Uint64())
		for k := range x {
			x[k] *= from + 0.03*float64(k)/float64(2*n*frames)
		}
		to := &base
		if i%2 == 1 {
			to = &other
		}
		to.Runs = append(to.Runs, Capture{Frames: x})
	}
	return base, other
}

// hitching returns a group of runs with rare long frames, whose number differs from run to run.
func hitching(r *rand.Rand, n, frames int) (g Group) {
	for range n {
		x := faster(autoregressive(frames, 0.5, r.Uint64()), 1+0.01*r.NormFloat64())
		for range r.IntN(8) {
			x[r.IntN(frames)] += 20 + 30*r.ExpFloat64()
		}
		g.Runs = append(g.Runs, Capture{Frames: x})
	}
	return g
}

func TestGroupsOfOneConfigurationAreSeldomToldApart(t *testing.T) {
	if testing.Short() {
		t.Skip("compares pairs of groups")
	}
	const frames = 1200
	pairs := 40
	if long.Enabled {
		pairs = 200
	}
	for name, pair := range map[string]func(r *rand.Rand, n int) (base, other Group){
		"steady":         func(r *rand.Rand, n int) (base, other Group) { return runs(r, n, 1, 0), runs(r, n, 1, 0) },
		"3 % between":    func(r *rand.Rand, n int) (base, other Group) { return runs(r, n, 1, 0.03), runs(r, n, 1, 0.03) },
		"drift in turns": func(r *rand.Rand, n int) (base, other Group) { return drifted(r, n, frames) },
		"hitches":        func(r *rand.Rand, n int) (base, other Group) { return hitching(r, n, frames), hitching(r, n, frames) },
	} {
		for _, n := range []int{2, 5} {
			r := rand.New(rand.NewPCG(11, uint64(n)))
			clear := 0
			for range pairs {
				if base, other := pair(r, n); compared(t, base, other) {
					clear++
				}
			}
			t.Logf("%s, %d runs a group: %d of %d pairs have a clear difference", name, n, clear, pairs)
			if most := pairs * 5 / 100; clear > most {
				t.Errorf("%s, %d runs a group: %d of %d pairs have a clear difference, at most %d may", name, n, clear, pairs, most)
			}
		}
	}
}

// The runs are successive pieces of one scene of a real capture, assigned to two groups in turn.
func TestGroupsOfRealRunsAreSeldomToldApart(t *testing.T) {
	arithmetic(t)
	captures := [][]float64{captures(t, "capframex-re2.csv.gz", ReadOptions{})[0].Frames, captures(t, "ocat-metro-exodus.csv.gz", ReadOptions{})[0].Frames}
	clear, pairs := 0, 0
	for pieces := 4; pieces < 14; pieces++ {
		for _, x := range captures {
			for _, first := range []int{0, len(x) / 3} {
				var base, other Group
				y := x[first:]
				for i := range pieces {
					run := Capture{Frames: y[i*len(y)/pieces : (i+1)*len(y)/pieces]}
					// A B, B A, A B, so that neither group has all of the earlier pieces.
					if i%4 == 0 || i%4 == 3 {
						base.Runs = append(base.Runs, run)
					} else {
						other.Runs = append(other.Runs, run)
					}
				}
				pairs++
				if compared(t, base, other) {
					clear++
				}
			}
		}
	}
	t.Logf("%d of %d pairs from %d captures have a clear difference", clear, pairs, len(captures))
	if pairs != 40 || clear > 2 {
		t.Errorf("%d of %d pairs have a clear difference, at most 2 of 40 may", clear, pairs)
	}
}
