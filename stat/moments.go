// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
)

// Moments accumulates the exact moments of integer samples: durations in ticks or nanoseconds, sizes, counts.
//
// The zero value is ready to use. Sums of samples, of squares and of products of neighbours are integers wide enough for
// any 2^64 samples; every result is computed from them and rounded once. Results therefore do not depend on how samples
// were split before [Moments.Merge], to the last bit.
//
// Results have the unit of the samples, the variance its square. Not safe for concurrent use; give each goroutine its
// own and merge. For samples that are not integers there is sample.Moments.
type Moments struct {
	waiting int
	pending [8]int64 // samples not yet in sums: eight at a time are cheaper than one and one
	sums    sums
}

// Add takes one sample. It does not allocate.
func (m *Moments) Add(x int64) {
	m.pending[m.waiting&7] = x
	m.waiting++
	if m.waiting == len(m.pending) {
		m.flush()
	}
}

//go:noinline
func (m *Moments) flush() { // out of line so that Add is not
	m.sums.add(m.pending[:m.waiting])
	m.waiting = 0
}

// Merge adds the samples of other as if they had come after those of m. Other is not changed; it may be m itself, and
// nil changes nothing.
func (m *Moments) Merge(other *Moments) {
	if other == nil {
		return
	}
	m.sums, m.waiting = m.total().merged(other.total()), 0
}

// total returns the sums of all samples and does not change m.
func (m *Moments) total() sums {
	s := m.sums
	s.add(m.pending[:m.waiting])
	return s
}

// N returns the number of samples.
func (m *Moments) N() uint64 { return m.sums.n + uint64(m.waiting) }

// Mean returns the arithmetic mean, correctly rounded, or 0 if N is 0.
func (m *Moments) Mean() float64 { return m.total().mean() }

// Variance returns the sample variance, with n-1 in the denominator; 0 when there are fewer than two samples.
func (m *Moments) Variance() float64 { return m.total().variance() }

// StdDev returns the square root of [Moments.Variance]; 0 when there are fewer than two samples.
func (m *Moments) StdDev() float64 { return m.total().stdDev() }

// StdErr returns the standard error of the mean if the samples are independent, StdDev/√n; 0 when there are fewer than
// two samples.
func (m *Moments) StdErr() float64 {
	s := m.total()
	if s.n < 2 {
		return 0
	}
	return s.stdDev() / math.Sqrt(float64(s.n))
}

// Min returns the smallest sample; 0 when there are none.
func (m *Moments) Min() int64 { s := m.total(); return s.min }

// Max returns the largest sample; 0 when there are none.
func (m *Moments) Max() int64 { s := m.total(); return s.max }

// Lag1 returns the autocorrelation of neighbouring samples as NIST defines it for its reference data, Σ(xᵢ-x̄)(xᵢ₋₁-x̄)
// / Σ(xᵢ-x̄)², between -1 and 1. It needs the samples in their order in time, also across merges. ok is false when
// there are fewer than two samples or all are equal.
func (m *Moments) Lag1() (r float64, ok bool) { return m.total().lag1() }

// Interval returns Student's t interval of the mean at the given level between 0 and 1, 0 meaning 0.95.
//
// It assumes independent samples, such as the means of separate runs, and a mean that is close to normal: a few dozen
// samples that are not too skewed, or any number of normal ones. Consecutive samples of one run, such as ticks
// and frames, are not independent, and their interval is several times too narrow. It then carries a warning; use
// [BatchMeans] instead.
//
// There is no variant with the normal quantile instead of t: the standard deviation of n samples is itself uncertain, and
// ignoring that makes the interval of five runs cover 88 % instead of 95 %.
//
// Formula: mean ± t((1-level)/2, n-1)·s/√n. Source: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.2.
func (m *Moments) Interval(level float64) Interval {
	s := m.total()
	iv := studentInterval(s.mean(), s.stdDev(), s.n, level)
	if r, ok := s.lag1(); ok && s.n >= 20 && math.Abs(r) > 3/math.Sqrt(float64(s.n)) {
		fault := "too narrow"
		if r < 0 {
			fault = "too wide"
		}
		iv.Warnings = append(iv.Warnings, fmt.Sprintf(
			"neighbouring samples are correlated (lag-1 %.2f): this interval is %s; use BatchMeans", r, fault))
	}
	return iv
}
