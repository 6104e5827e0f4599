// SPDX-License-Identifier: BSD-3-Clause

// Package dist provides the normal and Student t distributions, as upper tails and their inverses.
//
// Use it to build an interval that package stat does not offer. Do not use it to turn samples into an interval that
// stat has: those carry their assumptions and warnings with them.
//
// All functions use the upper tail q = P(X > x), because 1-p loses precision far out in the tail: a level of 1-1e-9 gives q
// = 5e-10 exactly, but p would be rounded to seven digits. Both distributions are symmetric, so the quantile of p is minus
// the value whose upper tail is p.
//
// # Units
//
// Pure numbers.
//
// # Concurrency
//
// Every function is pure and safe for concurrent use.
//
// # Accuracy
//
// Twelve digits and more for tails from 1e-300 to 0.5 and degrees of freedom from 1 to infinity, fractions included;
// the tests compare with tables computed to 40 digits. Arguments outside a domain give the nearest meaningful value,
// never NaN.
//
// # Sources
//
// NIST Digital Library of Mathematical Functions 8.17 (incomplete beta function), 5.11 (ratio of gamma functions); the
// starting value is that of D. L. Wallace, "Bounds on normal approximations to Student's and the chi-square
// distributions", Ann. Math. Stat. 30 (1959).
package dist

import "math"

// NormalTail returns P(Z > z) of the standard normal distribution; NaN gives 0.5.
func NormalTail(z float64) float64 {
	if math.IsNaN(z) {
		return 0.5
	}
	return math.Erfc(z/math.Sqrt2) / 2
}

// NormalUpper returns the z with P(Z > z) = q. q <= 0 counts as the smallest positive number, q >= 1 as the mirror
// image of that, NaN as 0.5.
func NormalUpper(q float64) float64 {
	if q > 0.5 {
		return -NormalUpper(1 - q)
	}
	if math.IsNaN(q) {
		return 0
	}
	q = max(q, tiny)
	// The tail lies below exp(-z²/2)/2, so this start is never too small, and Newton's steps on the logarithm of the
	// tail, which is concave, come down to the root without passing it.
	z := math.Sqrt(-2 * math.Log(2*q))
	if q > 0.25 { // near the center the tail has lost the digits, the half-interval has not
		half := 0.5 - q
		for range 8 {
			z -= (math.Erf(z/math.Sqrt2)/2 - half) / normalDensity(z)
		}
		return z
	}
	for range 60 {
		tail := NormalTail(z)
		step := tail / normalDensity(z) * math.Log(tail/q)
		z += step
		if math.Abs(step) < 1e-15*z {
			break
		}
	}
	return z
}

// tiny keeps every intermediate value a normal float64.
const tiny = 1e-300

func normalDensity(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
