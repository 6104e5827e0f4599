// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"math"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A clockWatch compares clock.Now with the operating system's monotonic clock, as package time reads it.
type clockWatch struct {
	base time.Time
	zero time.Duration // what clock.Now is ahead by
	give time.Duration // by how much that may be wrong

	mu    sync.Mutex
	worst time.Duration // the largest error, either way
	read  bool
}

// narrow is the widest pair of readings between which one of clock.Now is judged: on a machine whose clocks are slower than
// that, nothing can be said about 100 ns.
const narrow = 200 * time.Nanosecond

func newClockWatch() *clockWatch {
	w := &clockWatch{base: time.Now()}
	clock.Now()
	return w
}

// offset returns how far clock.Now is ahead of package time, by the narrowest of some pairs of readings.
func (w *clockWatch) offset() (ahead, width time.Duration) {
	width = math.MaxInt64
	for range 64 {
		before := time.Since(w.base)
		at := clock.Now()
		after := time.Since(w.base)
		if d := after - before; d < width {
			width, ahead = d, time.Duration(at)-before-d/2
		}
	}
	return ahead, width
}

// begin takes the zero of clock.Now, which is arbitrary, and reports whether it could.
func (w *clockWatch) begin() bool {
	ahead, width := w.offset()
	w.zero, w.give = ahead, width/2
	return width <= narrow
}

// compare compares once. What cannot be decided does not count.
func (w *clockWatch) compare(all *checks) {
	ahead, width := w.offset()
	if width > narrow {
		return
	}
	off := max(ahead-w.zero, w.zero-ahead)
	w.mu.Lock()
	w.worst, w.read = max(w.worst, off), true
	w.mu.Unlock()
	give := w.give + width/2
	all.that(off-give <= clockError, "clock", "clock.Now is off by %v, give or take %v", ahead-w.zero, give)
}

// error returns the largest error; ok is false if nothing was compared.
func (w *clockWatch) error() (ns float64, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return float64(w.worst), w.read
}
