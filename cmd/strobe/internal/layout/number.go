// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"fmt"
	"strconv"
	"strings"
)

// Percent writes a fraction as a percentage, without the sign: 0.999 is "99.9".
func Percent(q float64) string {
	return strconv.FormatFloat(Significant(100*q, 12), 'f', -1, 64)
}

// Significant rounds v to the given number of significant digits.
func Significant(v float64, digits int) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return v
}

// Fixed writes v with the given number of decimals, and never "-0".
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Bytes writes a size with a binary prefix.
func Bytes(n int64) string {
	x, prefixes := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for x >= 1024 && len(prefixes) > 1 {
		x /= 1024
		prefixes = prefixes[1:]
	}
	return fmt.Sprintf("%.3g %s", x, prefixes[0])
}

// Plural writes a number of things: "1 line", "2 lines".
func Plural(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
