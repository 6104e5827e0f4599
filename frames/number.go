// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"strconv"
)

// The range of frame times in milliseconds, from a nanosecond to eleven days. Anything outside means that the file is broken.
const (
	shortest = 1e-6
	longest  = 1e9
)

// unit is a unit of time as the power of ten that turns it into milliseconds.
type unit struct {
	name     string
	exponent string
	power    int
	factor   float64
}

var (
	nanoseconds  = unit{"ns", "e-6", -6, 1e-6}
	microseconds = unit{"us", "e-3", -3, 1e-3}
	milliseconds = unit{"ms", "", 0, 1}
	seconds      = unit{"s", "e3", 3, 1e3}
)

// unitNamed returns the unit with a name.
func unitNamed(name string) (unit, bool) {
	for _, u := range []unit{nanoseconds, microseconds, milliseconds, seconds} {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

// cell is the kind of a cell of a table.
type cell int

const (
	number cell = iota
	empty       // nothing, NA, or a word for "not a number"
	garbage
)

// parse reads a decimal number. The unit is applied to the decimal digits, not to the rounded binary value, so 0.0166667 s and
// 16.6667 ms are one number. comma allows the decimal comma.
func parse(b []byte, u unit, comma bool, scratch []byte) (float64, cell) {
	if v, ok := short(b, u.power); ok {
		return v, number
	}
	b = bytes.TrimSpace(b)
	if len(b) == 0 || isNA(b) {
		return 0, empty
	}
	if len(b) > 400 {
		return 0, garbage
	}
	scratch = scratch[:0]
	exponent := false
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9', c == '.':
		case c == '-' || c == '+':
			if i > 0 && b[i-1] != 'e' && b[i-1] != 'E' {
				return 0, garbage
			}
		case c == 'e' || c == 'E':
			exponent = true
		case c == ',' && comma:
			c = '.'
		default:
			return 0, garbage
		}
		scratch = append(scratch, c)
	}
	if !exponent {
		scratch = append(scratch, u.exponent...)
	}
	v, err := strconv.ParseFloat(string(scratch), 64)
	if err != nil {
		return 0, garbage
	}
	if exponent {
		v *= u.factor
	}
	return v, number
}

// powers are those that float64 represents exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// short reads the common form: digits, optionally with a point and a minus sign. The digits and the power of ten are exact, so
// the quotient is rounded once. ok is false for any other form.
func short(b []byte, power int) (v float64, ok bool) {
	digits := b
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		digits = b[1:]
	}
	var whole uint64
	point := -1
	for i, c := range digits {
		switch {
		case c >= '0' && c <= '9' && whole < 1<<53/10:
			whole = 10*whole + uint64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	if point >= 0 {
		power -= len(digits) - 1 - point
	}
	if len(digits) == 0 || len(digits) == 1 && point == 0 || power < -22 {
		return 0, false
	}
	v = float64(whole)
	if negative {
		v = -v
	}
	if power < 0 {
		return v / powers[-power], true
	}
	return v * powers[power], true
}

func isNA(b []byte) bool {
	for _, word := range []string{"NA", "N/A", "NaN", "-", "null"} {
		if bytes.EqualFold(b, []byte(word)) {
			return true
		}
	}
	return false
}

// integer reads a small decimal integer such as a process id or a flag.
func integer(b []byte) (int, bool) {
	v, err := strconv.Atoi(string(bytes.TrimSpace(b)))
	return v, err == nil
}
