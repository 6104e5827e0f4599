// SPDX-License-Identifier: BSD-3-Clause

package stat

import "math"

// description is what an interval needs to know about a short series.
type description struct{ mean, variance, lag1, skewness float64 }

func describe(w []float64) (d description) {
	n := float64(len(w))
	for _, x := range w {
		d.mean += x
	}
	d.mean /= n
	rest := 0.0 // what rounding lost: equal samples must have no variance
	for _, x := range w {
		rest += x - d.mean
	}
	d.mean += rest / n
	var squares, cubes, products float64
	for i, x := range w {
		x -= d.mean
		squares += x * x
		cubes += x * x * x
		if i > 0 {
			products += x * (w[i-1] - d.mean)
		}
	}
	if squares > 0 {
		d.variance = squares / (n - 1)
		d.lag1 = products / squares
		d.skewness = cubes / n / math.Pow(d.variance, 1.5)
	}
	return d
}
