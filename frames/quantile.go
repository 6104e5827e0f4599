// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"

	"github.com/strobe-go/strobe/internal/enum"
)

// Quantile is a definition of a sample quantile, by the name it has in Hyndman and Fan, "Sample Quantiles in Statistical
// Packages", 1996. In the formulas below s[1] <= ... <= s[n] are the values and p is the probability.
//
// It prints, and is written to JSON, as the word beside it. The zero value is R7, the default.
type Quantile int

const (
	R7          Quantile = iota // "R-7": h = (n-1)p + 1, linear between s[⌊h⌋] and s[⌊h⌋+1]; spreadsheets, NumPy, PresentMon
	R8                          // "R-8": h = (n+1/3)p + 1/3, linear, median-unbiased; Math.NET and so CapFrameX
	NearestRank                 // "nearest-rank": s[⌈np⌉], always a value that was measured
)

var quantiles = []string{"R-7", "R-8", "nearest-rank"}

// String returns the word for the definition.
func (q Quantile) String() string { return enum.Word(q, quantiles) }

// MarshalText writes the word for the definition. It never fails.
func (q Quantile) MarshalText() ([]byte, error) { return []byte(q.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (q *Quantile) UnmarshalText(text []byte) error { return enum.Parse(q, quantiles, text) }

// of returns the quantile of n > 0 ascending values, which at returns by index.
func (q Quantile) of(n int, at func(int) float64, p float64) float64 {
	if n == 1 {
		return at(0)
	}
	switch q {
	case R8:
		h := (float64(n)+1.0/3)*p + 1.0/3
		i := int(h)
		if i < 1 {
			return at(0)
		}
		if i >= n {
			return at(n - 1)
		}
		return at(i-1) + (h-float64(i))*(at(i)-at(i-1))
	case NearestRank:
		i := int(math.Ceil(settle(float64(n) * p)))
		return at(min(max(i, 1), n) - 1)
	}
	h := settle(float64(n-1) * p)
	i := min(int(h), n-2)
	return at(i) + (h-float64(i))*(at(i+1)-at(i))
}

// settle removes the rounding error of products such as 100·0.07, which would select the neighbouring rank.
func settle(h float64) float64 {
	if whole := math.Round(h); math.Abs(h-whole) < 1e-9*math.Max(1, h) {
		return whole
	}
	return h
}
