// SPDX-License-Identifier: BSD-3-Clause

package stat

import "math/big"

// Scale multiplies every sample by a factor, as if the products had been added instead: it changes the unit of the samples to one
// that is finer by that factor, and loses nothing. It returns false and changes nothing if the factor is below 1, or if a product
// does not fit in an int64. It allocates.
func (b *BatchMeans) Scale(factor int64) bool {
	if factor < 1 {
		return false
	}
	if m := b.Moments(); m.N() > 0 {
		for _, x := range [...]int64{m.Min(), m.Max()} {
			if x*factor/factor != x {
				return false
			}
		}
	}
	b.scale(factor)
	return true
}

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
