// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// MarshalJSON writes an object without keys for what is not known. Where one is absent, the key reason is there. Package stat does
// not import encoding/json, so that programs which need no JSON do not link it.
func (iv Interval) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	key := func(name string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), '"', ':')
	}
	number := func(name string, x float64, known bool) {
		if known && !math.IsInf(x, 0) && !math.IsNaN(x) {
			key(name)
			b = appendNumber(b, x)
		}
	}
	number("center", iv.Center, iv.Known())
	number("lo", iv.Lo, iv.Level > 0)
	number("hi", iv.Hi, iv.Level > 0)
	number("level", iv.Level, iv.Level > 0)
	key("method")
	b = appendString(b, iv.Method)
	key("n")
	b = strconv.AppendUint(b, iv.N, 10)
	number("n_eff", iv.NEff, iv.NEff != 0)
	reason := iv.Reason
	if reason == "" && !iv.Bounded() {
		reason = notKnown
	}
	if reason != "" {
		key("reason")
		b = appendString(b, reason)
	}
	for i, w := range iv.Warnings {
		if i > 0 {
			b = append(b, ',')
		} else {
			key("warnings")
			b = append(b, '[')
		}
		b = appendString(b, w)
	}
	if len(iv.Warnings) > 0 {
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

// UnmarshalJSON replaces iv by what MarshalJSON wrote. A bound that is absent, or null, becomes infinite. Other keys are skipped. On
// an error, which says at which byte, iv is unchanged.
func (iv *Interval) UnmarshalJSON(data []byte) error {
	r := jsonReader{data: data, of: "interval"}
	next := Unknown("")
	r.object(func(key string) {
		number := func(to *float64) {
			if r.null() {
				return
			}
			x, err := strconv.ParseFloat(r.number(), 64)
			if *to = x; err != nil {
				r.fail("not a number")
			}
		}
		switch key {
		case "center":
			number(&next.Center)
		case "lo":
			number(&next.Lo)
		case "hi":
			number(&next.Hi)
		case "level":
			number(&next.Level)
		case "n_eff":
			number(&next.NEff)
		case "method":
			next.Method = r.unescaped()
		case "n":
			next.N = r.unsigned()
		case "reason":
			next.Reason = r.unescaped()
		case "warnings":
			if !r.null() {
				r.array(func() { next.Warnings = append(next.Warnings, r.unescaped()) })
			}
		default:
			r.skip(0)
		}
	})
	r.end()
	if r.err == nil {
		*iv = next
	}
	return r.err
}

// appendNumber writes a finite number as encoding/json does.
func appendNumber(b []byte, x float64) []byte {
	if size := math.Abs(x); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.AppendFloat(b, x, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// appendString writes a text in quotes.
func appendString(b []byte, text string) []byte {
	b = append(b, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default: // what is not UTF-8 becomes U+FFFD
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}
