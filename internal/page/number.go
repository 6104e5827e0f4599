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

// Rounded rounds x to eight significant digits, more than a plot shows, so that the data of a page stays short.
func Rounded(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 8-math.Ceil(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
