// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
)

// Stretches are the cost of a function when many calls are made in one go. Unlike the time of short batches, it has its share of
// whatever happens once in many calls: compaction, growth, garbage collections, work that is left to other goroutines.
type Stretches struct {
	Time        stat.Interval // ns per call, elapsed, without the loop: the mean of all calls
	CPU         stat.Interval // ns per call of processor time of the whole process, without the loop; not known where the system does not tell
	N           int           // stretches
	Calls       uint64        // in all of them
	Collections uint64        // garbage collections during them
}

// A Long is a comparison by long stretches of calls, the two functions in turn.
type Long struct {
	// Ratio is the mean cost of the other divided by that of the base: processor time of the whole process, or elapsed time if the
	// functions mostly wait, or where the system does not tell processor time. Method says which. N is the number of stretches of each.
	Ratio stat.Interval
	// Elapsed is the same by elapsed time, which includes what other programs took.
	Elapsed stat.Interval

	Base, Other Stretches // what a call of each cost

	// Beside is the processor time that this process used while neither function was called, as a share of what it used during the calls.
	// Whose work that is cannot be told.
	Beside stat.Interval
	// Collector is the share of the processor time during the stretches that the garbage collector took.
	Collector stat.Interval
	// Live is the size of the heap, in bytes, that the latest collection found in use. What one function keeps there makes the collections
	// of both dearer.
	Live uint64
}

// String returns the comparison by long stretches in one line: "1.31 ± 0.03 times by processor time in 24 long stretches (131.2 against
// 100.1 ns, 3.1 M calls and 12 collections; 3.1 M and 12)".
func (l *Long) String() string {
	if !l.Ratio.Known() {
		return "no ratio of long stretches: " + l.Ratio.Reason
	}
	base, other := l.Base.CPU, l.Other.CPU
	if costName(l.Ratio) == "elapsed time" {
		base, other = l.Base.Time, l.Other.Time
	}
	text := units.Approx(l.Ratio.Center, "")
	if l.Ratio.Bounded() {
		text = units.Ratio(l.Ratio.Center, l.Ratio.Lo, l.Ratio.Hi)
	}
	saw := func(s Stretches) string {
		return fmt.Sprintf("%s calls and %d collections", units.Count(s.Calls), s.Collections)
	}
	return fmt.Sprintf("%s times by %s in %d long stretches of each (%s against %s, %s against %s)", text, costName(l.Ratio), l.Ratio.N,
		units.Duration(other.Center), units.Duration(base.Center), saw(l.Other), saw(l.Base))
}

// A stretch is a number of calls in one go, and their cost.
type stretch struct {
	calls       int
	wall, cpu   time.Duration
	known       bool // cpu is
	collections uint64
}

// stretches are those of one function.
type stretches struct {
	wall, cpu          []float64 // ns per call, of each stretch
	known              bool
	calls, collections uint64
	took, used         time.Duration // sums
}

// add adds a stretch, minus the cost of the loop per call.
func (s *stretches) add(x stretch, loop float64) {
	s.known = x.known && (s.known || len(s.wall) == 0)
	n := float64(x.calls)
	s.wall = append(s.wall, max(0, float64(x.wall)/n-loop))
	s.cpu = append(s.cpu, max(0, float64(x.cpu)/n-loop))
	s.calls += uint64(x.calls)
	s.collections += x.collections
	s.took += x.wall
	s.used += x.cpu
}

// summary returns the cost per call.
func (s *stretches) summary() Stretches {
	r := Stretches{Time: meanInterval(s.wall, 0.95), CPU: meanInterval(s.cpu, 0.95), N: len(s.wall), Calls: s.calls, Collections: s.collections}
	if !s.known {
		r.CPU = stat.Unknown(noCPU)
	}
	return r
}

const noCPU = "this system does not tell processor time"

// fewestStretches is the smallest number of stretches for an interval.
const fewestStretches = 8

// meanInterval returns the mean with the interval of Student's t.
func meanInterval(x []float64, level float64) stat.Interval {
	const method = "Student t of long stretches"
	mean, squares := meanAndSquares(x)
	n := float64(len(x))
	if len(x) < 2 {
		return stat.Point(mean, uint64(len(x)), method, fmt.Sprintf("needs at least 2 stretches, has %d", len(x)))
	}
	half := dist.StudentUpper((1-level)/2, n-1) * math.Sqrt(squares/(n-1)/n)
	return stat.Interval{Center: mean, Lo: max(0, mean-half), Hi: mean + half, Level: level, Method: method, N: uint64(len(x)), NEff: n}
}

// ratioOfMeans returns the mean of b over the mean of a, which were measured in pairs, with the interval of the ratio estimator: that
// of the mean of b - ratio*a (W. G. Cochran, "Sampling Techniques", 1977, section 6.3). A ratio of sums has its share of what
// happens in a few of the stretches alone, which the median of the ratios has not.
func ratioOfMeans(a, b []float64, level float64, what string) stat.Interval {
	method := "ratio of means of " + what
	n := len(a)
	meanA, _ := meanAndSquares(a)
	meanB, _ := meanAndSquares(b)
	switch {
	case n == 0:
		return stat.Unknown("no long stretches were made")
	case !(meanA > 0):
		return stat.Unknown("the base took no time")
	}
	ratio := meanB / meanA
	if n < fewestStretches {
		return stat.Point(ratio, uint64(n), method, fmt.Sprintf("needs at least %d stretches of each, has %d", fewestStretches, n))
	}
	squares := 0.0
	for i := range a {
		e := b[i] - ratio*a[i]
		squares += e * e
	}
	free := float64(n - 1)
	half := dist.StudentUpper((1-level)/2, free) * math.Sqrt(squares/free/float64(n)) / meanA
	return stat.Interval{Center: ratio, Lo: max(0, ratio-half), Hi: ratio + half, Level: level, Method: method, N: uint64(n), NEff: float64(n)}
}

const (
	byCPU     = "processor time in long stretches"
	byElapsed = "elapsed time in long stretches"
)

// costName returns the name of the cost that a ratio of long stretches compares.
func costName(ratio stat.Interval) string {
	if strings.HasSuffix(ratio.Method, byElapsed) {
		return "elapsed time"
	}
	return "processor time"
}

// ratios sets the two ratios. waits says that the functions mostly wait, so that processor time is not their cost.
func (l *Long) ratios(s *[2]stretches, level float64, waits bool) {
	l.Elapsed = ratioOfMeans(s[0].wall, s[1].wall, level, byElapsed)
	l.Ratio = l.Elapsed
	if s[0].known && s[1].known && !waits {
		l.Ratio = ratioOfMeans(s[0].cpu, s[1].cpu, level, byCPU)
	}
}
