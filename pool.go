// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
)

// A pool holds the data of one zone that lanes share: the distribution of the lanes that do not keep one, and the
// calls and times of the goroutines that share a lane. It is striped, so that processors do not wait for each other.
type pool struct {
	node    node // stands for the zone on the shared lane
	stripes []stripe
}

type stripe struct {
	calls   atomic.Uint64 // of the shared lane; the distribution may have more
	total   atomic.Uint64
	min     atomic.Uint64 // ^min, so that zero means none
	max     atomic.Uint64
	octaves atomic.Pointer[octaveTable] // made when first needed, like each octave

	_ [64 - 5*8]byte
}

type octaveTable [61]atomic.Pointer[octave]

type octave [16]atomic.Uint64

const (
	stripeBytes = uint64(unsafe.Sizeof(stripe{}))
	tableSize   = uint64(unsafe.Sizeof(octaveTable{}))
	octaveBytes = uint64(unsafe.Sizeof(octave{}))
)

// pooled returns the pool of z, which it makes at first use.
func (z *Zone) pooled() *pool {
	if p := z.pool.Load(); p != nil {
		return p
	}
	n := 1
	for n < min(runtime.GOMAXPROCS(0), 16) {
		n *= 2
	}
	if n > 1 && !memory.Take(uint64(n-1)*stripeBytes, budget.Detail) {
		n = 1 // slower if many share it, and as exact
	}
	bytes := uint64(n)*stripeBytes + uint64(unsafe.Sizeof(pool{}))
	memory.Force(stripeBytes + uint64(unsafe.Sizeof(pool{})))
	p := &pool{stripes: make([]stripe, n)}
	p.node.zone = z
	p.node.children = &noChildren[0]
	if !z.pool.CompareAndSwap(nil, p) {
		memory.Give(bytes)
	}
	return z.pool.Load()
}

// count adds calls and times of spans on the shared lane, in ticks. key chooses the stripe.
func (p *pool) count(key, calls, total uint64) {
	s := &p.stripes[key&uint64(len(p.stripes)-1)]
	s.calls.Add(calls)
	s.total.Add(total)
}

// distribute adds a duration to the distribution. key chooses the stripe.
func (p *pool) distribute(key, d uint64) { p.add(key, octaves.Index(d), 1, d, d) }

// add adds n durations of a cell, the shortest and longest of which are lo and hi.
func (p *pool) add(key, i, n, lo, hi uint64) {
	s := &p.stripes[key&uint64(len(p.stripes)-1)]
	raise(&s.max, hi)
	raise(&s.min, ^lo)
	var o *octave
	if t := s.octaves.Load(); t != nil {
		o = t[i/16%61].Load()
	}
	if o == nil {
		o = p.make(s, i/16%61)
	}
	if o == nil {
		p.node.zone.undistributed.Store(true)
		return
	}
	o[i%16].Add(n)
}

// raise sets v to x if x is larger.
func raise(v *atomic.Uint64, x uint64) {
	for old := v.Load(); x > old; old = v.Load() {
		if v.CompareAndSwap(old, x) {
			return
		}
	}
}

// make returns the cells of an octave of a stripe; nil if the budget does not allow them. A distribution that exists may use
// all of the budget, a new one only what details may use.
//
//go:noinline
func (p *pool) make(s *stripe, i uint64) *octave {
	need := budget.Detail
	for k := range p.stripes {
		if p.stripes[k].octaves.Load() != nil {
			need = budget.Essential
		}
	}
	if s.octaves.Load() == nil {
		if !memory.Take(tableSize, need) {
			return nil
		}
		if !s.octaves.CompareAndSwap(nil, new(octaveTable)) {
			memory.Give(tableSize)
		}
	}
	t := s.octaves.Load()
	if !memory.Take(octaveBytes, budget.Essential) {
		return t[i].Load()
	}
	if !t[i].CompareAndSwap(nil, new(octave)) {
		memory.Give(octaveBytes)
	}
	return t[i].Load()
}
