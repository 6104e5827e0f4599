// SPDX-License-Identifier: BSD-3-Clause

// Package units writes numbers for people: with a unit, and with no more digits than are known.
//
// Use it wherever a measured value becomes text. Machine-readable output does not belong here: JSON and CSV carry all
// digits.
//
// # Units
//
// Durations go in as float64 nanoseconds, since means of integer ticks are fractions. Counts are pure numbers.
//
// # Concurrency
//
// Every function is pure and safe for concurrent use.
package units

import (
	"math"
	"strconv"
	"strings"
)

// Uncertain writes center ± half unit so that the digits follow the uncertainty: "12.346 ± 0.005 ms".
//
// The half-width keeps two significant digits when they read 10 to 35, otherwise one, and the center stops at the same
// decimal place; this is the rule of the Particle Data Group (Review of Particle Physics, introduction, 5.3), which
// never rounds a half-width by more than a seventh. A half-width of zero writes the center with up to 15 digits, since
// nothing limits them. The sign of half is ignored. An empty unit is left out. Numbers outside 1e-6 to 1e15 share one
// power of ten: "(1.000 ± 0.012)e-9 s". A value that is not finite gives "unknown", never NaN.
func Uncertain(center, half float64, unit string) string {
	half = math.Abs(half)
	if !finite(center) || !finite(half) {
		return "unknown"
	}
	center, half, power := rebase(center, half)
	place := decimals(half)
	text := fixed(center, place) + " ± " + fixed(half, place)
	if half == 0 {
		text = shortest(center) + " ± 0"
	}
	if power != 0 {
		text = "(" + text + ")e" + strconv.Itoa(power)
	}
	return withUnit(text, unit)
}

// Span writes center [lo, hi] unit for an interval that is not symmetric: "12.3 [11.9, 13.4] ms". The digits follow half
// the width of the interval, by the rule of [Uncertain].
func Span(center, lo, hi float64, unit string) string {
	half := hi/2 - lo/2
	if !finite(center) || !finite(lo) || !finite(hi) || half < 0 {
		return "unknown"
	}
	scaled, half, power := rebase(center, half)
	shift := 1.0
	if center != 0 {
		shift = scaled / center
	} else if power != 0 {
		shift = half / (hi/2 - lo/2)
	}
	write := func(x float64) string { return fixed(x*shift, decimals(half)) }
	if half == 0 {
		write = func(x float64) string { return shortest(x * shift) }
	}
	text := write(center) + " [" + write(lo) + ", " + write(hi) + "]"
	if power != 0 {
		text = "(" + text + ")e" + strconv.Itoa(power)
	}
	return withUnit(text, unit)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " " + unit
}

// rebase divides both numbers by a common power of ten when the larger is too small or too large to be read as it is.
func rebase(center, half float64) (float64, float64, int) {
	size := max(math.Abs(center), half)
	if size == 0 || size >= 1e-6 && size < 1e15 {
		return center, half, 0
	}
	power := exponent(size)
	return tenth(center, power), tenth(half, power), power
}

// tenth returns x/10^power correctly rounded, by letting strconv read the shifted decimal.
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

// decimals returns how many decimals a half-width deserves; negative means tens, hundreds and so on.
func decimals(half float64) int {
	if half == 0 {
		return 0
	}
	text := strconv.FormatFloat(half, 'e', 2, 64) // d.dde±xx
	lead, _ := strconv.Atoi(text[:1] + text[2:4])
	e, _ := strconv.Atoi(text[5:])
	switch {
	case lead < 355:
		return 1 - e
	case lead < 950:
		return -e
	default: // 0.96 becomes 1.0: two digits, one place up
		return -e
	}
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
	if digits == -1 { // the leading digit itself is below the last place: round by hand
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

// Plain writes x with up to 15 significant digits for a value that has no uncertainty to follow: "12.5 ms".
func Plain(x float64, unit string) string {
	if !finite(x) {
		return "unknown"
	}
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e15) {
		return withUnit(strconv.FormatFloat(x, 'g', 15, 64), unit)
	}
	return withUnit(shortest(x), unit)
}
