// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"slices"
	"testing"
)

// A resample is a multiset of the frames; its running sums must be the sums of
// the very frames it shows.
func TestResamplesAreConsistent(t *testing.T) {
	x := autoregressive(500, 0.7, 1)
	mark := stutters(x, 1.05, -1)
	sr := newSeries(x, mark)
	stutterTimes := map[float64]bool{}
	for i, m := range mark {
		stutterTimes[x[i]] = m
	}
	for _, length := range []float64{1, 7, 500, 1e6} {
		b := newBootstrap(sr, length, 1)
		for range 50 {
			s := b.draw()
			if len(s.slow) != len(x) || !slices.IsSortedFunc(s.slow, func(a, b float64) int { return int(math.Copysign(1, b-a)) * boolInt(a != b) }) {
				t.Fatalf("block %v: %d frames, slowest first expected", length, len(s.slow))
			}
			var time, inverse, stutter float64
			for _, v := range s.slow {
				time += v
				inverse += 1000 / v
				if stutterTimes[v] {
					stutter += v
				}
			}
			for q, want := range map[int]float64{sumTime: time, sumInverse: inverse, sumStutterTime: stutter} {
				if math.Abs(s.sum[q]-want) > 1e-9*math.Max(1, want) {
					t.Fatalf("block %v: sum %d is %v, the frames add up to %v", length, q, s.sum[q], want)
				}
			}
			if p := s.sum[sumPairs]; p > 500 || p < 490 {
				t.Fatalf("block %v: %v frames with a successor", length, p)
			}
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The spread of resampled means is that of the mean of a correlated series:
// variance times (1+phi)/(1-phi) over n. An independent bootstrap misses it.
func TestBlocksKeepTheCorrelation(t *testing.T) {
	const n, phi = 20_000, 0.8
	x := autoregressive(n, phi, 4)
	spread := func(length float64) float64 {
		b := newBootstrap(newSeries(x, nil), length, 9)
		var sum, square float64
		const times = 600
		for range times {
			m := b.draw().mean() - 10
			sum += m
			square += m * m
		}
		return math.Sqrt(square/times - sum*sum/times/times)
	}
	independent := math.Sqrt(1.0 / n)
	if s := spread(1); s < 0.85*independent || s > 1.15*independent {
		t.Errorf("blocks of one: %v, want about %v", s, independent)
	}
	correlated := independent * math.Sqrt((1+phi)/(1-phi))
	if s := spread(blockLength(x)); s < 0.8*correlated || s > 1.15*correlated {
		t.Errorf("automatic blocks of %v: %v, want about %v", blockLength(x), s, correlated)
	}
}

func TestPercentilesHoldTheFigureAndShiftWithBias(t *testing.T) {
	even := make([]float64, 1001)
	for i := range even {
		even[i] = float64(i)
	}
	if lo, hi := percentiles(even, 0.95, 500); lo != 25 || hi != 975 {
		t.Errorf("unbiased: %v to %v", lo, hi)
	}
	// The figure lies at the first quartile of its resamples: both ends move
	// down by twice 0.674 standard normal deviates.
	if lo, hi := percentiles(even, 0.95, 250); !near(lo, 0.47, 0) || !near(hi, 730, 0) {
		t.Errorf("biased: %v to %v", lo, hi)
	}
	if lo, hi := percentiles([]float64{1, 1, 1}, 0.95, 2); lo != 1 || hi != 2 {
		t.Errorf("outside: %v to %v", lo, hi)
	}
}

func TestDrawDoesNotAllocate(t *testing.T) {
	b := newBootstrap(newSeries(autoregressive(1000, 0.5, 1), nil), 10, 1)
	if n := testing.AllocsPerRun(20, func() { b.draw() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDraw10000(b *testing.B) {
	bs := newBootstrap(newSeries(autoregressive(10_000, 0.9, 1), nil), 40, 1)
	for b.Loop() {
		bs.draw()
	}
}
