// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// world is simulated hardware: a true time that advances with every look at a clock, and a counter and a reference that follow
// it.
type world struct {
	mu    sync.Mutex
	ns    float64 // true time
	hz    float64
	ticks float64 // the counter, apart from ns: it can jump and change its rate
	lag   int64   // reference = ns - lag
	grain int64   // step of the reference
	drift float64 // rate of the reference, relative
	delay float64 // between the reference's reading and its return, ns
	skew  float64 // ticks by which the counter of the second processor differs, and twice as many those of a third one
	core  int     // the processor that runs, from 0
	noise *rand.Rand

	distrust string
	asked    int
}

func newWorld() *world { return seeded(1) }

func seeded(seed uint64) *world {
	return &world{hz: 2.596138199e9, grain: 10, ticks: 1e11, lag: -7200e9, noise: rand.New(rand.NewPCG(seed, 2))}
}

func (w *world) pass(ns float64) {
	w.ns += ns
	w.ticks += ns * w.hz / 1e9
}

func (w *world) start() {}

func (w *world) counter() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass(8 + 4*w.noise.Float64())
	return uint64(w.ticks+w.skew*float64(w.core)) / 26 * 26
}

func (w *world) reference() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pass(20 + 10*w.noise.Float64())
	ns := int64(w.ns*(1+w.drift))/w.grain*w.grain - w.lag
	w.pass(w.delay * (0.9 + 0.1*w.noise.Float64()))
	return ns
}

func (w *world) processor() int { return w.core + 1 }

func (w *world) trusted() (bool, string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	return w.distrust == "", w.distrust
}

func (w *world) sleep(ns float64) {
	w.mu.Lock()
	w.pass(ns)
	w.mu.Unlock()
}

// truth returns what a perfect clock would read.
func (w *world) truth() int64 { return int64(w.ns*(1+w.drift)) - w.lag }

func disciplined(w *world) *discipline { return &discipline{cur: new(epoch), hw: w} }

// run reads the clock every few µs to ms of simulated time and fails if it steps back. It returns the largest error in the last
// tenth of the span.
func run(t *testing.T, d *discipline, w *world, span float64, last *int64) (worst int64) {
	t.Helper()
	begin := w.ns
	for w.ns < begin+span {
		w.sleep(w.noise.ExpFloat64() * span / 20_000)
		got := d.now()
		if got < *last {
			t.Fatalf("at %.6f s: stepped back by %d ns", w.ns/1e9, *last-got)
		}
		*last = got
		if w.ns > begin+span*0.9 {
			worst = max(worst, got-w.truth(), w.truth()-got)
		}
	}
	return worst
}
