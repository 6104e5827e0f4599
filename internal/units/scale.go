// SPDX-License-Identifier: BSD-3-Clause

package units

import (
	"math"
	"strconv"
)

// Scale returns the most readable unit for a duration of ns nanoseconds, and the number of nanoseconds in that unit: ns below
// 1 µs, µs below 1 ms, ms below 1 s, and s from there on. Zero and values that are not finite give ns.
func Scale(ns float64) (per float64, unit string) {
	switch ns = math.Abs(ns); {
	case !finite(ns) || ns < 1e3:
		return 1, "ns"
	case ns < 1e6:
		return 1e3, "µs"
	case ns < 1e9:
		return 1e6, "ms"
	default:
		return 1e9, "s"
	}
}

// Duration writes ns nanoseconds with four significant digits in the unit of [Scale]: "16.67 ms", "999.9 ns", "83 ns".
// Trailing zeros of the fraction are dropped; whole seconds are never rounded away. A value that is not finite gives
// "unknown".
func Duration(ns float64) string {
	if !finite(ns) {
		return "unknown"
	}
	per, unit := Scale(ns)
	text := significant(ns/per, 4)
	if (text == "1000" || text == "-1000") && per < 1e9 { // 999.96 ns becomes 1 µs
		per, unit = Scale(math.Copysign(per*1000, ns))
		text = significant(ns/per, 4)
	}
	return text + " " + unit
}

// Count writes n with a decimal prefix and four significant digits: "999", "1.234 k", "12.35 M", "7 G".
func Count(n uint64) string {
	if n < 1000 {
		return strconv.FormatUint(n, 10)
	}
	x, prefixes := float64(n), "kMGTPE"
	for i := 0; ; i++ {
		x /= 1000
		text := significant(x, 4)
		if text != "1000" && x < 1000 || i == len(prefixes)-1 {
			return text + " " + prefixes[i:i+1]
		}
	}
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
