// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// warmUp returns the samples of a warm-up, which ends with ctx.
func warmUp(ctx context.Context, c caller, batch int, o Options) (took []float64) {
	if o.MinTime < 0 {
		return nil
	}
	start := clock.Now()
	for n := o.MinRepeat; ; n = min(10*n, o.MaxRepeat) {
		for len(took) < n {
			took = append(took, float64(c.timed(batch)))
			if clock.Since(start) >= 2*o.MinTime || ctx.Err() != nil { // long enough, whatever number was planned
				return took
			}
		}
		if n >= o.MaxRepeat || clock.Since(start) >= o.MinTime {
			return took
		}
	}
}

// soonest is the number of samples before which their scatter cannot end the measurement.
const soonest = 50

// measure takes samples, each the duration of a batch in ns, until there are enough, and returns them with the interval of
// their mean. Without a precision it takes repeats samples. After the end of ctx there is one sample at most.
func measure(ctx context.Context, next func() int64, repeats int, o Options) (took []int64, mean stat.Interval) {
	var b stat.BatchMeans
	took = make([]int64, 0, 1<<16) // so that it does not grow during the measurement
	start := clock.Now()
	for look := o.MinRepeat; ; {
		t := next()
		took = append(took, t)
		b.Add(t)
		n := len(took)
		if ctx.Err() != nil {
			break
		}
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
		// Looks are far apart, because frequent looks would find an interval that is narrow by chance.
		look = n + max(1, n/8)
		if n >= soonest { // avoid exceeding the time by an eighth
			left := float64(o.MaxTime-spent) / float64(spent)
			look = min(look, n+max(1, int(left*float64(n))))
		}
	}
	return took, b.Interval(o.Level)
}
