// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
)

// recording is the current recording; nil while nothing is recorded.
var recording atomic.Pointer[recorder.Pool]

// record records a span that has ended, if anything is recorded.
func (l *Lane) record(start, d uint64, depth int, n *node) {
	c := l.chunk.Load()
	if c == nil {
		return
	}
	if p := n.zone.pool.Load(); p != nil && n == &p.node { // its path has no node on the lane
		l.unrecorded.Set(l.unrecorded.Get() + 1)
		return
	}
	if packed := recorder.Pack(d, uint8(depth), n.id); !c.Add(start, packed) {
		l.recordSlow(start, packed)
	}
}

// recordSlow records a span for which the lane's chunk has no room. If there are too few chunks for all lanes, it requests
// one only occasionally.
//
//go:noinline
func (l *Lane) recordSlow(start, packed uint64) {
	p, c := recording.Load(), l.chunk.Load()
	if p == nil || c == nil {
		return
	}
	missed := l.unrecorded.Get()
	if c == p.None() && missed%256 != 0 {
		l.unrecorded.Set(missed + 1)
		return
	}
	p.Next(l.id, c, func(next *recorder.Chunk) { l.chunk.Store(next) })
	if c = l.chunk.Load(); c != nil {
		c.Own(l.number.Get())
		if c.Add(start, packed) {
			return
		}
	}
	l.unrecorded.Set(missed + 1)
}

// mark notes an event on the calling goroutine's lane, if anything is recorded.
func mark(m recorder.Mark) {
	p := recording.Load()
	if p == nil {
		return
	}
	m.Lane, m.Ticks = -1, ticks()
	if stamp.HasGoroutine {
		m.Goroutine = stamp.Goroutine()
		if l := find(stamp.Record()); l != nil && !l.shared {
			m.Lane = int32(l.id)
		}
	}
	p.Mark(m)
}
