// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// warmUp returns the samples of a warm-up.
func warmUp(f func(), batch int, o Options) (took []float64) {
	if o.MinTime < 0 {
		return nil
	}
	start := clock.Now()
	for n := o.MinRepeat; ; n = min(10*n, o.MaxRepeat) {
		for len(took) < n {
			took = append(took, float64(timed(f, batch)))
			if clock.Since(start) >= 2*o.MinTime { // long enough, however many were planned
				return took
			}
		}
		if n >= o.MaxRepeat || clock.Since(start) >= o.MinTime {
			return took
		}
	}
}

// soonest is how many samples it takes before their scatter may end the measurement.
const soonest = 50

// measure takes samples, each the ns of a batch, until there are enough, and returns them with the interval of their mean.
// Without a precision it takes as many as repeats.
func measure(next func() int64, repeats int, o Options) (took []int64, mean stat.Interval) {
	var b stat.BatchMeans
	took = make([]int64, 0, 1<<16) // so that it does not grow during the measurement
	start := clock.Now()
	for look := o.MinRepeat; ; {
		t := next()
		took = append(took, t)
		b.Add(t)
		n := len(took)
		if o.Precision < 0 {
			if n >= repeats || n >= o.MinRepeat && clock.Since(start) >= o.MaxTime {
				break
			}
			continue
		}
		if n < look {
			continue
		}
		spent := clock.Since(start)
		if spent >= o.MaxTime {
			break
		}
		mean = b.Interval(o.Level)
		if n >= soonest && spent >= o.MinTime/2 && mean.Half() <= o.Precision*mean.Center {
			break
		}
		// Looks are far apart: one that is narrow by chance must not be found by looking often.
		look = n + max(1, n/8)
		if n >= soonest { // do not overrun the time by an eighth
			left := float64(o.MaxTime-spent) / float64(spent)
			look = min(look, n+max(1, int(left*float64(n))))
		}
	}
	return took, b.Interval(o.Level)
}
