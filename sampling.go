// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/word"
)

// A sampling is a lane's state for a sampled zone. Each timed call stands for itself and for the calls skipped after it, a
// random number whose mean is Zone.every-1. Later calls of SetSampling therefore never change an estimate. Only its lane
// writes it.
type sampling struct {
	zone *Zone
	left atomic.Pointer[skipped] // number of calls still to be skipped
	gap  word.Word               // out of this number since the last timed call

	timed word.Word // calls that ended
	calls word.Word // skipped before the last timed call
	sum   word.Word // estimated ticks of these
	total word.Word // the part of them in no other timed call of the zone

	lastSum, lastTotal word.Word // the estimate for a call like the last timed one

	last  word.Word // a standIn: of the timed call for which lastSum stands
	rest  uint64    // calls still to be skipped, while a dissected call is open
	until uint64    // timed calls until one is dissected
	deep  uint64    // number of dissected calls
	mark  uint64    // calls that dissected ones stand for

	function function // that enters the zone
	seen     uint64   // timed calls that were in no other timed call of the zone

	table *skips // the table that contains left; nil if none does
}

// skipped is the number of calls of one zone that a goroutine still skips. Its goroutine writes left.
type skipped struct {
	record atomic.Uint64 // of the goroutine; 0 if the place is free
	left   word.Word
}

// skips maps the address of a goroutine's record to its count of calls to be skipped in one zone. Claimed places are never
// freed; when a table becomes full, a larger one replaces it, and each goroutine moves its own count.
type skips struct {
	first   *bucket
	mask    uint64 // of offsets in bytes
	buckets []bucket
	used    atomic.Uint64 // places
}

// A bucket is a cache line with the places for a record.
type bucket [4]skipped

const (
	bucketBytes = uint64(unsafe.Sizeof(bucket{}))
	fewSkips    = 16 // buckets
	mostSkips   = 1 << 15
)

func newSkips(n uint64) *skips {
	s := &skips{buckets: make([]bucket, n), mask: (n - 1) * bucketBytes}
	s.first = &s.buckets[0]
	return s
}

func (s *skips) bucket(record uint64) *bucket {
	return &s.buckets[hash(record)&s.mask/bucketBytes]
}

func (s *skips) bytes() uint64 { return uint64(len(s.buckets)) * bucketBytes }

// hash spreads the addresses of records, which are evenly spaced. It combines the halves of the product with 2^64/phi. The
// lowest four bits are not used, because offsets are in units of 16 bytes.
func hash(record uint64) uint64 {
	h := record * hashFactor
	return h ^ h>>32
}

const hashFactor = 0x9E3779B97F4A7C15

// skip counts this call and reports whether it is left untimed. It handles only goroutines that have a place in the zone's
// table.
//
//lint:ignore U1000 the assembly has its own version
func (z *Zone) skip(record uint64) bool {
	if p := z.hint.Load(); p.record.Load() == record {
		return p.skip()
	}
	b := z.skips.Load().bucket(record)
	for i := range b {
		if b[i].record.Load() == record {
			return b[i].skip()
		}
	}
	return false
}

func (p *skipped) skip() bool {
	n := p.left.Get()
	if n == 0 {
		return false
	}
	p.left.Set(n - 1)
	return true
}

// sampled returns the lane's state for a sampled zone.
func (l *Lane) sampled(z *Zone) *sampling {
	r := &l.recent[z.id%uint32(len(l.recent))]
	if *r == nil || (*r).zone != z {
		*r = l.findSampled(z)
	}
	return *r
}

func (l *Lane) findSampled(z *Zone) *sampling {
	all := l.samplings.Load()
	if all != nil {
		for _, s := range *all {
			if s.zone == z {
				return s
			}
		}
	}
	memory.Force(uint64(unsafe.Sizeof(sampling{})))
	s := &sampling{zone: z}
	s.left.Store(new(skipped))
	n := l.gap(uint64(z.every.Load())) / 2 // start at a random point between two timed calls
	s.gap.Set(n)
	s.left.Load().left.Set(n)
	var list []*sampling
	if all != nil {
		list = append(list, *all...)
	}
	list = append(list, s)
	l.samplings.Store(&list)
	return s
}

// skip counts this call of a sampled zone and reports whether it is left untimed.
func (s *sampling) skip(l *Lane) bool {
	if l.byRecord != 0 {
		s.settle(l.byRecord)
	}
	p := s.left.Load()
	if p.skip() {
		return true
	}
	n := s.gap.Get()
	s.gap.Set(0) // readers see too few for a moment, never too many
	s.count(l, n)
	n = l.gap(uint64(s.zone.every.Load()))
	p.left.Set(n)
	s.gap.Set(n)
	return false
}

