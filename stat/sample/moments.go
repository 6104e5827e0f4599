// SPDX-License-Identifier: BSD-3-Clause

package sample

import "math"

// Moments accumulates the first four moments of floats by Welford's recurrence, with the rounding errors of the mean
// and of the sum of squares carried along. The zero value is ready. Not safe for concurrent use; give each goroutine its
// own and merge.
//
// Merging gives the moments of all values up to rounding. For bit-exact results use integers and stat.Moments.
type Moments struct {
	n           uint64
	mean, small float64 // the mean is their sum; small is what does not fit in mean
	m2, rest    float64 // Σ(x-mean)² and its rounding error
	m3, m4      float64
	min, max    float64
}

// Add adds one value and reports whether it did: NaN and infinities are ignored.
func (m *Moments) Add(x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return false
	}
	if m.n == 0 {
		m.min, m.max = x, x
	}
	m.min, m.max = min(m.min, x), max(m.max, x)
	before := float64(m.n)
	m.n++
	n := float64(m.n)
	d := (x - m.mean) - m.small
	step := d / n
	term := d * step * before
	m.m4 += term*step*step*(n*n-3*n+3) + 6*step*step*m.m2 - 4*step*m.m3
	m.m3 += term*step*(n-2) - 3*step*m.m2
	m.moveMean(step)
	m.addSquares(term)
	return true
}

// moveMean adds to the mean, keeping in small what the sum loses.
func (m *Moments) moveMean(step float64) {
	sum, lost := twoSum(m.mean, step)
	m.mean, m.small = twoSum(sum, m.small+lost)
}

func (m *Moments) addSquares(x float64) {
	sum, lost := twoSum(m.m2, x)
	m.m2, m.rest = sum, m.rest+lost
}

// twoSum returns a+b and exactly what rounding took from it.
func twoSum(a, b float64) (sum, lost float64) {
	sum = a + b
	t := sum - a
	return sum, (a - (sum - t)) + (b - t)
}

// Merge adds the values of other, which is not changed and may be m itself; nil changes nothing.
func (m *Moments) Merge(other *Moments) {
	if other == nil || other.n == 0 {
		return
	}
	o := *other
	if m.n == 0 {
		*m = o
		return
	}
	na, nb := float64(m.n), float64(o.n)
	n := na + nb
	d := (o.mean - m.mean) + (o.small - m.small)
	dn := d / n
	m.m4 += o.m4 + d*dn*dn*dn*na*nb*(na*na-na*nb+nb*nb) + 6*dn*dn*(na*na*o.m2+nb*nb*m.m2) + 4*dn*(na*o.m3-nb*m.m3)
	m.m3 += o.m3 + d*dn*dn*na*nb*(na-nb) + 3*dn*(na*o.m2-nb*m.m2)
	m.addSquares(o.m2)
	m.addSquares(d * dn * na * nb)
	m.rest += o.rest
	m.moveMean(dn * nb)
	m.n += o.n
	m.min, m.max = min(m.min, o.min), max(m.max, o.max)
}

// N returns the number of values.
func (m *Moments) N() uint64 { return m.n }

// Mean returns the arithmetic mean, or 0 if N is 0.
func (m *Moments) Mean() float64 { return m.mean + m.small }

// Variance returns the sample variance, with n-1 in the denominator; 0 when there are fewer than two values.
func (m *Moments) Variance() float64 {
	if m.n < 2 {
		return 0
	}
	return max(0, m.m2+m.rest) / float64(m.n-1)
}

// StdDev returns the square root of [Moments.Variance].
func (m *Moments) StdDev() float64 { return math.Sqrt(m.Variance()) }

// Min returns the smallest value; 0 when there are none.
func (m *Moments) Min() float64 { return m.min }

// Max returns the largest value; 0 when there are none.
func (m *Moments) Max() float64 { return m.max }

// Skewness returns the third standardized moment, Σ(x-mean)³/n over the population variance to the power 3/2; 0 when
// there are fewer than two values or all are equal.
func (m *Moments) Skewness() float64 {
	if !(m.m2 > 0) {
		return 0
	}
	return m.m3 / m.m2 * math.Sqrt(float64(m.n)/m.m2)
}

// Kurtosis returns the excess of the fourth standardized moment over the 3 of a normal distribution; 0 when there are
// fewer than two values or all are equal.
func (m *Moments) Kurtosis() float64 {
	if !(m.m2 > 0) {
		return 0
	}
	return float64(m.n)*(m.m4/m.m2/m.m2) - 3
}
