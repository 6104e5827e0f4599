// SPDX-License-Identifier: BSD-3-Clause

// Package shared has the histogram that many goroutines record into at the same time.
//
// Use it where samples of one kind come from several goroutines and none of them can own the histogram. Where one can,
// stat.Histogram costs less, needs less memory, and keeps sum and extremes exact.
//
// # Units
//
// Those of the samples.
//
// # Concurrency
//
// Safe for concurrent use, all of it. Record from two goroutines into the same stripe stays right but slows both down,
// since they fight for cache lines; a [Histogram.Stripe] for each goroutine does not.
//
// # Accuracy
//
// Counts are exact, quantiles within 0.4 % as in the zero stat.Histogram. Record does one atomic addition and nothing
// else, so the rest follows from the cells: sum, mean and extremes are within 0.4 % too.
package shared

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe/stat"
)

// Histogram counts integer samples from many goroutines, in 57 KB. The zero value is ready; it must not be copied.
type Histogram struct {
	count [(64 - mantissa) << mantissa]atomic.Uint64 // one for each cell of the zero stat.Histogram

	lock    sync.Mutex // guards stripes
	stripes []*Histogram
}

// mantissa is that of the zero stat.Histogram.
const mantissa = 7

// Record counts one sample; negative ones count as 0. It does not allocate.
//
// The body is small enough to be inlined, which is worth most of a nanosecond.
func (h *Histogram) Record(v int64) {
	v = max(v, 0)
	e := bits.Len64(uint64(v) >> 8)
	h.count[e<<mantissa+int(v>>e)].Add(1)
}

// Stripe returns a new histogram whose samples count in h too. Give each goroutine its own. It lives as long as h.
func (h *Histogram) Stripe() *Histogram {
	s := new(Histogram)
	h.lock.Lock()
	h.stripes = append(h.stripes, s)
	h.lock.Unlock()
	return s
}

// Snapshot returns a copy of everything recorded in h and its stripes. Samples recorded meanwhile may be in it or not.
func (h *Histogram) Snapshot() *stat.Histogram {
	s := new(stat.Histogram)
	h.addTo(s)
	return s
}

func (h *Histogram) addTo(s *stat.Histogram) {
	h.lock.Lock()
	stripes := h.stripes
	h.lock.Unlock()
	for _, stripe := range stripes {
		stripe.addTo(s)
	}
	for i := range h.count {
		if n := h.count[i].Load(); n > 0 {
			lo, hi := cellRange(i)
			s.RecordN(lo+(hi-lo)/2, n)
		}
	}
}

// cellRange is the inverse of the index in Record.
func cellRange(i int) (lo, hi int64) {
	if i < 2<<mantissa {
		return int64(i), int64(i)
	}
	e := i>>mantissa - 1
	lo = int64(i-e<<mantissa) << e
	return lo, lo + 1<<e - 1
}
