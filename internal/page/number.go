// SPDX-License-Identifier: BSD-3-Clause

package page

import (
	"encoding/base64"
	"encoding/binary"
	"math"
)

// Floats packs numbers as little-endian float32 in base64, which page.floats reads.
func Floats(x []float64) string {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// RoundUp returns the smallest number of at least x that is 1, 2 or 5 times a power of ten; 0 for x <= 0.
func RoundUp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if x <= f*power*(1+1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// Rounded rounds x to eight significant digits, more than a plot shows, so that the data of a page stays short.
func Rounded(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 8-math.Ceil(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
