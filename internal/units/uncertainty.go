// SPDX-License-Identifier: BSD-3-Clause

// Package units formats numbers for people, with a unit and with no more digits than are significant.
//
// Use it wherever a measured value becomes text, except in machine-readable output: JSON and CSV contain all digits.
//
// # Digits
//
// The uncertainty of a number decides how many digits it has. The half-width of its interval keeps two significant digits when they
// read 10 to 35, otherwise one, and the number and its bounds stop at the same decimal place. This is the rule of the Particle Data
// Group (Review of Particle Physics, introduction, 5.3), which never rounds a half-width by more than a seventh. It holds for
// numbers below their uncertainty too: 0.0923 with a half-width of 1.5 is "0.1 ± 1.5", and 3 with one of 50 is "0 ± 50". With a
// half-width of zero, a number has up to 15 digits, since nothing limits them. A bound that is exactly zero reads "0".
//
// # Units
//
// Durations are float64 nanoseconds, since means of integer ticks are fractions. Counts are pure numbers. An empty unit is left out.
// Numbers outside 1e-6 to 1e15 share one power of ten: "(1.000 ± 0.012)e-9 s". What is not finite gives "unknown", never NaN.
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

// Uncertain writes center ± half unit: "12.346 ± 0.005 ms". The sign of half is ignored. Use [Interval] for a quantity that cannot
// be negative, with a lower bound of at least zero.
func Uncertain(center, half float64, unit string) string {
	half = math.Abs(half)
	d := digitsFor(half, center)
	return d.with(d.plain(center)+" ± "+d.plain(half), unit, center, half)
}

// Interval writes center with its interval from lo to hi: as [Uncertain] if the interval is symmetric, and otherwise by its bounds,
// "12.3 [11.9, 13.4] ms". The digits follow half the width of the interval.
func Interval(center, lo, hi float64, unit string) string {
	half := hi/2 - lo/2
	if half < 0 {
		return "unknown"
	}
	if symmetric(center, lo, hi) {
		return Uncertain(center, half, unit)
	}
	d := digitsFor(half, center)
	return d.with(d.plain(center)+" ["+d.bound(lo)+", "+d.bound(hi)+"]", unit, center, lo, hi)
}

// Change is [Interval] for a difference: positive numbers have a sign, "+1.2 ± 0.5 %" or "+1.2 [+0.4, +2.5] %". A bound that is not
// zero never reads as zero, since whether the interval contains zero is what readers look for: "+1.0 [+0.02, +2.0] %".
func Change(center, lo, hi float64, unit string) string {
	half := hi/2 - lo/2
	if half < 0 {
		return "unknown"
	}
	d := digitsFor(half, center)
	text := signed(d.plain(center)) + " [" + signed(d.beside(lo, 0)) + ", " + signed(d.beside(hi, 0)) + "]"
	if d.suffices(center, lo, hi, 0) {
		text = signed(d.plain(center)) + " ± " + d.plain(half)
	}
	return d.with(text, unit, center, lo, hi)
}

// Ratio is [Interval] for a ratio: "1.15 [1.10, 1.21]". A bound other than 1 never reads as 1.
func Ratio(center, lo, hi float64) string {
	half := hi/2 - lo/2
	if half < 0 {
		return "unknown"
	}
	d := digitsFor(half, center)
	text := d.plain(center) + " [" + d.beside(lo, 1) + ", " + d.beside(hi, 1) + "]"
	if d.suffices(center, lo, hi, 1) {
		text = d.plain(center) + " ± " + d.plain(half)
	}
	return d.with(text, "", center, lo, hi)
}

// Bounds writes the interval of [Interval] without its center, always by its bounds: "[11.9, 13.4] ms".
func Bounds(lo, hi float64, unit string) string {
	half := hi/2 - lo/2
	if half < 0 {
		return "unknown"
	}
	d := digitsFor(half, max(math.Abs(lo), math.Abs(hi)))
	return d.with("["+d.bound(lo)+", "+d.bound(hi)+"]", unit, lo, hi)
}

