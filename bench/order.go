// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math/rand/v2"
	"slices"
)

// An Order draws the order in which the parts of a comparison run, at random and independently for each round. The
// statistics of Pairs rely only on this randomness. The zero value has no parts. It is not safe for concurrent use.
type Order struct {
	perm []int
	rng  *rand.Rand
}

// NewOrder returns an order of n parts, which the seed determines.
func NewOrder(n int, seed uint64) *Order {
	o := &Order{perm: make([]int, max(0, n)), rng: rand.New(rand.NewPCG(seed, 0))}
	for i := range o.perm {
		o.perm[i] = i
	}
	return o
}

// Next returns the parts, numbered from 0, in the order of the next round. The slice is valid until the next call.
func (o *Order) Next() []int {
	if o.rng != nil {
		o.rng.Shuffle(len(o.perm), func(i, j int) { o.perm[i], o.perm[j] = o.perm[j], o.perm[i] })
	}
	return o.perm
}

// Before reports whether part a runs before part b in the round that Next returned last.
func (o *Order) Before(a, b int) bool { return slices.Index(o.perm, a) < slices.Index(o.perm, b) }
