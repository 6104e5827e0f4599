// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"slices"
	"sync"
)

// sample is the input of every definition: a capture, or a resample of it. Definitions that compare neighbours use the sums, so
// that a resample never contains a pair that was not measured.
type sample struct {
	n    int       // frames
	slow []float64 // the slowest frame times, ms, slowest first
	sum  []float64 // by quantity, and two for every limit of Options.Below

	// The slowest frames are followed by ties of the value edge. All further frames are unknown, and a definition that asks for
	// them sets short. In the sample of a capture the ties are among the slowest.
	edge  float64
	ties  int
	short bool

	least float64 // the shortest frame time of a capture; unknown in a resample
}

// The quantities are added up over frames.
const (
	sumFrames      = iota // 1
	sumTime               // x
	sumDeviation          // from the capture's own mean, to keep digits
	sumSquare             // of the deviation
	sumInverse            // 1000/x
	sumPairs              // 1 for every frame that has a successor
	sumChange             // |difference to the successor|
	sumNeighbours         // deviations of a frame that has a successor, and of the successor
	sumProduct            // of those two
	sumStutters           // 1 for every frame that stutters
	sumStutterTime        // its time
	sumTies               // 1 for every frame of the value edge
	quantities
)

func (s *sample) count() float64 { return float64(s.n) }

func (s *sample) mean() float64 { return s.sum[sumTime] / s.count() }

// time returns frame times in ascending order.
func (s *sample) time(i int) float64 { return s.rank(s.n - 1 - i) }

// fps returns instantaneous frame rates in ascending order.
func (s *sample) fps(i int) float64 { return 1000 / s.rank(i) }

// rank returns frame times in descending order.
func (s *sample) rank(i int) float64 {
	if i < len(s.slow) {
		return s.slow[i]
	}
	s.short = s.short || i >= len(s.slow)+s.ties
	return s.edge
}

// atLeast returns the number of frames that last at least bound, and their total time.
func (s *sample) atLeast(bound float64) (count int, time float64) {
	for count < len(s.slow) && s.slow[count] >= bound {
		time += s.slow[count]
		count++
	}
	if count == len(s.slow) && count < s.n && s.edge >= bound {
		s.short = s.short || s.edge > bound && count+s.ties < s.n
		count += s.ties
		time += s.edge * float64(s.ties)
	}
	return count, time
}

// reaching returns the number of slowest frames whose times add up to total, and the time of the last of them.
func (s *sample) reaching(total float64) (count int, last float64) {
	sum := 0.0
	for i, x := range s.slow {
		if sum += x; sum >= total {
			return i + 1, x
		}
	}
	if len(s.slow) == s.n {
		return s.n, s.slow[s.n-1]
	}
	count = len(s.slow) + int(math.Ceil((total-sum)/s.edge))
	s.short = s.short || count > len(s.slow)+s.ties
	return count, s.edge
}

// series holds the quantities of a capture as running sums over cells of frames, so that any stretch of cells takes two look-ups.
type series struct {
	frames  []float64
	below   []float64 // limits in FPS
	cell    int       // frames in a cell; the last may have fewer
	cells   int
	stride  int
	scenes  []int     // their first cells
	running []float64 // running[i*stride:] are the sums over the frames before cell i
	whole   sample

	// The tail: frames slower than edge, in order of time.
	edge  float64
	tail  []int32   // their ranks
	first []int32   // first[i] is the number of tail frames before cell i
	times []float64 // their times by rank

	complete func() *series // the same series with all frames in the tail
}

// maxCells bounds the memory of a series and the time of a resample.
const maxCells = 1 << 16

// newSeries prepares frames for definitions that use at most the given share of the slowest frames. Other definitions take
// longer, and more memory.
func newSeries(frames []float64, stutters []bool, below []float64, share float64) *series {
	n := len(frames)
	sr := &series{frames: frames, below: below, cell: (n + maxCells - 1) / maxCells, stride: quantities + 2*len(below), scenes: []int{0}}
	sr.cells = (n + sr.cell - 1) / sr.cell
	sr.complete = sync.OnceValue(func() *series {
		all := newSeries(frames, stutters, below, 1)
		all.scenes = sr.scenes
		return all
	})
	sr.cutTail(share)
	sr.addUp(stutters)
	return sr
}

// figure computes a definition on the capture.
func (sr *series) figure(d definition) (v float64, rests int, ok bool) {
	sr.whole.short = false
	if v, rests, ok = d.value(&sr.whole); sr.whole.short {
		return d.value(&sr.complete().whole)
	}
	return v, rests, ok
}

// slowest returns the frame time of a rank; rank 1 is the longest.
func (sr *series) slowest(rank int) float64 {
	if rank > len(sr.whole.slow) {
		sr = sr.complete()
	}
	return sr.whole.slow[rank-1]
}

// cutInto divides the series into scenes, which resamples keep apart.
func (sr *series) cutInto(starts []int) *series {
	sr.scenes = nil
	for _, at := range starts {
		sr.scenes = append(sr.scenes, at/sr.cell)
	}
	return sr
}

