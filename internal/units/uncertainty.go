// SPDX-License-Identifier: BSD-3-Clause

// Package units formats numbers for people, with a unit and with no more digits than are significant.
//
// Use it wherever a measured value becomes text, except in machine-readable output: JSON and CSV contain all digits.
//
// # Units
//
// Durations are float64 nanoseconds, since means of integer ticks are fractions. Counts are pure numbers.
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
// never rounds a half-width by more than a seventh. If this leaves fewer than two significant digits of the center, it is
// written with four, at most four places beyond those of the half-width, so that it is always readable: "55.55 ± 60". With a
// half-width of zero, the center is written with up to 15 digits, since nothing limits them. The sign of half is ignored. An
// empty unit is left out. Numbers outside 1e-6 to 1e15 share one power of ten: "(1.000 ± 0.012)e-9 s". A value that is not
// finite gives "unknown", never NaN.
func Uncertain(center, half float64, unit string) string {
	half = math.Abs(half)
	if !finite(center) || !finite(half) {
		return "unknown"
	}
	center, half, power := rebase(center, half)
	place := decimals(half)
	text := readable(center, place) + " ± " + fixed(half, place)
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
	text := write(center)
	if half != 0 {
		text = readable(center*shift, decimals(half))
	}
	text += " [" + write(lo) + ", " + write(hi) + "]"
	if power != 0 {
		text = "(" + text + ")e" + strconv.Itoa(power)
	}
	return withUnit(text, unit)
}

// rebase divides both numbers by a common power of ten if the larger is too small or too large to be readable.
func rebase(center, half float64) (float64, float64, int) {
	size := max(math.Abs(center), half)
	if size == 0 || size >= 1e-6 && size < 1e15 {
		return center, half, 0
	}
	power := exponent(size)
	return tenth(center, power), tenth(half, power), power
}

// decimals returns the number of decimals for a half-width; a negative number means tens, hundreds and so on.
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

// readable writes x like fixed, or with four significant digits if that would leave fewer than two.
func readable(x float64, place int) string {
	if x == 0 || exponent(math.Abs(x))+place >= 1 {
		return fixed(x, place)
	}
	most := max(0, place+4)
	text := trimmed(strconv.FormatFloat(x, 'f', min(most, max(0, 3-exponent(math.Abs(x)))), 64))
	if !strings.ContainsAny(text, "123456789") {
		return fixed(x, place)
	}
	return text
}

// Approx writes x with four significant digits, and all digits before the point, for an estimate whose uncertainty is not known:
// "12.35 ms".
func Approx(x float64, unit string) string {
	if !finite(x) {
		return "unknown"
	}
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e15) {
		return withUnit(strconv.FormatFloat(x, 'g', 4, 64), unit)
	}
	return withUnit(significant(x, 4), unit)
}

// Plain writes x with up to 15 significant digits, for a value that is exact: "12.5 ms".
func Plain(x float64, unit string) string {
	if !finite(x) {
		return "unknown"
	}
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e15) {
		return withUnit(strconv.FormatFloat(x, 'g', 15, 64), unit)
	}
	return withUnit(shortest(x), unit)
}
