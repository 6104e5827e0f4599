// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"iter"
	"math"
)

// beside adds the figures of the other columns.
func (a *analysis) beside(r *Report) {
	add := func(key, name string, unit Unit, x []float32, back func(float64) float64, words string) {
		known := func(from, to int) iter.Seq[float64] {
			return func(yield func(float64) bool) {
				for _, v := range x[from:to] {
					if v >= 0 && !yield(float64(v)) {
						return
					}
				}
			}
		}
		all := extentOf(known(0, len(x)))
		if all.n == 0 {
			return
		}
		m := Metric{Key: key, Name: name, Unit: unit, Value: all.mean(), By: byStrobe, Definition: words}
		if back != nil {
			m.Value = back(m.Value)
		}
		m.Text = usual(unit)(m.Value)
		if a.o.Level < 0 {
			m.none(len(a.frames), "none was asked for")
		} else {
			parts := []iter.Seq[float64]{known(0, len(x))}
			if len(x) == len(a.frames) {
				parts = a.inScenes(known)
			}
			a.place(&m, meanOf(parts, a.o.Level), all, back)
		}
		r.Metrics = append(r.Metrics, m)
	}
	add("gpu_busy_ms", "GPU busy", Milliseconds, a.capture.GPUBusy, nil, "mean time the graphics processor worked on a frame")
	add("latency_ms", "latency", Milliseconds, a.capture.Latency, nil, "mean of "+a.capture.LatencyColumn+" over the frames that have it")
	add("displayed_fps", "displayed", FPS, a.capture.Displayed, perSecond, "1000 over the mean time between changes of the display, to generated frames too")
}

// animation adds the animation error, which has its own series.
func (a *analysis) animation(r *Report) {
	if len(a.capture.AnimationError) == 0 {
		r.Absent = append(r.Absent, Absent{"animation_error_ms", "the capture has no animation error"})
		return
	}
	write, by := usual(Milliseconds), byStrobe
	if a.o.Preset == PresentMon {
		write, by = six, PresentMon.String()
	}
	sizes := func(yield func(float64) bool) {
		for _, e := range a.capture.AnimationError {
			if !yield(math.Abs(e)) {
				return
			}
		}
	}
	all := extentOf(sizes)
	m := Metric{Key: "animation_error_ms", Name: "animation error per frame", Unit: Milliseconds, Value: all.mean(), Text: write(all.mean()), By: by,
		Definition: fmt.Sprintf("mean of |simulated step - displayed step| over the %d frames that have it", all.n)}
	if a.o.Level > 0 {
		a.place(&m, meanOf([]iter.Seq[float64]{sizes}, a.o.Level), all, nil)
	} else {
		m.none(len(a.frames), "none was asked for")
	}
	r.Metrics = append(r.Metrics, m)

	if a.span == 0 {
		r.Absent = append(r.Absent, Absent{"animation_error_per_second", "the capture has no time stamps in a known unit"})
		return
	}
	// Milliseconds per millisecond, which is PresentMon's seconds per second.
	factor := float64(all.n) / a.span
	m.Key, m.Name, m.Unit = "animation_error_per_second", "animation error per second", NoUnit
	m.Value *= factor
	m.Text = write(m.Value)
	m.Definition = "sum of |animation error| over the time from the first stamp to the last"
	m.Interval.Lo, m.Interval.Hi, m.Interval.Center = m.Interval.Lo*factor, m.Interval.Hi*factor, m.Value
	r.Metrics = append(r.Metrics, m)
}