// scene returns the sums over a scene; the slow frames of the sample are unknown.
func (sr *series) scene(i int) *sample {
	from, to := sr.scenes[i], sr.cells
	if i+1 < len(sr.scenes) {
		to = sr.scenes[i+1]
	}
	s := &sample{sum: make([]float64, sr.stride), short: true}
	for q := range s.sum {
		s.sum[q] = sr.running[to*sr.stride+q] - sr.running[from*sr.stride+q]
	}
	s.n = int(s.sum[sumFrames])
	return s
}

// cutTail finds the frames that resamples keep one by one: four times the share, since a resample may have fewer slow frames.
func (sr *series) cutTail(share float64) {
	n := len(sr.frames)
	sr.edge = longestBut(int(min(float64(n-1), 4*share*float64(n)+64)), sr.frames)
	slow := make([]float64, 0, n/16)
	least := sr.edge
	for _, x := range sr.frames {
		least = min(least, x)
		if x >= sr.edge {
			slow = append(slow, x)
		}
	}
	slices.Sort(slow)
	slices.Reverse(slow)
	sr.whole = sample{n: n, slow: slow, edge: sr.edge, least: least}
	most, _ := slices.BinarySearchFunc(sr.whole.slow, sr.edge, func(x, edge float64) int {
		if x > edge {
			return -1
		}
		return 1
	})
	sr.times = sr.whole.slow[:most]
	where := make([]int32, 0, most) // of tail frames
	sr.first = make([]int32, 1, sr.cells+1)
	for i, x := range sr.frames {
		if x > sr.edge {
			where = append(where, int32(i))
		}
		if (i+1)%sr.cell == 0 || i+1 == n {
			sr.first = append(sr.first, int32(len(where)))
		}
	}
	order := make([]int32, len(where)) // positions in where, slowest first
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if x, y := sr.frames[where[a]], sr.frames[where[b]]; x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	sr.tail = where
	for rank, at := range order {
		sr.tail[at] = int32(rank)
	}
}

// longestBut returns the longest of positive frame times except k longer ones. It counts leading bits in a table instead of
// sorting a copy, which would be as large as the capture.
func longestBut(k int, frames []float64) float64 {
	const digit = 8
	var counts [1 << digit]int32
	var found uint64
	for shift := 64 - digit; shift >= 0; shift -= digit {
		clear(counts[:])
		for _, x := range frames {
			if bits := math.Float64bits(x); shift == 64-digit || bits>>(shift+digit) == found {
				counts[uint8(bits>>shift)]++
			}
		}
		at := len(counts) - 1
		for ; int(counts[at]) <= k; at-- {
			k -= int(counts[at])
		}
		found = found<<digit | uint64(at)
	}
	return math.Float64frombits(found)
}

// addUp fills the running sums.
func (sr *series) addUp(stutters []bool) {
	n := len(sr.frames)
	mean := exactSum(sr.frames) / float64(n)
	sr.running = make([]float64, sr.stride, (sr.cells+1)*sr.stride)
	q := make([]float64, sr.stride)
	for i, x := range sr.frames {
		d := x - mean
		rate := 1000 / x
		q[sumFrames]++
		q[sumTime] += x
		q[sumDeviation] += d
		q[sumSquare] += d * d
		q[sumInverse] += rate
		if i+1 < n {
			e := sr.frames[i+1] - mean
			q[sumPairs]++
			q[sumChange] += math.Abs(sr.frames[i+1] - x)
			q[sumNeighbours] += d + e
			q[sumProduct] += d * e
		}
		if stutters != nil && stutters[i] {
			q[sumStutters]++
			q[sumStutterTime] += x
		}
		if x == sr.edge {
			q[sumTies]++
		}
		for l, limit := range sr.below {
			if rate < limit {
				q[quantities+2*l]++
				q[quantities+2*l+1] += x
			}
		}
		if (i+1)%sr.cell == 0 || i+1 == n {
			sr.running = append(sr.running, q...)
		}
	}
	sr.whole.sum = q
	sr.whole.sum[sumTime] = exactSum(sr.frames)
}

// compensated adds with Neumaier's compensation, which is nearly as exact as rounding once.
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	t := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.lost += (c.sum - t) + v
	} else {
		c.lost += (v - t) + c.sum
	}
	c.sum = t
}

func (c *compensated) total() float64 { return c.sum + c.lost }

func exactSum(x []float64) float64 {
	var c compensated
	for _, v := range x {
		c.add(v)
	}
	return c.total()
}

// stutters marks the frames longer than factor times the trailing mean of their last window frames, themselves included. A frame
// more than three times as long as the one before counts into the mean as that one, so that a stutter does not hide itself.
// window 0 means round(10·sqrt(mean ms)), half to even; negative means the mean of the whole capture.
// Source: CapFrameX, FrametimeStatisticProvider.GetStutteringTimePercentage and SampleBasedMovingAverage.ProcessSamples.
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
	window = min(max(window, 1), len(frames))
	before := make([]float64, window) // before[i%window] is the sum of the limited frame times before i
	sum := 0.0
	for i, x := range frames {
		clipped := x
		if i > 0 && x > 3*frames[i-1] {
			clipped = frames[i-1]
		}
		from := max(0, i-window+1)
		start := before[from%window]
		if from == i {
			start = sum
		}
		before[i%window] = sum
		sum += clipped
		mark[i] = x > factor*((sum-start)/float64(i-from+1))
	}
	return mark
}
