// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/stat/dist"
)

// PlainInterval returns the interval of the mean by the textbook method of batch means, at the given level between 0 and 1, 0
// meaning 0.95: Student's t of the means of 16 to 31 successive batches of equal size, or of the samples themselves if there are
// fewer than 32. Samples after the last complete batch count only in the center.
//
// It assumes that the means of batches are independent and normal: that correlation dies out well within a batch, and that no few
// samples decide the mean. Nothing in it is estimated from simulations, and nothing is tested: it has no warnings. Use it to compare
// with other programs, or where these assumptions are known to hold; [BatchMeans.Interval] allows for the rest.
//
// Source: B. Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30 (1982).
func (b *BatchMeans) PlainInterval(level float64) Interval {
	const method, most = "batch means, Student t", 31
	n, mean := b.all.N(), b.all.Mean()
	want, reason := levelOf(level)
	if reason == "" && n < 2 {
		reason = tooFew(n)
	}
	if reason != "" {
		return Point(mean, n, method, reason)
	}
	w, _ := b.means()
	for len(w) > most {
		w = series.Pairs(w)
	}
	k := float64(len(w))
	variance := series.Describe(w).Variance / k // of the mean
	lo, hi := around(mean, dist.StudentUpper((1-want)/2, k-1)*math.Sqrt(variance))
	iv := Interval{Center: mean, Lo: lo, Hi: hi, Level: want, Method: method, N: n, NEff: float64(n)}
	if all := b.all.Variance(); all > 0 && variance > 0 {
		iv.NEff = min(1e3*float64(n), all/variance)
	}
	return iv
}
