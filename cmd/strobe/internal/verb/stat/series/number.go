// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

// A number is mantissa·10^-decimals, exactly as it was written.
type number struct {
	mantissa int64
	decimals int // may be negative
}

var (
	errNoNumber  = errors.New("is not a number")
	errNotFinite = errors.New("is not finite")
	errHuge      = errors.New("is beyond 9.2e18; use a larger unit")
)

// smallest is the maximum number of decimals; further digits are dropped.
const smallest = 300

// parseNumber reads the number at the beginning of text, as in "-12.50", "+.5", "1.5e-3" or "7.25 ms", and returns the rest. It
// rounds to eighteen digits.
func parseNumber(text []byte) (n number, rest []byte, rounded bool, err error) {
	i := 0
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		i++
	}
	digits, point, half := 0, false, false
	dropped := 0
	for ; i < len(text); i++ {
		c := text[i]
		if c == '.' && !point {
			point = true
			continue
		}
		if c -= '0'; c > 9 {
			break
		}
		digits++
		if n.mantissa > (math.MaxInt64-9)/10-1 || dropped > 0 {
			if dropped++; dropped == 1 {
				half = c >= 5
			}
			rounded = rounded || c != 0
			if !point {
				n.decimals--
			}
			continue
		}
		n.mantissa = 10*n.mantissa + int64(c)
		if point {
			n.decimals++
		}
	}
	rest = text[i:]
	if digits == 0 {
		return number{}, rest, false, notANumber(text)
	}
	if half {
		n.mantissa++
	}
	if negative {
		n.mantissa = -n.mantissa
	}
	if power, after, ok := parsePower(rest); ok {
		n.decimals -= power
		rest = after
	}
	n.trim(0)
	if n.mantissa == 0 {
		n.decimals = 0
	}
	return n, rest, rounded, nil
}

// parsePower reads an exponent such as "e-3", limited to ±10000.
func parsePower(text []byte) (power int, rest []byte, ok bool) {
	if len(text) < 2 || text[0]|0x20 != 'e' {
		return 0, text, false
	}
	i := 1
	negative := text[1] == '-'
	if negative || text[1] == '+' {
		i++
	}
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		power = min(10_000, 10*power+int(text[i]-'0'))
		ok = true
	}
	if !ok {
		return 0, text, false
	}
	if negative {
		power = -power
	}
	return power, text[i:], true
}

func notANumber(text []byte) error {
	word := bytes.ToLower(bytes.TrimLeft(text, "+-"))
	for _, s := range []string{"nan", "inf"} {
		if bytes.HasPrefix(word, []byte(s)) {
			return errNotFinite
		}
	}
	return errNoNumber
}

// trim removes trailing zeros until at most the given number of decimals is left, if possible.
func (n *number) trim(decimals int) {
	for n.decimals > decimals && n.mantissa%10 == 0 && n.mantissa != 0 {
		n.mantissa /= 10
		n.decimals--
	}
}

// magnitude returns the number of digits before the decimal point: 0 for 0.5, -1 for 0.05.
func (n number) magnitude() int { return width(n.mantissa) - n.decimals }

// width returns the number of decimal digits of x, 0 for 0.
func width(x int64) int { return widthOf(absolute(x)) }

func widthOf(u uint64) int {
	w := 0
	for ; u > 0; u /= 10 {
		w++
	}
	return w
}

func absolute(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// at returns the number as an integer in the unit 10^-decimals, rounded to the nearest, if it fits.
func (n number) at(decimals int) (x int64, exact, ok bool) {
	if n.mantissa == 0 {
		return 0, true, true
	}
	by := decimals - n.decimals
	if by >= 0 {
		if by > 18 {
			return 0, true, false
		}
		x = n.mantissa * tens[by]
		return x, true, x/tens[by] == n.mantissa && x != math.MinInt64
	}
	return roundOff(n.mantissa, -by), n.mantissa%tens[min(-by, 18)] == 0 && -by <= 18, true
}

// roundOff divides x by 10^by and rounds halves away from zero.
func roundOff(x int64, by int) int64 {
	if by > 18 {
		return 0
	}
	q, r := x/tens[by], x%tens[by]
	if up := absolute(r) >= uint64(tens[by])/2 && by > 0; up && x > 0 {
		q++
	} else if up {
		q--
	}
	return q
}

var tens = [19]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// unitOf returns text as a unit, without leading white space.
func unitOf(text []byte) (unit string, err error) {
	text = bytes.TrimSpace(text)
	if len(text) > 20 {
		return "", errNoNumber
	}
	for rest := text; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if !unicode.IsLetter(r) && r != '%' && r != '/' && r != '°' && (r != '²' && r != '³') {
			return "", errNoNumber
		}
		rest = rest[n:]
	}
	return string(text), nil
}

// durationOf reads a length of time in Go's form with several units, such as "1m3s" or "-2h0m0.5s", as seconds.
func durationOf(text []byte) (n number, ok bool) {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return number{}, false
	}
	n = number{int64(d), 9}
	n.trim(0)
	return n, true
}

// timeScale returns the decimal power of a unit of time, in seconds.
func timeScale(unit string) (power int, ok bool) {
	switch unit {
	case "s", "sec":
		return 0, true
	case "ms":
		return -3, true
	case "us", "µs", "μs": // the micro sign and the Greek letter
		return -6, true
	case "ns":
		return -9, true
	}
	return 0, false
}

// convert changes n from one unit to another. Only units of time can be converted.
func (n *number) convert(from, to string) error {
	if from == to {
		return nil
	}
	a, ok := timeScale(from)
	b, ok2 := timeScale(to)
	if !ok || !ok2 {
		name := func(unit string) string {
			if unit == "" {
				return "no unit"
			}
			return fmt.Sprintf("unit %q", unit)
		}
		return fmt.Errorf("has %s, the first number %s; only ns, us, ms and s can be mixed", name(from), name(to))
	}
	n.decimals -= a - b
	return nil
}

// decimal returns x·10^-digits, rounded once.
func decimal(x int64, digits int) float64 {
	if absolute(x) < 1<<53 && digits <= 22 {
		return float64(x) / math.Pow10(digits)
	}
	v, _ := strconv.ParseFloat(strconv.FormatInt(x, 10)+"e"+strconv.Itoa(-digits), 64)
	return v
}
