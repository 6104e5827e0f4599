// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"math"
	"strings"
	"time"
)

// bars show probabilities, from hardly any to nearly certain.
var bars = []rune("▁▂▃▄▅▆▇█")

// picture draws the probability that the cost changes at each commit but the first, in at most width characters. Commits that are
// skipped are an x, where they have a character of their own.
func picture(probabilities []float64, skipped map[int]string, width int) string {
	n := len(probabilities) - 1
	width = min(n, width)
	var text strings.Builder
	for k := range width {
		from, to := 1+k*n/width, 1+(k+1)*n/width
		most, broken := 0.0, 0
		for i := from; i < to; i++ {
			most = max(most, probabilities[i])
			if skipped[i] != "" {
				broken++
			}
		}
		if broken == to-from {
			text.WriteByte('x')
			continue
		}
		text.WriteRune(bars[int(math.Round(min(1, most)*float64(len(bars)-1)))])
	}
	return text.String()
}

// estimate guesses how long a search will take: about two measurements for each halving of the commits that may be it, and a
// comparison.
func estimate(probabilities []float64, measurement, comparison time.Duration) time.Duration {
	sum, bits := 0.0, 0.0
	for _, p := range probabilities {
		sum += p
	}
	for _, p := range probabilities {
		if p > 0 {
			bits -= p / sum * math.Log2(p/sum)
		}
	}
	return time.Duration(2*math.Ceil(bits)*float64(measurement)) + comparison
}
