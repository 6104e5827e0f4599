// SPDX-License-Identifier: BSD-3-Clause

package stat

// RecordCorrected counts a sample and those that it prevented, which corrects for coordinated omission. A load generator that
// is to send a request every interval, but waits for each answer, sends none while one takes long; the requests that it omits
// would have waited too. A sample v longer than the interval therefore stands for v-interval, v-2·interval and so on as well,
// as long as they are not shorter than the interval. An interval of 0 or less corrects nothing.
//
// Corrected histograms are right where requests were to arrive at fixed times. Where the next request begins when the one before has
// ended, as in a frame loop, samples are complete and Record is right. Measuring from the time when a request was due is better than
// either, if it is known.
//
// Source: Tene, How NOT to Measure Latency, 2013; HdrHistogram's recordValueWithExpectedInterval.
func (h *Histogram) RecordCorrected(v, interval int64) {
	h.Record(v)
	if interval <= 0 || v-interval < interval {
		return
	}
	s, step := h.s, uint64(interval)
	s.widen(step+uint64(v)%step, uint64(v))
	for x := uint64(v); x >= 2*step; { // cell by cell: there may be billions of samples
		x -= step
		i := s.layout.Index(x)
		lo, _ := s.layout.Range(i)
		n := (x - max(lo, step)) / step // further ones in the cell
		s.cells[i] += n + 1
		s.sum = s.sum.plus(descending(x, step, n))
		x -= n * step
	}
}

// descending returns x + (x-step) + ... + (x-n·step).
func descending(x, step, n uint64) int128 {
	a, b := n, n+1 // of which one is even
	if a%2 == 0 {
		a /= 2
	} else {
		b /= 2
	}
	return times(int64(x), n+1).minus(times(int64(step*a), b))
}
