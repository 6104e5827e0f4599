// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math/big"
	"math/bits"
)

// sums holds what the moments are computed from, exactly. All fields are zero while n is.
type sums struct {
	n           uint64
	sum         int128 // below 2^127 for 2^64 samples
	squares     int192 // below 2^190
	products    int192 // of each sample and the one before it
	first, last int64
	min, max    int64
}

// int128 and int192 are two's complement.
type (
	int128 struct{ hi, lo uint64 }
	int192 struct{ hi, mid, lo uint64 }
)

func (a int128) plus(b int128) int128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return int128{a.hi + b.hi + carry, lo}
}

func (a int128) minus(b int128) int128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return int128{a.hi - b.hi - borrow, lo}
}

// float returns a correctly rounded.
func (a int128) float() float64 {
	if int64(a.hi) == int64(a.lo)>>63 {
		return float64(int64(a.lo))
	}
	return float64Of(new(big.Float).SetInt(a.int()))
}

// times returns v·n.
func times(v int64, n uint64) int128 {
	hi, lo := bits.Mul64(uint64(v), n)
	return int128{hi - uint64(v>>63)&n, lo} // the unsigned product made signed
}

func (a int192) plus(b int192) int192 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	mid, carry := bits.Add64(a.mid, b.mid, carry)
	return int192{a.hi + b.hi + carry, mid, lo}
}

func extend128(x int64) int128 { return int128{uint64(x >> 63), uint64(x)} }
func extend192(x int64) int192 { return int192{uint64(x >> 63), uint64(x >> 63), uint64(x)} }

// product returns x·y.
func product(x, y int64) int192 {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x) // the unsigned product made signed
	return int192{uint64(int64(hi) >> 63), hi, lo}
}

// add takes at most eight samples. When all of them and the one before are below 2^30 in size, a second in nanoseconds,
// the sums of the block fit in 64 bits, and the wide addition happens once instead of eight times.
func (s *sums) add(samples []int64) {
	if len(samples) == 0 {
		return
	}
	if s.n == 0 {
		s.first, s.min, s.max = samples[0], samples[0], samples[0]
	}
	s.n += uint64(len(samples))
	last, low, high := s.last, samples[0], samples[0]
	var sum, squares, products int64
	for _, x := range samples {
		sum += x
		squares += x * x
		products += x * last // last is 0 before the first sample ever
		low, high, last = min(low, x), max(high, x), x
	}
	if min(low, s.last) <= -1<<30 || max(high, s.last) >= 1<<30 {
		s.addWide(samples)
		return
	}
	s.sum = s.sum.plus(extend128(sum))
	s.squares = s.squares.plus(extend192(squares))
	s.products = s.products.plus(extend192(products))
	s.last, s.min, s.max = last, min(s.min, low), max(s.max, high)
}

func (s *sums) addWide(samples []int64) {
	for _, x := range samples {
		s.sum = s.sum.plus(extend128(x))
		s.squares = s.squares.plus(product(x, x))
		s.products = s.products.plus(product(x, s.last))
		s.last, s.min, s.max = x, min(s.min, x), max(s.max, x)
	}
}

// merged returns the sums of the samples of s followed by those of t.
func (s sums) merged(t sums) sums {
	switch {
	case t.n == 0:
		return s
	case s.n == 0:
		return t
	}
	return sums{
		n:        s.n + t.n,
		sum:      s.sum.plus(t.sum),
		squares:  s.squares.plus(t.squares),
		products: s.products.plus(t.products).plus(product(s.last, t.first)),
		first:    s.first,
		last:     t.last,
		min:      min(s.min, t.min),
		max:      max(s.max, t.max),
	}
}

// prec is enough to keep the quotient of two exact integers of up to 320 bits correct in every bit of a float64.
const prec = 384

func (s sums) mean() float64 {
	if s.n == 0 {
		return 0
	}
	return float64Of(quotient(s.sum.int(), natural(s.n)))
}

func (s sums) variance() float64 {
	if s.n < 2 {
		return 0
	}
	return float64Of(s.bigVariance())
}

func (s sums) stdDev() float64 {
	if s.n < 2 {
		return 0
	}
	v := s.bigVariance()
	return float64Of(v.Sqrt(v))
}

// bigVariance returns (n·Σx² - (Σx)²) / (n(n-1)).
func (s sums) bigVariance() *big.Float {
	n := natural(s.n)
	return quotient(s.deviations(), n.Mul(n, natural(s.n-1)))
}

// deviations returns n·Σx² - (Σx)², which is n·Σ(x-x̄)².
func (s sums) deviations() *big.Int {
	sum, squares := s.sum.int(), s.squares.int()
	squares.Mul(squares, natural(s.n))
	return squares.Sub(squares, sum.Mul(sum, sum))
}

// lag1 returns [n²·P - n·S·(2S - first - last) + (n-1)·S²] / [n·(n·Q - S²)] with S, Q, P the sums of samples, squares
// and products: the definition of [Moments.Lag1] multiplied out.
func (s sums) lag1() (float64, bool) {
	if s.n < 2 {
		return 0, false
	}
	below := s.deviations()
	if below.Sign() == 0 {
		return 0, false
	}
	n, sum := natural(s.n), s.sum.int()
	below.Mul(below, n)
	above := s.products.int()
	above.Mul(above, n).Mul(above, n)
	ends := new(big.Int).Lsh(sum, 1)
	ends.Sub(ends, big.NewInt(s.first)).Sub(ends, big.NewInt(s.last)).Mul(ends, sum).Mul(ends, n)
	above.Sub(above, ends)
	square := sum.Mul(sum, sum)
	above.Add(above, square.Mul(square, natural(s.n-1)))
	return float64Of(quotient(above, below)), true
}

func natural(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func (a int128) int() *big.Int {
	hi := big.NewInt(int64(a.hi))
	return hi.Lsh(hi, 64).Add(hi, natural(a.lo))
}

func (a int192) int() *big.Int {
	hi := int128{a.hi, a.mid}.int()
	return hi.Lsh(hi, 64).Add(hi, natural(a.lo))
}

func quotient(a, b *big.Int) *big.Float {
	x := new(big.Float).SetPrec(prec).SetInt(a)
	return x.Quo(x, new(big.Float).SetPrec(prec).SetInt(b))
}

func float64Of(x *big.Float) float64 { f, _ := x.Float64(); return f }
