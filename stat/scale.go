// SPDX-License-Identifier: BSD-3-Clause

package stat

import "math"

// largestExponent returns an e with 2^e at least the size of every value; 0 where all values are 0.
func largestExponent(samples ...[]float64) (e int) {
	most := 0.0
	for _, x := range samples {
		for _, v := range x {
			most = max(most, math.Abs(v))
		}
	}
	_, e = math.Frexp(most)
	return e
}

// scale multiplies every value by 2^e. That is exact, except for values so much smaller than others that they become
// subnormal.
func scale(x []float64, e int) {
	for i := range x {
		x[i] = math.Ldexp(x[i], e)
	}
}

// times returns the interval multiplied by 2^e, cut off at the largest float64.
func (iv Interval) times(e int) Interval {
	for _, x := range []*float64{&iv.Center, &iv.Lo, &iv.Hi} {
		if !math.IsInf(*x, 0) { // which stands for no bound
			*x = finite(math.Ldexp(*x, e))
		}
	}
	return iv
}

// finite returns x, cut off at the largest float64.
func finite(x float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, x)) }
