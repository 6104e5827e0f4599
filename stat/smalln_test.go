// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/internal/simulated"
)

// judge returns how the intervals of many series of n samples do, and those of the plain method.
func judge(replicates, n int, p simulated.Process) (all, plain simulated.Tally) {
	r := rand.New(rand.NewPCG(5, uint64(n)))
	x := make([]float64, n)
	truth := p.Truth * 1e6
	for range replicates {
		p.Draw(r, x)
		var b BatchMeans
		for _, v := range x {
			b.Add(int64(math.Round(v * 1e6)))
		}
		m := b.Moments()
		naive := m.Interval(0.95).Half()
		for tally, iv := range map[*simulated.Tally]Interval{&all: b.Interval(0.95), &plain: b.PlainInterval(0.95)} {
			width := 0.0
			if naive > 0 {
				width = iv.Half() / naive
			}
			tally.Add(iv.Lo > truth || truth > iv.Hi, len(iv.Warnings) > 0, width)
		}
	}
	return all, plain
}

var more = flag.Bool("more", false, "simulate ten times as many samples, of more sizes")

// The interval covers the mean at least 93 of 100 times, or at least 90 of 100 that miss it have a warning. If it covers and the
// tail is no heavier than that of lognormal samples of sigma 1, at most 5 of 100 independent series have a warning.
func TestSmallSamplesAreCoveredOrWarnedOf(t *testing.T) {
	replicates, sizes := 2000, tableSizes
	switch {
	case *more:
		replicates, sizes = 20000, []int{16, 18, 20, 24, 28, 32, 40, 50, 63, 64, 100, 127, 128, 160, 190, 200, 255, 256, 400, 512, 1000, 2000}
	case !long.Enabled || testing.Short() || race.Enabled:
		replicates, sizes = 500, []int{16, 128, 200, 1000}
	}
	t.Logf("%d series of each kind and size; ./check long draws 2000, -more 20000, of more sizes", replicates)
	type tallies = map[string]map[int]simulated.Tally
	tuned, plain := tallies{}, tallies{}
	for _, p := range simulated.Processes() {
		tuned[p.Name], plain[p.Name] = map[int]simulated.Tally{}, map[int]simulated.Tally{}
		for _, n := range sizes {
			replicates := replicates
			if n > 1000 || !long.Enabled && n > 200 {
				replicates /= 4
			}
			all, simple := judge(replicates, n, p)
			tuned[p.Name][n], plain[p.Name][n] = all, simple
			figures := fmt.Sprintf("%.1f %% cover, %.1f %% are warned of, of the misses %.0f %%, %.2f times as wide as Student's; of the plain method %.1f %% cover",
				all.Covered(), all.WarnedOf(), all.Caught(), all.Width(), simple.Covered())
			t.Logf("%-20s n=%-4d %s", p.Name, n, figures)
			if broken := p.Broken(n, all); broken != "" {
				t.Errorf("%s, n=%d: too many intervals %s: %s", p.Name, n, broken, figures)
			}
		}
	}
	if len(sizes) != len(tableSizes) {
		t.Log("docs/coverage.md is compared by ./check long only")
		return
	}
	document := func(name string, of tallies, cell func(simulated.Tally) string) {
		table := newGrid("samples", sizes)
		for _, p := range simulated.Processes() {
			table.row(p.Name, sizes, func(n int) string {
				if n < p.From {
					return "(" + cell(of[p.Name][n]) + ")"
				}
				return cell(of[p.Name][n])
			})
		}
		documented(t, name, table.String())
	}
	covered := func(j simulated.Tally) string { return fmt.Sprintf("%.1f", j.Covered()) }
	width := func(j simulated.Tally) string { return fmt.Sprintf("%.2f", j.Width()) }
	document("covered", tuned, covered)
	document("warned", tuned, func(j simulated.Tally) string { return fmt.Sprintf("%.1f", j.WarnedOf()) })
	document("width", tuned, width)
	document("caught", tuned, func(j simulated.Tally) string {
		if j.Covered() >= simulated.Covered {
			return "-"
		}
		return fmt.Sprintf("%.0f", j.Caught())
	})
	document("plain covered", plain, covered)
	document("plain width", plain, width)
}

