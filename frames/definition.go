// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"strconv"
)

// definition is one named figure: how it is computed, and how it is written.
type definition struct {
	key   string
	name  string
	unit  string
	by    string // whose definition it is
	words string // the definition itself
	print func(float64) string

	// value computes the figure; ok is false where it does not exist. rests is
	// the number of frames at the slow end that it stands on, 0 for all.
	value func(*sample) (v float64, rests int, ok bool)

	// mean is the series whose mean the figure is, if it is one, and back the
	// way from that mean to the figure; nil is the mean itself.
	mean seriesOf
	back func(float64) float64

	fixed string // the reason, where there can be no interval
}

const (
	fps   = "fps"
	ms    = "ms"
	share = "share"
	none  = ""
)

// seriesOf names a series made of the frames, one value a frame.
type seriesOf int

const (
	ofNothing seriesOf = iota
	ofTimes
	ofRates   // 1000/x
	ofChanges // |x[i+1]-x[i]|, one fewer
)

func (k seriesOf) values(frames []float64) []float64 {
	switch k {
	case ofRates:
		out := make([]float64, len(frames))
		for i, x := range frames {
			out[i] = 1000 / x
		}
		return out
	case ofChanges:
		out := make([]float64, max(0, len(frames)-1))
		for i := range out {
			out[i] = math.Abs(frames[i+1] - frames[i])
		}
		return out
	}
	return frames
}

func perSecond(mean float64) float64 { return 1000 / mean }

// averageFPS is frames per time: 1000·n/Σx.
func averageFPS(s *sample) (float64, int, bool) { return 1000 / s.mean(), 0, true }

// fpsQuantile is a quantile of the instantaneous frame rates.
func fpsQuantile(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		return q.of(len(s.slow), s.fps, p), slowEnd(len(s.slow), p), true
	}
}

// timeQuantile is 1000 over the quantile 1-p of the frame times.
func timeQuantile(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		return 1000 / q.of(len(s.slow), s.time, 1-p), slowEnd(len(s.slow), p), true
	}
}

// slowEnd is how many of n frames lie at or beyond the slow quantile p.
func slowEnd(n int, p float64) int {
	if p > 0.5 {
		return 0
	}
	return max(1, int(float64(n)*p))
}

// lowAverage is the frame rate of the mean of all frames at least as long as
// the quantile 1-p of the frame times.
func lowAverage(q Quantile, p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		bound := q.of(len(s.slow), s.time, 1-p)
		var sum float64
		n := 0
		for n < len(s.slow) && s.slow[n] >= bound {
			sum += s.slow[n]
			n++
		}
		if n == 0 { // the interpolated bound can exceed equal frames by a rounding
			sum, n = s.slow[0], 1
		}
		return 1000 / (sum / float64(n)), n, true
	}
}

// lowIntegral walks from the slowest frame until the walked time reaches the
// share p of all time, and takes the frame rate of the frame it stops at.
func lowIntegral(p float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		var total, sum float64
		for _, x := range s.slow {
			total += x
		}
		bound := total * (1 - (1 - p)) // as the tools compute it
		for i, x := range s.slow {
			if sum += x; sum >= bound {
				return 1000 / x, i + 1, true
			}
		}
		return 1000 / s.slow[len(s.slow)-1], len(s.slow), true
	}
}

func extreme(at func(*sample) float64) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) { return at(s), 0, true }
}

func slowest(s *sample) float64 { return s.slow[0] }
func fastest(s *sample) float64 { return s.slow[len(s.slow)-1] }

// stdDev divides by n-1.
func stdDev(s *sample) (float64, int, bool) {
	n := s.n()
	if n < 2 {
		return 0, 0, false
	}
	v := (s.sum[sumSquare] - s.sum[sumDeviation]*s.sum[sumDeviation]/n) / (n - 1)
	return math.Sqrt(max(0, v)), 0, true
}

// lag1 is the autocorrelation of frame times with their successors, as NIST
// defines it: the sum over pairs over the sum over frames.
func lag1(s *sample) (float64, int, bool) {
	n := s.n()
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
	return func(s *sample) (float64, int, bool) { return s.sum[a] / s.n(), 0, true }
}

const (
	noExtreme = "an extreme of one run bounds nothing: a longer run only moves it outward"
	byStrobe  = "strobe"
)

