// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// integer reads a whole number that fits in an int64.
func (r *jsonReader) integer() int64 {
	text := r.number()
	x, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail("not a whole number of 64 bits")
	}
	return x
}

func (r *jsonReader) unsigned() uint64 {
	x, err := strconv.ParseUint(r.number(), 10, 64)
	if err != nil {
		r.fail("not a count")
	}
	return x
}

// wide reads a whole number that fits in 128 bits.
func (r *jsonReader) wide() int128 {
	text := r.number()
	x, ok := new(big.Int), len(text) < 48
	if ok {
		_, ok = x.SetString(text, 10)
	}
	if !ok || x.BitLen() > 127 {
		r.fail("not a whole number of 128 bits")
		return int128{}
	}
	return int128Of(x)
}

// jsonReader parses the part of JSON that a histogram and an interval need. After the first failure its methods do nothing.
type jsonReader struct {
	data []byte
	of   string // what it is the JSON of
	at   int
	err  error
}

func (r *jsonReader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("stat: %s JSON, byte %d: %s", r.of, r.at, what)
	}
}

// peek returns the next byte that is not white space, 0 at the end or after a failure.
func (r *jsonReader) peek() byte {
	for ; r.err == nil && r.at < len(r.data); r.at++ {
		switch c := r.data[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *jsonReader) expect(c byte) {
	if r.peek() != c {
		r.fail("expected " + strconv.QuoteRune(rune(c)))
		return
	}
	r.at++
}

func (r *jsonReader) end() {
	if r.peek() != 0 || r.at < len(r.data) {
		r.fail("unexpected text after the object")
	}
}

// list calls item for every element between the brackets.
func (r *jsonReader) list(open, end byte, item func()) {
	r.expect(open)
	if r.peek() == end {
		r.at++
		return
	}
	for r.err == nil {
		item()
		if r.peek() == end {
			r.at++
			return
		}
		r.expect(',')
	}
}

func (r *jsonReader) array(item func()) { r.list('[', ']', item) }

func (r *jsonReader) object(member func(key string)) {
	r.list('{', '}', func() {
		key := r.text()
		r.expect(':')
		member(key)
	})
}

// text reads a string and returns what is between the quotes, with its escapes.
func (r *jsonReader) text() string {
	r.expect('"')
	for start := r.at; r.err == nil && r.at < len(r.data); r.at++ {
		switch r.data[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return string(r.data[start : r.at-1])
		}
	}
	r.fail("a string is not terminated")
	return ""
}

// unescaped reads a string. One with an escape that Go does not have, such as half of a surrogate pair, stays as it stands.
func (r *jsonReader) unescaped() string {
	text := r.text()
	if s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `\/`, "/") + `"`); err == nil {
		return s
	}
	return text
}

// null reports whether the next value is null, and passes over it.
func (r *jsonReader) null() bool {
	if r.peek() == 'n' {
		r.skip(0)
		return true
	}
	return false
}

func (r *jsonReader) number() string {
	r.peek()
	start := r.at
	for r.err == nil && r.at < len(r.data) {
		switch c := r.data[r.at]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			r.at++
			continue
		}
		break
	}
	return string(r.data[start:r.at])
}

// skip passes over one value of any kind.
func (r *jsonReader) skip(depth int) {
	switch c := r.peek(); {
	case depth > 100:
		r.fail("nested too deeply")
	case c == '{':
		r.object(func(string) { r.skip(depth + 1) })
	case c == '[':
		r.array(func() { r.skip(depth + 1) })
	case c == '"':
		r.text()
	default:
		start := r.at
		for r.err == nil && r.at < len(r.data) {
			switch r.data[r.at] {
			case ',', ']', '}', ' ', '\t', '\n', '\r':
			default:
				r.at++
				continue
			}
			break
		}
		if r.at == start {
			r.fail("a value is missing")
		}
	}
}