// tableSizes are the columns of the tables in docs/coverage.md.
var tableSizes = []int{16, 32, 64, 128, 200, 1000, 5000}

// Few samples of a queue do not suffice: among series whose interval misses the mean, the best test of the order detects fewer
// than 90 of 100, and the warnings detect nearly as many.
func TestNoTestOfTheOrderSeesAShortQueue(t *testing.T) {
	sizes := []int{16, 24, 32, 40, 48}
	seen, warned := map[int]float64{}, map[int]float64{}
	const misses = 500
	for _, n := range sizes {
		x := make([]float64, n)
		for series, count := uint64(0), 0; count < misses; series++ {
			r := rand.New(rand.NewPCG(series, uint64(n))) // so that a series that rounds differently does not change the following ones
			simulated.Queue(r, x)
			var b BatchMeans
			for _, v := range x {
				b.Add(int64(math.Round(v * 1e6)))
			}
			iv := b.Interval(0.95)
			if iv.Lo <= 4e6 && 4e6 <= iv.Hi {
				continue
			}
			count++
			if len(iv.Warnings) > 0 {
				warned[n] += 100.0 / misses
			}
			if orderTells(r, queueLikelihood, x) {
				seen[n] += 100.0 / misses
			}
		}
		t.Logf("n=%d: of the misses %.0f %% are warned of, the best test sees %.0f %%", n, warned[n], seen[n])
		if n < 40 && seen[n] > 88 || warned[n] < seen[n]-20 || warned[n] > seen[n]+5 {
			t.Errorf("n=%d: of the misses %.0f %% are warned of, the best test sees %.0f %%", n, warned[n], seen[n])
		}
	}
	table := newGrid("samples", sizes)
	table.row("carry a warning", sizes, func(n int) string { return fmt.Sprintf("%.0f", warned[n]) })
	table.row("seen by the best test", sizes, func(n int) string { return fmt.Sprintf("%.0f", seen[n]) })
	documented(t, "queue", table.String())
}

// orderTells reports whether the likelihood of samples in their order is among the largest 5 % over their permutations. By the
// lemma of Neyman and Pearson no test of the order has more power.
func orderTells(r *rand.Rand, likelihood func(x []float64) float64, samples ...[]float64) bool {
	total := func() (sum float64) {
		for _, x := range samples {
			sum += likelihood(x)
		}
		return sum
	}
	here, above := total(), 0
	for i := range samples {
		samples[i] = slices.Clone(samples[i])
	}
	for range 199 {
		for _, x := range samples {
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		}
		if total() >= here {
			above++
		}
	}
	return above < 10
}

// queueLikelihood is the log density of waiting times drawn by queue, except for terms that do not depend on the order.
func queueLikelihood(x []float64) (sum float64) {
	const load = 0.8
	for i, next := range x[1:] {
		switch rise := next - x[i]; {
		case next == 0:
			sum -= load * x[i]
		case rise > 0:
			sum += math.Log(load) - rise
		default:
			sum += math.Log(load) + load*rise
		}
	}
	return sum
}

// If most counts equal the smallest one, the interval stays within three times what skewness alone requires: the logarithms of
// such counts say nothing about a tail.
func TestBoundsOfCountsStayNear(t *testing.T) {
	var b BatchMeans
	for i := range 100 {
		b.Add(int64(i * i % 101 / 80 * 1000)) // squares modulo a prime: a fifth are 1000, in no particular order
	}
	iv, m := b.Interval(0.95), b.Moments()
	if naive := m.Interval(0.95); iv.Hi-iv.Center > 4*naive.Half() || iv.Hi <= iv.Center {
		t.Errorf("%v, Student's %v", iv, naive)
	}
}
