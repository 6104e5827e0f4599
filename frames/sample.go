// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"slices"
	"sort"
)

// sample is what every definition is computed from: a capture, or a resample
// of it. Definitions that look at neighbours do so through the sums, so that
// a resample never invents a pair that was not measured.
type sample struct {
	slow []float64 // frame times, ms, slowest first
	sum  [quantities]float64
}

// quantities are what is added up per frame.
const (
	sumTime        = iota
	sumDeviation   // from the capture's own mean, to keep digits
	sumSquare      // of the deviation
	sumInverse     // 1000/x
	sumPairs       // 1 for every frame that has a successor
	sumChange      // |difference to the successor|
	sumNeighbours  // deviations of a frame that has a successor, and of the successor
	sumProduct     // of those two
	sumStutters    // 1 for every frame that stutters
	sumStutterTime // its time
	quantities
)

func (s *sample) n() float64 { return float64(len(s.slow)) }

func (s *sample) mean() float64 { return s.sum[sumTime] / s.n() }

// time returns frame times in ascending order.
func (s *sample) time(i int) float64 { return s.slow[len(s.slow)-1-i] }

// fps returns instantaneous frame rates in ascending order.
func (s *sample) fps(i int) float64 { return 1000 / s.slow[i] }

// series prepares the per-frame quantities of a capture, as running sums, so
// that any stretch of frames costs two look-ups.
type series struct {
	frames  []float64
	running [][quantities]float64 // running[i] is the sum over frames before i
	rank    []int32               // position of each frame in slow
	whole   sample
}

func newSeries(frames []float64, stutters []bool) *series {
	n := len(frames)
	sr := &series{frames: frames, running: make([][quantities]float64, n+1), rank: make([]int32, n)}
	mean := exactSum(frames) / float64(n)
	var q [quantities]float64
	for i, x := range frames {
		d := x - mean
		q[sumTime] += x
		q[sumDeviation] += d
		q[sumSquare] += d * d
		q[sumInverse] += 1000 / x
		if i+1 < n {
			e := frames[i+1] - mean
			q[sumPairs]++
			q[sumChange] += math.Abs(frames[i+1] - x)
			q[sumNeighbours] += d + e
			q[sumProduct] += d * e
		}
		if stutters != nil && stutters[i] {
			q[sumStutters]++
			q[sumStutterTime] += x
		}
		sr.running[i+1] = q
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch {
		case frames[a] > frames[b]:
			return -1
		case frames[a] < frames[b]:
			return 1
		}
		return 0
	})
	sr.whole.slow = make([]float64, n)
	for r, i := range order {
		sr.rank[i] = int32(r)
		sr.whole.slow[r] = frames[i]
	}
	sr.whole.sum = q
	sr.whole.sum[sumTime] = exactSum(frames)
	return sr
}

// exactSum adds with Neumaier's compensation: as good as rounding once.
func exactSum(x []float64) float64 {
	var sum, lost float64
	for _, v := range x {
		t := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			lost += (sum - t) + v
		} else {
			lost += (v - t) + sum
		}
		sum = t
	}
	return sum + lost
}

// below returns how many frames were slower than fps, and their time.
func (s *sample) below(fps float64) (count int, time float64) {
	count = sort.Search(len(s.slow), func(i int) bool { return !(1000/s.slow[i] < fps) })
	for _, x := range s.slow[:count] {
		time += x
	}
	return count, time
}

// stutters marks the frames longer than factor times the trailing mean of
// their last window frames, themselves included. A frame more than three times
// as long as the one before counts into the mean as that one, so that a
// stutter does not hide itself. window 0 means round(10·sqrt(mean ms)), half
// to even; negative means the mean of the whole capture.
// Source: CapFrameX, FrametimeStatisticProvider.GetStutteringTimePercentage
// and SampleBasedMovingAverage.ProcessSamples.
func stutters(frames []float64, factor float64, window int) []bool {
	mark := make([]bool, len(frames))
	mean := exactSum(frames) / float64(len(frames))
	if window < 0 {
		for i, x := range frames {
			mark[i] = x > factor*mean
		}
		return mark
	}
	if window == 0 {
		window = int(math.RoundToEven(math.Min(math.Sqrt(mean)*10, 1e9)))
	}
	window = max(window, 1)
	before := make([]float64, len(frames)+1) // sum of the tamed frames before i
	for i, x := range frames {
		tame := x
		if i > 0 && x > 3*frames[i-1] {
			tame = frames[i-1]
		}
		before[i+1] = before[i] + tame
		from := max(0, i-window+1)
		mark[i] = x > factor*((before[i+1]-before[from])/float64(i-from+1))
	}
	return mark
}
