// SPDX-License-Identifier: BSD-3-Clause

// Package shared provides a histogram that many goroutines can record into concurrently.
//
// Use it if several goroutines record samples of the same kind and none of them can own the histogram. If one goroutine
// can, stat.Histogram costs less, needs less memory, and keeps sum and extremes exact.
//
// # Units
//
// Those of the samples.
//
// # Concurrency
//
// All methods are safe for concurrent use. Goroutines that record into the same stripe slow each other down, because they
// contend for cache lines; give each goroutine its own [Histogram.Stripe].
//
// # Accuracy
//
// Counts are exact, and quantiles are within 0.4 %, as in the zero stat.Histogram. Record does nothing but one atomic
// addition, so sum, mean and extremes are computed from the cells and are within 0.4 % too.
package shared

import (
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/cells"
	"github.com/strobe-go/strobe/stat"
)

// Histogram is a stat.Histogram for many goroutines at once, in 57 KB. The zero value is ready; it must not be copied.
type Histogram struct {
	count [(64 - layout) << layout]atomic.Uint64 // one for each cell of the zero stat.Histogram

	lock    sync.Mutex // guards stripes
	stripes []*Histogram
}

// layout is that of the zero stat.Histogram.
const layout cells.Layout = 7

// Record counts one sample; negative ones count as 0. It does not allocate.
//
// The body is small enough to be inlined.
func (h *Histogram) Record(v int64) {
	h.count[layout.Index(uint64(max(v, 0)))].Add(1)
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
			lo, hi := layout.Range(uint64(i))
			s.RecordN(int64(lo+(hi-lo)/2), n)
		}
	}
}