// count counts n skipped calls.
func (s *sampling) count(l *Lane, n uint64) {
	s.calls.Set(s.calls.Get() + n)
	s.sum.Set(s.sum.Get() + n*s.lastSum.Get())
	s.total.Set(s.total.Get() + n*s.lastTotal.Get())
	l.skip(standIn(s.last.Get()), n)
}

// hold keeps the calls that are to be skipped from the fast path.
func (s *sampling) hold(l *Lane) {
	left := s.left.Load()
	s.rest = left.left.Get()
	n := s.gap.Get() - min(s.gap.Get(), s.rest)
	s.gap.Set(0)
	left.left.Set(0)
	s.count(l, n)
}

// resume is the inverse of hold.
func (s *sampling) resume() {
	s.left.Load().left.Set(s.rest)
	s.gap.Set(s.rest)
	s.rest = 0
}

// read returns the estimate for the calls that were not timed. Those skipped before a call that is just being timed may be missing;
// no call is there twice.
func (s *sampling) read() guess {
	for {
		gap, calls, left := s.gap.Read(), s.calls.Read(), s.left.Load()
		since := gap - min(left.left.Read(), gap)
		g := guess{zone: int32(s.zone.id), calls: calls + since, since: since, last: standIn(s.last.Read()),
			sum: s.sum.Read() + since*s.lastSum.Read(), total: s.zone.outermost(s.total.Read() + since*s.lastTotal.Read())}
		if s.gap.Read() == gap && s.calls.Read() == calls && s.left.Load() == left {
			return g
		}
	}
}

// skipped returns the number of calls on the lane that were not timed.
func (l *Lane) skipped() (n uint64) {
	for _, s := range *l.samplings.Load() {
		n += s.read().calls
	}
	return n
}

// settle moves the count to the zone's table, where it can be found without the lane. If the table has no free place it
// grows, unless it is mostly empty or the budget does not allow a larger one.
func (s *sampling) settle(record uint64) {
	have := s.left.Load()
	if have.record.Load() == record && s.zone.skips.Load() == s.table {
		if s.zone.hint.Load() != have {
			s.zone.hint.Store(have)
		}
		return
	}
	for {
		t := s.zone.skips.Load()
		if t.claim(record, have, s) {
			s.table = t
			return
		}
		if 8*t.used.Load() < uint64(len(t.buckets)) || len(t.buckets) >= mostSkips || !memory.Take(4*t.bytes(), budget.Detail) {
			return
		}
		larger := newSkips(4 * uint64(len(t.buckets)))
		if !s.zone.skips.CompareAndSwap(t, larger) {
			memory.Give(larger.bytes())
		}
	}
}

// claim finds a place for a goroutine, and moves its count there.
func (t *skips) claim(record uint64, have *skipped, s *sampling) bool {
	b := t.bucket(record)
	for i := range b {
		p := &b[i]
		if p == have {
			return true
		}
		if p.record.CompareAndSwap(0, record) {
			t.used.Add(1)
			p.left.Set(have.left.Get())
			s.left.Store(p)
			have.left.Set(0) // the zone's hint may still lead here
			return true
		}
	}
	return false
}

// end records a timed call of d ticks. again is set if it was in another call of the zone.
func (s *sampling) end(l *Lane, at standIn, d uint64, again bool) {
	e := estimate(d)
	t := e
	if again {
		t = 0
	}
	if s.timed.Get() == 0 { // the calls skipped before the first timed one
		s.sum.Set(s.calls.Get() * e)
		s.total.Set(s.calls.Get() * t)
		l.skip(at, s.calls.Get())
	}
	s.timed.Set(s.timed.Get() + 1)
	s.lastSum.Set(e)
	s.lastTotal.Set(t)
	s.last.Set(uint64(at))
}

// estimate returns the duration of an untimed call, from the measured duration d of a timed one. A span with an empty body
// measures floorTicks.
func estimate(d uint64) uint64 {
	e := floorTicks.Load()
	switch {
	case d >= 2*e:
		return d
	case d <= e:
		return 0
	}
	return 2 * (d - e)
}

// floorTicks is the measured duration of a span with an empty body; 0 until it is known.
var floorTicks atomic.Uint64

// gap returns the number of calls to skip before the next timed one: uniformly distributed, so that on average one call in
// every is timed. A fixed gap could coincide with a pattern in the program.
func (l *Lane) gap(every uint64) uint64 {
	l.random ^= l.random << 13 // xorshift, Marsaglia 2003
	l.random ^= l.random >> 7
	l.random ^= l.random << 17
	n, _ := bits.Mul64(l.random, 2*every-1) // scaled down, not divided: Lemire 2019
	return n
}
