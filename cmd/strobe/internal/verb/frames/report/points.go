// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"iter"
	"math"
	"slices"

	"github.com/strobe-go/strobe/internal/page"
)

// A channel is what is plotted over time. Times and Values are little-endian float32, in base64.
type channel struct {
	Times   string  `json:"t"`     // s
	Values  string  `json:"x"`     // ms
	Whole   bool    `json:"whole"` // contains every frame; otherwise the least and the greatest of each group
	P99     float64 `json:"p99"`
	Longest float64 `json:"longest"`
}

// mostPoints is the maximum number of points of all captures on a page. With about eleven bytes each, the page stays below 3 MB.
const mostPoints = 200_000

// share returns the number of points for each of several series so that all together have about most: short series keep all
// points, the others get equal numbers.
func share(lengths []int, most int) int {
	sorted := slices.Sorted(slices.Values(lengths))
	for i, n := range sorted {
		left := len(sorted) - i
		if n*left > most {
			return max(64, most/left)
		}
		most -= n
	}
	return math.MaxInt
}

// known returns the values of a column in ascending order. Negative values are missing values.
func known(column []float32) []float32 {
	x := make([]float32, 0, len(column))
	for _, v := range column {
		if v >= 0 {
			x = append(x, v)
		}
	}
	slices.Sort(x)
	return x
}

// channelOf returns about most points of a column, for frames that began at the given times. sorted has its known values.
func channelOf[T float32 | float64](at iter.Seq[float64], frames int, column, sorted []T, most int) channel {
	n := len(sorted)
	if n == 0 {
		return channel{}
	}
	t, x := thin(at, column, n, most)
	return channel{Times: page.Floats(t), Values: page.Floats(x), Whole: n <= most && n == frames,
		P99: page.Rounded(float64(sorted[min(n-1, n*99/100)])), Longest: page.Rounded(float64(sorted[n-1]))}
}

// times yields the start of each frame in seconds after the first: by its stamp, or by the previous frame times. Some tools stamp
// the beginning of a frame and others its end; times checks which of the adjacent differences of stamps agrees with the frame
// time.
func times(c Capture) iter.Seq[float64] {
	if len(c.Starts) != len(c.Frames) || !slices.IsSorted(c.Starts) {
		return func(yield func(float64) bool) {
			sum := 0.0
			for _, x := range c.Frames {
				if !yield(sum / 1000) {
					return
				}
				sum += x
			}
		}
	}
	var begins, ends float64
	for i := 1; i < len(c.Starts); i++ {
		gap := c.Starts[i] - c.Starts[i-1]
		begins += math.Abs(gap - c.Frames[i-1])
		ends += math.Abs(gap - c.Frames[i])
	}
	return func(yield func(float64) bool) {
		t := 0.0
		for i, stamp := range c.Starts {
			if ends < begins {
				stamp -= c.Frames[i] - c.Frames[0]
			}
			t = max(t, stamp/1000)
			if !yield(t) {
				return
			}
		}
	}
}

// thin keeps the least and the greatest point of each group, in their order, if there are more than most known points.
func thin[T float32 | float64](at iter.Seq[float64], column []T, known, most int) (t, x []float64) {
	each := 1 // number of points in a group
	if known > most {
		each = (2*known + most - 1) / most
	}
	type point struct{ t, x float64 }
	var low, high point
	count, lowFirst, i := 0, true, -1
	flush := func() {
		first, second := low, high
		if !lowFirst {
			first, second = high, low
		}
		if t, x = append(t, first.t), append(x, first.x); each > 1 {
			t, x = append(t, second.t), append(x, second.x)
		}
		count = 0
	}
	for now := range at {
		if i++; i == len(column) {
			break
		}
		if column[i] < 0 {
			continue
		}
		p := point{now, float64(column[i])}
		switch {
		case count == 0:
			low, high, lowFirst = p, p, true
		case p.x < low.x:
			low, lowFirst = p, false
		case p.x > high.x:
			high, lowFirst = p, true
		}
		if count++; count == each {
			flush()
		}
	}
	if count > 0 {
		flush()
	}
	return t, x
}

// begin returns the starts of the given frames, which must be in order.
func begin(at iter.Seq[float64], frames []int) (t []float64) {
	i := 0
	for now := range at {
		if len(t) == len(frames) {
			break
		}
		if i == frames[len(t)] {
			t = append(t, now)
		}
		i++
	}
	return t
}
