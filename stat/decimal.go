// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// Decimal accumulates decimal numbers from text, exactly and in constant memory, as multiples of 10^-Digits, where Digits
// grows to the largest number of decimals seen. For example, 2.0018 and 2.00192 give the moments of the integers 200180 and
// 200192; divide them by 1e5.
//
// The zero value is ready to use. Not safe for concurrent use.
type Decimal struct {
	Batches BatchMeans // moments and interval, in units of 10^-Digits
	Digits  int        // decimals of the unit; it only grows. Divide by math.Pow10(Digits)
}

// Add reads one number, such as "-12.50", "+.5" or "1.5e-3", and adds it; white space around it is ignored. Last is its
// integer in the unit of Digits.
//
// The error says what is wrong with the text: it is not a decimal number, it is not finite, or it does not fit. Every
// number, written with the Digits that are needed by then, must fit in an int64, which leaves 18 significant digits from
// the largest number down to the last decimal. On an error nothing is added.
func (d *Decimal) Add(text []byte) (last int64, err error) {
	mantissa, exponent, err := parseDecimal(bytes.TrimSpace(text))
	if err != nil {
		return 0, err
	}
	if mantissa == 0 {
		exponent = max(exponent, -d.Digits) // 0.000 asks for no decimals
	}
	if more := -exponent - d.Digits; more > 0 {
		if -exponent > 300 {
			return 0, tooLong(text, -exponent)
		}
		if err := d.refine(more, text); err != nil {
			return 0, err
		}
	}
	x, ok := mantissa, true
	for range d.Digits + exponent {
		if x, ok = times10(x); !ok {
			return 0, tooLong(text, d.Digits)
		}
		if x == 0 {
			break
		}
	}
	d.Batches.Add(x)
	return x, nil
}

// refine changes the unit to one that is 10^more times smaller.
func (d *Decimal) refine(more int, text []byte) error {
	m := d.Batches.Moments()
	if m.N() > 0 {
		low, high, ok := m.Min(), m.Max(), true
		for range more {
			if low == 0 && high == 0 {
				break
			}
			var fits bool
			low, fits = times10(low)
			ok = ok && fits
			high, fits = times10(high)
			if ok = ok && fits; !ok {
				return tooLong(text, d.Digits+more)
			}
		}
		if low != 0 || high != 0 {
			d.Batches.scale(pow10(more))
		}
	}
	d.Digits += more
	return nil
}

func tooLong(text []byte, digits int) error {
	return fmt.Errorf("stat: number %.40q needs more than 18 digits together with the numbers before it, at %d decimals", text, digits)
}

func times10(x int64) (int64, bool) { y := x * 10; return y, y/10 == x }

// pow10 returns 10^n for n up to 18.
func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

var errNotDecimal = errors.New("not a decimal number")

// parseDecimal returns text as mantissa·10^exponent. Zeros at the end of a fraction count as written.
func parseDecimal(text []byte) (mantissa int64, exponent int, err error) {
	fail := func(err error) (int64, int, error) {
		return 0, 0, fmt.Errorf("stat: %.40q: %w", text, err)
	}
	rest := text
	negative := len(rest) > 0 && rest[0] == '-'
	if negative || len(rest) > 0 && rest[0] == '+' {
		rest = rest[1:]
	}
	digits, point := 0, false
	zeros := 0 // at the end of the fraction, not yet in the mantissa
	var size uint64
	for ; len(rest) > 0; rest = rest[1:] {
		c := rest[0]
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		digits++
		if point && c == '0' {
			zeros++
			continue
		}
		for ; zeros > 0; zeros-- {
			hi, lo := bits.Mul64(size, 10)
			if hi != 0 {
				return fail(errors.New("more than 18 digits"))
			}
			size, exponent = lo, exponent-1
		}
		hi, lo := bits.Mul64(size, 10)
		sum, carry := bits.Add64(lo, uint64(c-'0'), 0)
		if hi != 0 || carry != 0 {
			return fail(errors.New("more than 18 digits"))
		}
		size = sum
		if point {
			exponent--
		}
	}
	if digits == 0 {
		return fail(errNotDecimal)
	}
	if len(rest) > 0 && (rest[0] == 'e' || rest[0] == 'E') {
		power, ok := parseExponent(rest[1:])
		if !ok {
			return fail(errNotDecimal)
		}
		exponent, rest = exponent+power, nil
	}
	if len(rest) > 0 {
		return fail(errNotDecimal)
	}
	if size>>63 != 0 {
		return fail(errors.New("more than 18 digits"))
	}
	for ; size != 0 && size%10 == 0 && exponent < 0; exponent++ {
		size /= 10
	}
	mantissa = int64(size)
	if negative {
		mantissa = -mantissa
	}
	return mantissa, exponent, nil
}

// parseExponent reads a signed whole number; beyond ±1000 it stops counting, since nothing fits there.
func parseExponent(text []byte) (power int, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		power = min(1000, power*10+int(c-'0'))
	}
	if negative {
		power = -power
	}
	return power, len(text) > 0
}

// scale multiplies every sample by factor, which must leave all of them within int64.
func (b *BatchMeans) scale(factor int64) {
	for i := range b.all.waiting {
		b.all.pending[i] *= factor
	}
	b.all.sums.scale(factor)
	for i := range b.count {
		b.sums[i] = int128Of(new(big.Int).Mul(b.sums[i].int(), big.NewInt(factor)))
	}
	b.open = int128Of(new(big.Int).Mul(b.open.int(), big.NewInt(factor)))
	for _, kept := range [][]int64{b.tails.thin[:b.tails.kept], b.tails.top[:b.tails.held]} {
		for i := range kept {
			kept[i] *= factor
		}
	}
}

func (s *sums) scale(factor int64) {
	f := big.NewInt(factor)
	s.sum = int128Of(new(big.Int).Mul(s.sum.int(), f))
	f.Mul(f, f)
	s.squares = int192Of(f.Mul(f, s.squares.int()))
	f.SetInt64(factor)
	f.Mul(f, f)
	s.products = int192Of(f.Mul(f, s.products.int()))
	s.first, s.last, s.min, s.max = s.first*factor, s.last*factor, s.min*factor, s.max*factor
}

func int128Of(x *big.Int) int128 {
	w := int192Of(x)
	return int128{w.mid, w.lo}
}

func int192Of(x *big.Int) int192 {
	word := func(i uint) uint64 { return new(big.Int).And(new(big.Int).Rsh(x, 64*i), natural(1<<64-1)).Uint64() }
	return int192{word(2), word(1), word(0)}
}
