// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"strconv"
)

// The range of frame times in milliseconds, from a nanosecond to eleven days.
// Anything outside means that the file is broken.
const (
	shortest = 1e-6
	longest  = 1e9
)

// unit is a unit of time as the power of ten that turns it into milliseconds.
type unit struct {
	name     string
	exponent string
	factor   float64
}

var (
	nanoseconds  = unit{"ns", "e-6", 1e-6}
	microseconds = unit{"us", "e-3", 1e-3}
	milliseconds = unit{"ms", "", 1}
	seconds      = unit{"s", "e3", 1e3}
)

// unitNamed returns the unit a caller asked for by name.
func unitNamed(name string) (unit, bool) {
	for _, u := range []unit{nanoseconds, microseconds, milliseconds, seconds} {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

// cell is what a cell of a table can be.
type cell int

const (
	number cell = iota
	empty       // nothing, NA, or a word for "not a number"
	garbage
)

// parse reads a decimal number. The unit is applied to the decimal digits, not
// to the rounded binary value, so 0.0166667 s and 16.6667 ms are one number.
// comma allows the decimal comma.
func parse(b []byte, u unit, comma bool, scratch []byte) (float64, cell) {
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
