// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/strobe-go/strobe/internal/enum"
)

// definition is one named figure: how it is computed and formatted.
type definition struct {
	key   string
	name  string
	unit  Unit
	by    string // whose definition it is
	words string // the definition itself
	print func(float64) string

	// value computes the figure; ok is false if it does not exist. rests is the number of frames at the slow end that determine
	// it; 0 means all.
	value func(*sample) (v float64, rests int, ok bool)

	// slowShare is the share of the slowest frames that value reads one by one; 0 if the sums suffice.
	slowShare float64

	// mean is the series whose mean determines the figure, if any; back computes the figure from that mean, and is nil if the
	// figure is the mean itself.
	mean seriesOf
	back func(float64) float64

	fixed string // why there is no interval
}

// resampled reports whether the interval of the figure comes from the bootstrap.
func (d *definition) resampled() bool { return d.fixed == "" && d.mean == ofNothing }

// Unit is the unit of a figure. It prints, and is written to JSON, as the word beside it. The zero value is NoUnit. A profile.Unit is
// a call of a root zone.
type Unit int

const (
	NoUnit       Unit = iota // "": a pure number
	FPS                      // "fps": frames per second
	Milliseconds             // "ms": of frame time
	Share                    // "share": a part of all, from 0 to 1
)

var figureUnits = []string{"", "fps", "ms", "share"}

// String returns the word for the unit.
func (u Unit) String() string { return enum.Word(u, figureUnits) }

// MarshalText writes the word for the unit. It never fails.
func (u Unit) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (u *Unit) UnmarshalText(text []byte) error { return enum.Parse(u, figureUnits, text) }

// seriesOf names a series with one value for each frame.
type seriesOf int

const (
	ofNothing seriesOf = iota
	ofTimes
	ofRates   // 1000/x
	ofChanges // |x[i+1]-x[i]|, one fewer
)

func (k seriesOf) values(frames []float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for i, x := range frames {
			switch {
			case k == ofRates:
				x = 1000 / x
			case k == ofChanges && i+1 == len(frames):
				return
			case k == ofChanges:
				x = math.Abs(frames[i+1] - x)
			}
			if !yield(x) {
				return
			}
		}
	}
}

func perSecond(mean float64) float64 { return 1000 / mean }

// averageFPS is frames per time: 1000·n/Σx.
func averageFPS(s *sample) (float64, int, bool) { return 1000 / s.mean(), 0, true }

// fpsQuantile is a quantile of the instantaneous frame rates.
func fpsQuantile(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		return q.of(s.n, s.fps, p), slowEnd(s.n, p), true
	}
}

// timeQuantile is 1000 over the quantile 1-p of the frame times.
func timeQuantile(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		return 1000 / q.of(s.n, s.time, 1-p), slowEnd(s.n, p), true
	}
}

// slowEnd returns how many of n frames lie at or beyond the slow quantile p.
func slowEnd(n int, p float64) int {
	if p > 0.5 {
		return 0
	}
	return max(1, int(float64(n)*p))
}

// lowAverage is the frame rate of the mean of all frames at least as long as the quantile 1-p of the frame times.
func lowAverage(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		n, sum := s.atLeast(q.of(s.n, s.time, 1-p))
		if n == 0 { // rounding can lift the interpolated bound above equal frames
			n, sum = 1, s.rank(0)
		}
		return 1000 / (sum / float64(n)), n, true
	}
}

// lowIntegral walks from the slowest frame until the walked time reaches the share p of all time, and takes the frame rate of the
// frame it stops at.
func lowIntegral(p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		n, last := s.reaching(s.sum[sumTime] * (1 - (1 - p))) // 1-(1-p), as the tools compute it
		return 1000 / last, n, true
	}
}

func extreme(at func(*sample) float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) { return at(s), 0, true }
}

func slowest(s *sample) float64 { return s.rank(0) }
func fastest(s *sample) float64 { return s.least }

// stdDev divides by n-1.
func stdDev(s *sample) (float64, int, bool) {
	n := s.count()
	if n < 2 {
		return 0, 0, false
	}
	v := (s.sum[sumSquare] - s.sum[sumDeviation]*s.sum[sumDeviation]/n) / (n - 1)
	return math.Sqrt(max(0, v)), 0, true
}

// lag1 is the lag-1 autocorrelation as NIST defines it: a sum over pairs divided by a sum over frames.
func lag1(s *sample) (float64, int, bool) {
	n := s.count()
	m := s.sum[sumDeviation] / n
	down := s.sum[sumSquare] - n*m*m
	if n < 3 || down <= 1e-12*s.sum[sumTime]*s.sum[sumTime]/n {
		return 0, 0, false
	}
	up := s.sum[sumProduct] - m*s.sum[sumNeighbours] + m*m*s.sum[sumPairs]
	return max(-1, min(1, up/down)), 0, true
}

// ratio divides one sum by another.
func ratio(a, b int) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		if s.sum[b] == 0 {
			return 0, 0, false
		}
		return s.sum[a] / s.sum[b], 0, true
	}
}

// perFrame divides a sum by the number of frames.
func perFrame(a int) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) { return s.sum[a] / s.count(), 0, true }
}

const (
	noExtreme = "an extreme grows with the length of a run"
	byStrobe  = "strobe"
)

