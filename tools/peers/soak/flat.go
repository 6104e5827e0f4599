// SPDX-License-Identifier: BSD-3-Clause

package soak

import "slices"

// least is how many samples are needed to say that something is flat.
const least = 10

// flat returns the median of the first and of the last fifth of samples, the largest of all, and by how much the second median is
// larger than the first, in percent. ok is false if there are too few.
func flat(samples []float64) (figures map[string]float64, ok bool) {
	if len(samples) < least {
		return nil, false
	}
	n := len(samples) / 5
	settled, end := median(samples[:n]), median(samples[len(samples)-n:])
	figures = map[string]float64{"settled": settled, "at-end": end, "most": slices.Max(samples)}
	if settled != 0 {
		figures["grew-%"] = 100 * (end/settled - 1)
	}
	return figures, true
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
