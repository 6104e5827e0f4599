// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math/rand/v2"
	"slices"
)

// An Order draws in which order the parts of a comparison run: round by round, at random, and each second round the
// reverse of the one before. With two parts a block of two rounds is ABBA or BAAB, so that whatever drifts on a straight
// line hits both alike. Not safe for concurrent use.
type Order struct {
	perm  []int
	rng   *rand.Rand
	again bool // the next round is the reverse of this
}

// NewOrder returns the order of n parts that the seed gives.
func NewOrder(n int, seed uint64) *Order {
	o := &Order{perm: make([]int, max(0, n)), rng: rand.New(rand.NewPCG(seed, 0))}
	for i := range o.perm {
		o.perm[i] = i
	}
	return o
}

// Next returns the parts, by their numbers from 0, in the order of the next round. The slice is good until the next call.
func (o *Order) Next() []int {
	if o.again {
		slices.Reverse(o.perm)
	} else {
		o.rng.Shuffle(len(o.perm), func(i, j int) { o.perm[i], o.perm[j] = o.perm[j], o.perm[i] })
	}
	o.again = !o.again
	return o.perm
}