// own lists strobe's definitions, in the order of a report.
func own(o Options) []definition {
	quantile, domain := timeQuantile, "1000 over the "+o.Quantile.String()+" quantile of the frame times at %s"
	if o.FPSDomain {
		quantile, domain = fpsQuantile, o.Quantile.String()+" quantile of the instantaneous frame rates at %s"
	}
	at := func(p float64) string {
		if !o.FPSDomain {
			p = 1 - p
		}
		return fmt.Sprintf(domain, strconv.FormatFloat(p, 'g', 4, 64))
	}
	average := "1000 over the mean of all frames at least as long as the " + o.Quantile.String() + " quantile of the frame times at %s"
	integral := "frame rate of the frame at which the slowest frames, added up, reach %s of all time"
	defs := []definition{
		{key: "avg_fps", name: "average", unit: FPS, words: "1000·n over the sum of the frame times", value: averageFPS, mean: ofTimes, back: perSecond},
		{key: "p1_fps", slowShare: 0.01, name: "P1", unit: FPS, words: at(0.01), value: quantile(o.Quantile, 0.01)},
		{key: "p01_fps", slowShare: 0.001, name: "P0.1", unit: FPS, words: at(0.001), value: quantile(o.Quantile, 0.001)},
		{key: "low1_average_fps", slowShare: 0.01, name: "1 % low average", unit: FPS, words: fmt.Sprintf(average, "0.99"), value: lowAverage(o.Quantile, 0.01)},
		{key: "low01_average_fps", slowShare: 0.001, name: "0.1 % low average", unit: FPS, words: fmt.Sprintf(average, "0.999"), value: lowAverage(o.Quantile, 0.001)},
		{key: "low1_integral_fps", slowShare: 0.01, name: "1 % low integral", unit: FPS, words: fmt.Sprintf(integral, "1 %"), value: lowIntegral(0.01)},
		{key: "low01_integral_fps", slowShare: 0.001, name: "0.1 % low integral", unit: FPS, words: fmt.Sprintf(integral, "0.1 %"), value: lowIntegral(0.001)},
		{key: "min_fps", name: "minimum", unit: FPS, words: "1000 over the longest frame time", fixed: noExtreme,
			value: extreme(func(s *sample) float64 { return 1000 / slowest(s) })},
		{key: "max_fps", name: "maximum", unit: FPS, words: "1000 over the shortest frame time", fixed: noExtreme,
			value: extreme(func(s *sample) float64 { return 1000 / fastest(s) })},
		{key: "mean_instantaneous_fps", name: "mean of instantaneous FPS", unit: FPS, mean: ofRates, value: perFrame(sumInverse),
			words: "mean of 1000/x; it gives short frames too much weight and is not a frame rate"},
		{key: "mean_ms", name: "mean frame time", unit: Milliseconds, words: "sum of the frame times over n", mean: ofTimes,
			value: extreme((*sample).mean)},
		{key: "min_ms", name: "shortest frame", unit: Milliseconds, words: "least frame time", fixed: noExtreme, value: extreme(fastest)},
		{key: "max_ms", name: "longest frame", unit: Milliseconds, words: "greatest frame time", fixed: noExtreme, value: extreme(slowest)},
		{key: "stddev_ms", name: "standard deviation", unit: Milliseconds, words: "of the frame times, divided by n-1", value: stdDev},
		{key: "cv", name: "coefficient of variation", unit: NoUnit, words: "standard deviation over mean",
			value: func(s *sample) (float64, int, bool) {
				v, _, ok := stdDev(s)
				return v / s.mean(), 0, ok
			}},
		{key: "jitter_ms", name: "frame-to-frame change", unit: Milliseconds, words: "mean of |x[i+1]-x[i]|", mean: ofChanges, value: ratio(sumChange, sumPairs)},
	}
	if o.StutterFactor > 0 {
		defs = append(defs,
			definition{key: "stutter_frames_share", name: "stuttering frames", unit: Share, value: perFrame(sumStutters), words: o.stutterWords()},
			definition{key: "stutter_time_share", name: "stuttering time", unit: Share, value: ratio(sumStutterTime, sumTime), words: "time of those frames over all time"})
	}
	for i, limit := range o.Below {
		count, time := quantities+2*i, quantities+2*i+1
		of := strconv.FormatFloat(limit, 'g', -1, 64)
		defs = append(defs,
			definition{key: "below_" + of + "_fps_frames_share", name: "frames below " + of + " FPS", unit: Share, words: "frames with 1000/x < " + of + " over n",
				value: perFrame(count)},
			definition{key: "below_" + of + "_fps_time_share", name: "time below " + of + " FPS", unit: Share, words: "time of those frames over all time",
				value: func(s *sample) (float64, int, bool) {
					if s.sum[count] == s.count() {
						return 1, 0, true // two sums of the same times may differ by rounding
					}
					return min(1, s.sum[time]/s.sum[sumTime]), 0, true
				}})
	}
	defs = append(defs, definition{key: "lag1", name: "lag-1 autocorrelation", unit: NoUnit, value: lag1,
		words: "correlation of every frame time with the next"})
	for i := range defs {
		defs[i].by = byStrobe
	}
	return defs
}

func (o Options) stutterWords() string {
	factor := strconv.FormatFloat(o.StutterFactor, 'g', 4, 64)
	switch {
	case o.StutterWindow < 0:
		return "frames longer than " + factor + " times the mean, over n"
	case o.StutterWindow == 0:
		return "frames longer than " + factor + " times the trailing mean of round(10·sqrt(mean ms)) frames, over n"
	}
	return fmt.Sprintf("frames longer than %s times the trailing mean of %d frames, over n", factor, o.StutterWindow)
}
