// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// naiveMean is the mean of the last n values, by big integers.
func naiveMean(all []time.Duration, n int) float64 {
	tail := all[max(0, len(all)-n):]
	sum := new(big.Int)
	for _, d := range tail {
		sum.Add(sum, big.NewInt(int64(d)))
	}
	f, _ := new(big.Rat).SetFrac(sum, big.NewInt(int64(max(1, len(tail))))).Float64()
	return f
}

func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Max(math.Abs(got), math.Abs(want))
}

func TestMeanDividesByWhatItHolds(t *testing.T) {
	var m Mean
	if m.Mean() != 0 || m.Len() != 0 {
		t.Fatalf("empty: mean %v of %d", m.Mean(), m.Len())
	}
	want := []float64{10, 15, 20, 25, 30, 35, 40, 45, 55, 65} // the ninth value drops the first
	for i, w := range want {
		m.Add(time.Duration(10 * (i + 1)))
		if m.Mean() != w {
			t.Errorf("after %d values: %v, want %v", i+1, m.Mean(), w)
		}
		if l := min(i+1, DefaultN); m.Len() != l {
			t.Errorf("after %d values: Len %d, want %d", i+1, m.Len(), l)
		}
	}
}

func TestMeanOfSmallIntegersIsNotTruncated(t *testing.T) {
	m := Mean{N: 3}
	for _, d := range []time.Duration{1, 1, 2} {
		m.Add(d)
	}
	if got := m.Mean(); got != 4.0/3 {
		t.Errorf("mean of 1, 1, 2 ns = %v", got)
	}
}

func TestMeanStaysExactForEver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{-1, 0, 1, 2, 7, 8, 100} {
		m, keep := Mean{N: n}, n
		if n <= 0 {
			keep = DefaultN
		}
		var all []time.Duration
		for i := range 5000 {
			d := time.Duration(rng.Uint64()) >> (rng.Uint32() % 64) // all magnitudes, both signs
			if i%97 == 0 {
				d = math.MinInt64
			}
			m.Add(d)
			all = append(all, d)
			if got, want := m.Mean(), naiveMean(all, keep); !near(got, want, 1e-15) {
				t.Fatalf("N=%d after %d values: %v, want %v", n, i+1, got, want)
			}
		}
	}
}

func TestMeanHoldsTheLongestDurations(t *testing.T) {
	for _, d := range []time.Duration{math.MaxInt64, math.MinInt64} {
		m := Mean{N: 100}
		for range 300 {
			m.Add(d)
		}
		if m.Mean() != float64(d) {
			t.Errorf("mean of %d ns = %v", d, m.Mean())
		}
	}
}

func TestMeanIgnoresALaterN(t *testing.T) {
	m := Mean{N: 2}
	m.Add(1)
	m.N = 50
	m.Add(2)
	m.Add(3)
	if m.Mean() != 2.5 || m.Len() != 2 {
		t.Errorf("mean %v of %d, want 2.5 of 2", m.Mean(), m.Len())
	}
}

func TestResetForgetsAllAndTakesANewN(t *testing.T) {
	m := Mean{N: 3}
	for d := range time.Duration(5) {
		m.Add(d)
	}
	if m.Reset(); m.Mean() != 0 || m.Len() != 0 {
		t.Errorf("mean %v of %d after Reset", m.Mean(), m.Len())
	}
	m.Add(10)
	m.Add(-20)
	if m.Mean() != -5 || m.Len() != 2 {
		t.Errorf("mean %v of %d, want -5 of 2", m.Mean(), m.Len())
	}
	m.N = 1
	m.Reset()
	m.Add(1)
	m.Add(2)
	if m.Mean() != 2 || m.Len() != 1 {
		t.Errorf("mean %v of %d, want 2 of 1", m.Mean(), m.Len())
	}
}

func FuzzMean(f *testing.F) {
	f.Add(0, []byte("\x00\x7f\x80\xff"))
	f.Add(3, []byte("a long enough seed to wrap the ring"))
	f.Fuzz(func(t *testing.T, n int, data []byte) {
		n %= 64
		m, keep := Mean{N: n}, n
		if n <= 0 {
			keep = DefaultN
		}
		var all []time.Duration
		for _, b := range data {
			d := time.Duration(int8(b)) << (b % 57)
			m.Add(d)
			all = append(all, d)
		}
		if got, want := m.Mean(), naiveMean(all, keep); !near(got, want, 1e-15) {
			t.Errorf("N=%d: %v, want %v", n, got, want)
		}
	})
}
