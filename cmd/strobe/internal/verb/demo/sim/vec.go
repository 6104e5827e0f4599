// SPDX-License-Identifier: BSD-3-Clause

package sim

import "math"

// A vec is a place on the square or a velocity.
type vec struct{ x, y float64 }

// wrap brings x back into [0, 1).
func wrap(x float64) float64 {
	if x -= math.Floor(x); x < 1 {
		return x
	}
	return 0 // a tiny negative number rounds up to 1
}

// between returns the shortest way from a to b, across the edge if that is shorter.
func between(a, b vec) vec {
	return vec{shortest(b.x - a.x), shortest(b.y - a.y)}
}

func shortest(d float64) float64 {
	if d > 0.5 {
		return d - 1
	}
	if d < -0.5 {
		return d + 1
	}
	return d
}
