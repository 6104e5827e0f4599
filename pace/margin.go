// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// A margin is how long before its deadline a sleep is set to end. It follows the quantile q of how late sleeps wake. Each
// sample moves it by a fraction of its value, so that one preemption does not spoil it. Concurrent users may lose samples
// of each other, but nothing else.
type margin struct{ ns atomic.Int64 }

// A learner holds the parameters of a margin.
type learner struct {
	q             float64
	start, lo, hi time.Duration
}

// value returns the margin, never above limit.
func (m *margin) value(l learner, limit time.Duration) time.Duration {
	v := time.Duration(m.ns.Load())
	if v == 0 {
		v = l.start
	}
	return min(v, limit)
}

// learn adjusts the margin to a sleep that woke late by over.
func (m *margin) learn(l learner, over time.Duration) {
	v := float64(m.ns.Load())
	if v == 0 {
		v = float64(l.start)
	}
	step := 0.1*v + 500
	if float64(over) > v {
		v += step * l.q
	} else {
		v -= step * (1 - l.q)
	}
	m.ns.Store(int64(max(float64(l.lo), min(v, float64(l.hi)))))
}

// unused shrinks a margin that left no time to sleep. Nothing is learned without sleeping, so the margin would otherwise stay
// large for good.
func (m *margin) unused(l learner) {
	if v := m.ns.Load(); v > int64(l.lo) {
		m.ns.Store(max(v-v/64, int64(l.lo)))
	}
}

// margins are the margins for each class of waits, because the system wakes later from longer sleeps. Class k is [2^k,
// 2^(k+1)) µs.
type margins struct {
	coarse [classes]margin // of the first sleep of two
	fine   [classes]margin // of the last sleep, before the spin
}

const classes = 16

func class(d time.Duration) int {
	return min(max(bits.Len64(uint64(max(d, 0)/time.Microsecond))-1, 0), classes-1)
}
