// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// A resample is a multiset of the frames, and its sums are the sums of these frames.
func TestResamplesAreConsistent(t *testing.T) {
	x := autoregressive(500, 0.7, 1)
	mark := stutters(x, 1.05, -1)
	sr := newSeries(x, mark, []float64{90}, 1)
	stutterTimes := map[float64]bool{}
	for i, m := range mark {
		stutterTimes[x[i]] = m
	}
	for _, length := range []float64{1, 7, 500, 1e6} {
		b := newBootstrap(sr, length)
		for number := range uint64(50) {
			s := b.draw(1, number)
			all := slices.Concat(s.slow, slices.Repeat([]float64{s.edge}, s.ties))
			if len(all) != len(x) || s.n != len(x) || !slices.IsSortedFunc(all, func(a, b float64) int { return int(math.Copysign(1, b-a)) * boolInt(a != b) }) {
				t.Fatalf("block %v: %d frames, slowest first expected", length, len(all))
			}
			var time, inverse, stutter, below float64
			for _, v := range all {
				time += v
				inverse += 1000 / v
				if stutterTimes[v] {
					stutter += v
				}
				if 1000/v < 90 {
					below++
				}
			}
			for q, want := range map[int]float64{sumTime: time, sumInverse: inverse, sumStutterTime: stutter, quantities: below} {
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

// The variance of resampled means is that of the mean of a correlated series: the variance times (1+phi)/(1-phi), divided by n. A
// bootstrap of independent frames would be too narrow.
func TestBlocksKeepTheCorrelation(t *testing.T) {
	arithmetic(t)
	const n, phi = 20_000, 0.8
	x := autoregressive(n, phi, 4)
	spread := func(length float64) float64 {
		b := newBootstrap(newSeries(x, nil, nil, 0.01), length)
		var sum, square float64
		const times = 600
		for number := range uint64(times) {
			m := b.draw(9, number).mean() - 10
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
	if s := spread(blockLength(x, len(x))); s < 0.8*correlated || s > 1.15*correlated {
		t.Errorf("automatic blocks of %v: %v, want about %v", blockLength(x, len(x)), s, correlated)
	}
}

func TestPercentilesHoldTheFigureAndShiftWithBias(t *testing.T) {
	even := make([]float64, 1001)
	for i := range even {
		even[i] = float64(i)
	}
	if lo, hi := percentiles(even, 0.95, 500, math.Inf(1)); lo != 25 || hi != 975 {
		t.Errorf("unbiased: %v to %v", lo, hi)
	}
	// The figure is the first quartile of its resamples, so both ends move down by twice 0.674 standard normal deviates.
	if lo, hi := percentiles(even, 0.95, 250, math.Inf(1)); !near(lo, 0.47, 0) || !near(hi, 730, 0) {
		t.Errorf("biased: %v to %v", lo, hi)
	}
	// Student's t of 9 degrees of freedom and sqrt(10/9): 2.385 standard deviates.
	if lo, hi := percentiles(even, 0.95, 500, 10); lo != 8 || hi != 992 {
		t.Errorf("ten independent events: %v to %v", lo, hi)
	}
	if lo, hi := percentiles(even, 0.95, 500, 0.5); lo > 1 || hi < 999 {
		t.Errorf("less than one independent event: %v to %v", lo, hi)
	}
	if lo, hi := percentiles([]float64{1, 1, 1}, 0.95, 2, math.Inf(1)); lo != 1 || hi != 2 {
		t.Errorf("outside: %v to %v", lo, hi)
	}
}

func TestDrawDoesNotAllocate(t *testing.T) {
	b := newBootstrap(newSeries(autoregressive(1000, 0.5, 1), nil, nil, 0.01), 10)
	if n := testing.AllocsPerRun(20, func() { b.draw(1, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDraw10000(b *testing.B) {
	bs := newBootstrap(newSeries(autoregressive(10_000, 0.9, 1), nil, nil, 0.01), 40)
	for b.Loop() {
		bs.draw(1, 1)
	}
}

// hitches returns frame times with a few slow ones; if capped, many of these are equal.
func hitches(n int, capped bool) []float64 {
	x := autoregressive(n, 0.5, 3)
	for i := range x {
		if i%97 == 0 {
			x[i] *= 3
		}
		if capped && i%7 != 0 {
			x[i] = 12
		}
	}
	return x
}

// Resamples that keep only the slow tail give the same figures as resamples that keep all frames.
func TestTheSlowTailIsEnough(t *testing.T) {
	arithmetic(t)
	o, err := Options{Below: []float64{50}}.resolve()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n      int
		capped bool
	}{{300, false}, {5000, false}, {5000, true}, {3*maxCells + 17, false}} {
		x := hitches(c.n, c.capped)
		defs := own(o)
		part, whole := newSeries(x, nil, o.Below, 0.01), newSeries(x, nil, o.Below, 1)
		if len(part.times) >= c.n/2 {
			t.Errorf("%+v: the tail has %d frames", c, len(part.times))
		}
		for _, length := range []float64{1, 40} {
			a, b := newBootstrap(part, length), newBootstrap(whole, length)
			short := 0
			for number := range uint64(20) {
				s, want := a.draw(5, number), b.draw(5, number)
				for _, d := range defs {
					if !d.resampled() {
						continue
					}
					s.short = false
					got, rests, ok := d.value(s)
					v, full, exists := d.value(want)
					if s.short {
						short++
						continue
					}
					if math.Abs(got-v) > 1e-9*math.Abs(v) || ok != exists || rests != full || want.short {
						t.Errorf("%+v, blocks of %v: %s is %v on %d, of all frames %v on %d", c, length, d.key, got, rests, v, full)
					}
				}
			}
			if short > 20 {
				t.Errorf("%+v, blocks of %v: %d figures fell short", c, length, short)
			}
		}
	}
}

func TestAResampleThatFallsShortSaysSo(t *testing.T) {
	s := sample{n: 100, slow: []float64{30, 20}, edge: 10, ties: 3}
	for i, want := range []float64{30, 20, 10, 10, 10} {
		if got := s.rank(i); got != want || s.short {
			t.Errorf("rank %d: %v", i, got)
		}
	}
	if s.rank(5); !s.short {
		t.Error("rank 5 is unknown")
	}
	for _, c := range []struct {
		bound float64
		count int
		time  float64
		short bool
	}{{25, 1, 30, false}, {20, 2, 50, false}, {15, 2, 50, false}, {10, 5, 80, false}, {9, 5, 80, true}} {
		s.short = false
		if n, sum := s.atLeast(c.bound); n != c.count || sum != c.time || s.short != c.short {
			t.Errorf("at least %v: %d, %v, short %v", c.bound, n, sum, s.short)
		}
	}
	for _, c := range []struct {
		total float64
		count int
		last  float64
		short bool
	}{{30, 1, 30, false}, {31, 2, 20, false}, {50, 2, 20, false}, {51, 3, 10, false}, {80, 5, 10, false}, {81, 6, 10, true}} {
		s.short = false
		if n, last := s.reaching(c.total); n != c.count || last != c.last || s.short != c.short {
			t.Errorf("reaching %v: %d, %v, short %v", c.total, n, last, s.short)
		}
	}
	all := sample{n: 2, slow: []float64{30, 20}}
	if n, last := all.reaching(100); n != 2 || last != 20 || all.short {
		t.Errorf("beyond all time: %d, %v", n, last)
	}
}

// A capture that alternates between two scenes has resamples without the slow one.
func TestFiguresExistWhereResamplesFallShort(t *testing.T) {
	x := autoregressive(4000, 0, 1)
	for i := range x[:30] {
		x[i] = 40 + float64(i)/100
	}
	r := report(t, Capture{Frames: x}, Options{Preset: CapFrameX})
	for _, key := range []string{"p1_fps", "low1_average_fps", "low1_integral_fps", "median_fps"} {
		if m, _ := r.Metric(key); !m.Interval.Bounded() && !atMost(m.Interval) {
			t.Errorf("%s: %+v", key, m)
		}
	}
}

func TestIntervalsDoNotDependOnTheProcessors(t *testing.T) {
	c := Capture{Frames: hitches(3000, false)}
	want := report(t, c, Options{Resamples: 200})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := report(t, c, Options{Resamples: 200}); !reflect.DeepEqual(got, want) {
		t.Error("one processor gives another report")
	}
}

func BenchmarkAnalyzeMillion(b *testing.B) {
	c := Capture{Frames: hitches(1_000_000, false)}
	for b.Loop() {
		if _, err := Analyze(c, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