// own lists strobe's definitions, in the order of a report.
func own(o Options) []definition {
	quantile, domain := timeQuantile, "1000 over the "+string(o.Quantile)+" quantile of the frame times at %s"
	if o.FPSDomain {
		quantile, domain = fpsQuantile, string(o.Quantile)+" quantile of the instantaneous frame rates at %s"
	}
	at := func(p float64) string {
		if !o.FPSDomain {
			p = 1 - p
		}
		return fmt.Sprintf(domain, strconv.FormatFloat(p, 'g', 4, 64))
	}
	average := "1000 over the mean of all frames at least as long as the " + string(o.Quantile) + " quantile of the frame times at %s"
	integral := "frame rate of the frame at which the slowest frames, added up, reach %s of all time"
	defs := []definition{
		{key: "avg_fps", name: "average", unit: fps, words: "1000·n over the sum of the frame times", value: averageFPS, mean: ofTimes, back: perSecond},
		{key: "p1_fps", name: "P1", unit: fps, words: at(0.01), value: quantile(o.Quantile, 0.01)},
		{key: "p01_fps", name: "P0.1", unit: fps, words: at(0.001), value: quantile(o.Quantile, 0.001)},
		{key: "low1_average_fps", name: "1 % low average", unit: fps, words: fmt.Sprintf(average, "0.99"), value: lowAverage(o.Quantile, 0.01)},
		{key: "low01_average_fps", name: "0.1 % low average", unit: fps, words: fmt.Sprintf(average, "0.999"), value: lowAverage(o.Quantile, 0.001)},
		{key: "low1_integral_fps", name: "1 % low integral", unit: fps, words: fmt.Sprintf(integral, "1 %"), value: lowIntegral(0.01)},
		{key: "low01_integral_fps", name: "0.1 % low integral", unit: fps, words: fmt.Sprintf(integral, "0.1 %"), value: lowIntegral(0.001)},
		{key: "min_fps", name: "minimum", unit: fps, words: "1000 over the longest frame time", fixed: noExtreme,
			value: extreme(func(s *sample) float64 { return 1000 / slowest(s) })},
		{key: "max_fps", name: "maximum", unit: fps, words: "1000 over the shortest frame time", fixed: noExtreme,
			value: extreme(func(s *sample) float64 { return 1000 / fastest(s) })},
		{key: "mean_instantaneous_fps", name: "mean of instantaneous FPS", unit: fps, mean: ofRates, value: perFrame(sumInverse),
			words: "mean of 1000/x; it weighs short frames too much and is no frame rate"},
		{key: "mean_ms", name: "mean frame time", unit: ms, words: "sum of the frame times over n", mean: ofTimes,
			value: extreme((*sample).mean)},
		{key: "min_ms", name: "shortest frame", unit: ms, words: "least frame time", fixed: noExtreme, value: extreme(fastest)},
		{key: "max_ms", name: "longest frame", unit: ms, words: "greatest frame time", fixed: noExtreme, value: extreme(slowest)},
		{key: "stddev_ms", name: "standard deviation", unit: ms, words: "of the frame times, divided by n-1", value: stdDev},
		{key: "cv", name: "coefficient of variation", unit: none, words: "standard deviation over mean",
			value: func(s *sample) (float64, int, bool) {
				v, _, ok := stdDev(s)
				return v / s.mean(), 0, ok
			}},
		{key: "jitter_ms", name: "frame-to-frame change", unit: ms, words: "mean of |x[i+1]-x[i]|", mean: ofChanges, value: ratio(sumChange, sumPairs)},
	}
	if o.StutterFactor > 0 {
		defs = append(defs,
			definition{key: "stutter_frames_share", name: "stuttering frames", unit: share, value: perFrame(sumStutters), words: o.stutterWords()},
			definition{key: "stutter_time_share", name: "stuttering time", unit: share, value: ratio(sumStutterTime, sumTime), words: "time of those frames over all time"})
	}
	for _, limit := range o.Below {
		of := strconv.FormatFloat(limit, 'g', -1, 64)
		defs = append(defs,
			definition{key: "below_" + of + "_fps_frames_share", name: "frames below " + of + " FPS", unit: share, words: "frames with 1000/x < " + of + " over n",
				value: func(s *sample) (float64, int, bool) { n, _ := s.below(limit); return float64(n) / s.n(), 0, true }},
			definition{key: "below_" + of + "_fps_time_share", name: "time below " + of + " FPS", unit: share, words: "time of those frames over all time",
				value: func(s *sample) (float64, int, bool) { _, t := s.below(limit); return min(1, t/s.sum[sumTime]), 0, true }})
	}
	defs = append(defs, definition{key: "lag1", name: "lag-1 autocorrelation", unit: none, value: lag1,
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
