// SPDX-License-Identifier: BSD-3-Clause

package sample

// Warmup returns how many values at the start to leave out so that the mean of the rest is estimated best, by the rule
// MSER-5: among the cuts at multiples of five in the first half, the one with the smallest standard error of the rest.
// ok is false when no cut can be chosen: there are fewer than 50 values, or the best cut is the last one, which means
// that x never settled.
//
// Leaving values out removes bias, but lowers the coverage of the interval of the rest. Show the number beside the result.
func Warmup(x []float64) (drop int, ok bool) {
	const batch = 5
	k := len(x) / batch
	if k < 10 {
		return 0, false
	}
	offset := x[len(x)-1] // keeps squares small
	best, error2 := 0, 0.0
	var sum, squares float64
	for d := k - 1; d >= 0; d-- {
		z := 0.0
		for _, v := range x[d*batch : (d+1)*batch] {
			z += v - offset
		}
		z /= batch
		sum, squares = sum+z, squares+z*z
		if n := float64(k - d); d <= k/2 {
			if e := (squares - sum*sum/n) / (n * n); d == k/2 || e <= error2 {
				best, error2 = d, e
			}
		}
	}
	return best * batch, best < k/2
}
