// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// change writes a ratio as a change in percent.
func change(ratio float64) string {
	x := 100 * (ratio - 1)
	decimals := 1
	if math.Abs(x) >= 99.95 {
		decimals = 0
	}
	return signed(layout.Fixed(x, decimals))
}

// small writes the ratio of two counts as a change in percent, with the bounds if there are any.
func small(ratio, lo, hi float64) string {
	text := signed(strconv.FormatFloat(layout.Significant(100*(ratio-1), 3), 'f', -1, 64))
	if lo != hi {
		text += fmt.Sprintf(" [%s, %s]", small(lo, 0, 0), small(hi, 0, 0))
	}
	return text
}

// signed adds a sign and the percent.
func signed(percent string) string {
	if strings.HasPrefix(percent, "-") {
		return percent + " %"
	}
	return "+" + percent + " %"
}

// count writes a number of instructions.
func count(n float64) string {
	if n >= 1000 {
		return layout.Fixed(n, 0)
	}
	return strconv.FormatFloat(layout.Significant(n, 4), 'f', -1, 64)
}
