// SPDX-License-Identifier: BSD-3-Clause

package bench

// settle returns how many samples at the beginning of a series belong to its warm-up, by MSER-5: cutting there makes the standard error
// of the mean of the rest the smallest. ok is false when there are fewer than 50, or when no cut in the first half is better than a later
// one: the series has not settled.
//
// It is a heuristic: it also cuts behind a burst of noise that comes early.
func settle(samples []float64) (n int, ok bool) {
	const five, fewest = 5, 10
	k := len(samples) / five
	if k < fewest {
		return 0, false
	}
	var sum, squares, best float64
	at := -1
	shift := samples[len(samples)-1] // so that squares lose no digits
	for d := k - 1; d >= 0; d-- {
		var z float64
		for _, x := range samples[d*five : (d+1)*five] {
			z += (x - shift) / five
		}
		sum += z
		squares += z * z
		left := float64(k - d)
		if k-d < five { // the tail is trivially quiet
			continue
		}
		if score := max(0, squares-sum*sum/left) / (left * left); at < 0 || score <= best {
			best, at = score, d
		}
	}
	return at * five, at <= k/2
}
