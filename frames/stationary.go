// SPDX-License-Identifier: BSD-3-Clause

package frames

import "math"

// notStationary reports a capture whose mean drifts: batches of frames are
// merged in pairs until neighbours no longer resemble each other, and when
// fewer than 16 batches are left by then, what happens is as slow as the
// capture is long. With fewer than 64 frames nothing can be told.
func notStationary(frames []float64) bool {
	const most = 64
	if len(frames) < most {
		return false
	}
	size := 1
	for len(frames)/size >= most {
		size *= 2
	}
	means := make([]float64, len(frames)/size)
	for i := range means {
		means[i] = exactSum(frames[i*size:(i+1)*size]) / float64(size)
	}
	for len(means) >= 16 {
		if neighbours(means) < 1.28/math.Sqrt(float64(len(means))) { // one-sided test at 10 %
			return false
		}
		for i := 0; i+1 < len(means); i += 2 {
			means[i/2] = (means[i] + means[i+1]) / 2
		}
		means = means[:len(means)/2]
	}
	return true
}

// neighbours is the lag-1 autocorrelation by NIST's definition, 0 for constant values.
func neighbours(x []float64) float64 {
	mean := exactSum(x) / float64(len(x))
	var up, down float64
	for i, v := range x {
		down += (v - mean) * (v - mean)
		if i > 0 {
			up += (v - mean) * (x[i-1] - mean)
		}
	}
	if down == 0 {
		return 0
	}
	return up / down
}
