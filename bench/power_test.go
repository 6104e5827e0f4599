// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/stat/dist"
)

// signedRanks is the alternative to compare with: the one-sample interval of Hodges and Lehmann, by Wilcoxon's signed rank test,
// of rounds or of the means of blocks of two; Student's t if there are too few.
func signedRanks(d []float64, alpha float64) (lo, hi float64) {
	n := len(d)
	s := slices.Sorted(slices.Values(d))
	ways := make([]float64, n*(n+1)/2+1)
	ways[0] = 1
	for rank := 1; rank <= n; rank++ {
		for sum := len(ways) - 1; sum >= 0; sum-- {
			ways[sum] /= 2
			if sum >= rank {
				ways[sum] += ways[sum-rank] / 2
			}
		}
	}
	cut, below := 0, 0.0
	for ; below+ways[cut] <= alpha/2; cut++ {
		below += ways[cut]
	}
	if cut == 0 || n < 10 {
		mean, squares := meanAndSquares(s)
		half := dist.StudentUpper(alpha/2, float64(n-1)) * math.Sqrt(squares/float64(n-1)/float64(n))
		return mean - half, mean + half
	}
	var means []float64
	for i := range s {
		for j := i; j < n; j++ {
			means = append(means, s[i]/2+s[j]/2)
		}
	}
	slices.Sort(means)
	return means[cut-1], means[len(means)-cut]
}

// power returns how often a difference of 5 % is found at the level 0.99, by the statistic of Pairs, by signed ranks of
// rounds with a coin each, and by signed ranks of blocks of two rounds in opposite orders.
func power(m machine, rounds, trials int, difference float64) (pairs, ofRounds, ofBlocks float64) {
	const alpha = 0.01
	for seed := range uint64(trials) {
		rng := rand.New(rand.NewPCG(seed, 2))
		round := func(next func() float64, baseFirst bool) float64 {
			one, two := next(), next()
			if baseFirst {
				return math.Log(two) - math.Log(one) + difference
			}
			return math.Log(one) - math.Log(two) + difference
		}
		var first, second, all, blocks []float64
		next := m(rand.New(rand.NewPCG(seed, 1)))
		for range rounds {
			baseFirst := rng.IntN(2) == 0
			d := round(next, baseFirst)
			if all = append(all, d); baseFirst {
				first = append(first, d)
			} else {
				second = append(second, d)
			}
		}
		next = m(rand.New(rand.NewPCG(seed, 1)))
		for range rounds / 2 {
			baseFirst := rng.IntN(2) == 0
			blocks = append(blocks, round(next, baseFirst)/2+round(next, !baseFirst)/2)
		}
		if _, lo, _, _, ok := location(first, second, alpha); ok && lo > 0 {
			pairs++
		}
		if lo, _ := signedRanks(all, alpha); lo > 0 {
			ofRounds++
		}
		if lo, _ := signedRanks(blocks, alpha); lo > 0 {
			ofBlocks++
		}
	}
	n := float64(trials)
	return pairs / n, ofRounds / n, ofBlocks / n
}

// The statistic of Pairs detects about as many differences as the better of the two others, whatever the noise: ranks of rounds
// detect little if the second command costs more, means of blocks if there are outliers. It is as rarely wrong.
func TestPairsFindWhatTheBetterOfTwoStatisticsFinds(t *testing.T) {
	trials := scaledTrials(400)
	n := float64(trials)
	for name, m := range noises {
		for _, rounds := range []int{18, 40} {
			pairs, ofRounds, ofBlocks := power(m, rounds, trials, math.Log(1.05))
			best := max(ofRounds, ofBlocks)
			t.Logf("%s noise, %d rounds: found in %.1f %%, by rounds %.1f, by blocks %.1f", name, rounds, 100*pairs, 100*ofRounds, 100*ofBlocks)
			if pairs < best-0.05-4*math.Sqrt(best*(1-best)/n)-1/n {
				t.Errorf("%s noise, %d rounds: found in %.1f %%, by rounds %.1f, by blocks %.1f", name, rounds, 100*pairs, 100*ofRounds, 100*ofBlocks)
			}
			if wrong, _, _ := power(m, rounds, trials, 0); wrong > 0.005+4*math.Sqrt(0.005/n) { // on one side
				t.Errorf("%s noise, %d rounds: wrong in %.1f %%", name, rounds, 100*wrong)
			}
		}
	}
}