// ChangeBounds writes the interval of [Change] without its center: "[+0.4, +2.5] %".
func ChangeBounds(lo, hi float64, unit string) string {
	half := hi/2 - lo/2
	if half < 0 {
		return "unknown"
	}
	d := digitsFor(half, max(math.Abs(lo), math.Abs(hi)))
	return d.with("["+signed(d.beside(lo, 0))+", "+signed(d.beside(hi, 0))+"]", unit, lo, hi)
}

// Rounded writes x with the digits that an uncertainty of half supports: "12.346 ms" for 0.005. It is for a number whose interval
// is written elsewhere, and for a bound.
func Rounded(x, half float64, unit string) string {
	d := digitsFor(math.Abs(half), x)
	return d.with(d.bound(x), unit, x, half)
}

// RoundedChange is [Rounded] for a difference: positive numbers have a sign.
func RoundedChange(x, half float64, unit string) string { return signed(Rounded(x, half, unit)) }

// symmetric reports whether one number after ± says as much as two bounds, up to rounding.
func symmetric(center, lo, hi float64) bool {
	up, down := hi-center, center-lo
	return math.Abs(up-down) <= 1e-6*(up+down)+0x1p-50*math.Abs(center)
}

// digits is the decimal place at which numbers stop, after a division by 10^power. It is exact where nothing limits the digits.
type digits struct {
	place, power int
	exact        bool
}

// digitsFor returns the place for a half-width, and the power of ten that makes it and x readable.
func digitsFor(half, x float64) digits {
	if !finite(half) || !finite(x) {
		return digits{}
	}
	d := digits{exact: half == 0}
	if size := max(math.Abs(x), half); size != 0 && (size < 1e-6 || size >= 1e15) {
		d.power = exponent(size)
	}
	d.place = decimals(tenth(half, d.power))
	return d
}

func (d digits) plain(x float64) string {
	if x = tenth(x, d.power); d.exact {
		return shortest(x)
	}
	return fixed(x, d.place)
}

// bound is plain, but writes no decimals after an exact zero: that is a limit, not an estimate.
func (d digits) bound(x float64) string {
	if x == 0 {
		return "0"
	}
	return d.plain(x)
}

// beside is bound, with the further digits that tell x from a number that it is not.
func (d digits) beside(x, other float64) string {
	for i := 0; i < 15 && !d.exact && x != other && d.plain(x) == d.plain(other); i++ {
		d.place++
	}
	return d.bound(x)
}

// suffices reports whether one number after ± says as much as the bounds do beside a number that they may not contain.
func (d digits) suffices(center, lo, hi, other float64) bool {
	return symmetric(center, lo, hi) && d.beside(lo, other) == d.bound(lo) && d.beside(hi, other) == d.bound(hi)
}

// with adds the power and the unit to a text that was made of numbers.
func (d digits) with(text, unit string, numbers ...float64) string {
	for _, x := range numbers {
		if !finite(x) {
			return "unknown"
		}
	}
	if d.power != 0 {
		if strings.ContainsAny(text, " ") {
			text = "(" + text + ")"
		}
		text += "e" + strconv.Itoa(d.power)
	}
	return withUnit(text, unit)
}

// signed puts a plus before a number above zero.
func signed(text string) string {
	if strings.HasPrefix(text, "-") || !strings.ContainsAny(text, "123456789") {
		return text
	}
	return "+" + text
}

// decimals returns the number of decimals for a half-width; a negative number means tens, hundreds and so on.
func decimals(half float64) int {
	if half == 0 {
		return 0
	}
	text := strconv.FormatFloat(half, 'e', 2, 64) // d.dde±xx
	lead, _ := strconv.Atoi(text[:1] + text[2:4])
	e, _ := strconv.Atoi(text[5:])
	if lead < 355 {
		return 1 - e
	}
	return -e // 0.96 becomes 1.0: two digits, one place up
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
