// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// marking keeps the garbage collector marking: one collection after another, of a heap full of pointers.
type marking struct {
	heap        []*link
	end         atomic.Bool
	done        sync.WaitGroup
	quiet       time.Duration // time of stores while nothing is marked
	looks, seen int
}

type link struct {
	next *link
	_    [3]uint64
}

func startMarking() *marking {
	const links = 1 << 20
	m := &marking{heap: make([]*link, links)}
	for i := range m.heap {
		m.heap[i] = new(link)
	}
	for i, to := range rand.Perm(links) {
		m.heap[i].next = m.heap[to]
	}
	runtime.GC()
	m.quiet = m.stores()
	m.done.Go(func() {
		for !m.end.Load() {
			runtime.GC()
		}
	})
	return m
}

func (m *marking) stop() {
	m.end.Store(true)
	m.done.Wait()
	runtime.KeepAlive(m.heap)
}

// look records whether the collector is marking: storing a pointer then takes longer.
func (m *marking) look() {
	m.looks++
	if m.stores() > 2*m.quiet {
		m.seen++
	}
}

// share returns the percentage of looks in which the collector was marking.
func (m *marking) share() float64 { return 100 * float64(m.seen) / float64(max(1, m.looks)) }

// stores returns the shortest of several times of storing some pointers.
func (m *marking) stores() time.Duration {
	best := time.Duration(1 << 62)
	for range 5 {
		begin := time.Now()
		for i := range 200 {
			m.heap[0].next = m.heap[i]
		}
		best = min(best, time.Since(begin))
	}
	return best
}
