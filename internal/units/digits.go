// SPDX-License-Identifier: BSD-3-Clause

package units

import (
	"math"
	"strconv"
	"strings"
)

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " " + unit
}

// tenth returns x/10^power correctly rounded, by having strconv parse the shifted decimal.
func tenth(x float64, power int) float64 {
	text := strconv.FormatFloat(x, 'e', -1, 64)
	mantissa, exp, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exp)
	y, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e-power), 64)
	return y
}

// exponent returns the power of ten of the leading digit of x > 0.
func exponent(x float64) int {
	_, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exp)
	return e
}

// fixed writes x with the given number of decimals; negative places round to tens, hundreds and so on.
func fixed(x float64, place int) string {
	if place >= 0 {
		return unsigned(strconv.FormatFloat(x, 'f', min(place, 340), 64))
	}
	e := 0
	if x != 0 {
		e = exponent(math.Abs(x))
	}
	digits := e + place // digits after the leading one that survive
	if digits < -1 {
		return "0"
	}
	if digits == -1 { // the leading digit is below the last place: round explicitly
		if step := math.Pow10(-place); math.Abs(x) >= step/2 {
			return fixed(math.Copysign(step, x), place)
		}
		return "0"
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits, 64), 64)
	return strconv.FormatFloat(rounded, 'f', 0, 64)
}

// unsigned removes the sign of a rounded zero.
func unsigned(text string) string {
	if strings.HasPrefix(text, "-") && !strings.ContainsAny(text, "123456789") {
		return text[1:]
	}
	return text
}

// shortest writes up to 15 significant digits and no trailing zeros.
func shortest(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 14, 64), 64)
	return unsigned(strconv.FormatFloat(rounded, 'f', -1, 64))
}

// significant writes x with the given number of significant digits, all digits before the point, and no trailing zeros
// after it.
func significant(x float64, digits int) string {
	if x == 0 {
		return "0"
	}
	place := max(0, digits-1-exponent(math.Abs(x)))
	return trimmed(strconv.FormatFloat(x, 'f', place, 64))
}

// trimmed removes the zeros at the end of a fraction, and the sign of a zero.
func trimmed(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return unsigned(text)
}
