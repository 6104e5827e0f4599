// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"iter"
	"math"
	"strings"
)

// Scene is a stretch of a capture in which the level of the frame times stays the same.
type Scene struct {
	First  int     `json:"first"`     // its first frame, from 0
	Frames int     `json:"frames"`    // how many it has
	Start  float64 `json:"start_ms"`  // sum of the frame times before it, ms
	Length float64 `json:"length_ms"` // sum of its frame times, ms
}

// inScenes returns a series of each scene.
func (a *analysis) inScenes(series func(from, to int) iter.Seq[float64]) (parts []iter.Seq[float64]) {
	for i, from := range a.starts {
		parts = append(parts, series(from, a.end(i)))
	}
	return parts
}

// end is where scene i ends.
func (a *analysis) end(i int) int {
	if i+1 < len(a.starts) {
		return a.starts[i+1]
	}
	return len(a.frames)
}

// levelled returns at most the given number of frame times, each minus the mean of its scene if there are several.
func (a *analysis) levelled(most int) []float64 {
	most = min(most, len(a.frames))
	if len(a.starts) == 1 {
		return a.frames[:most]
	}
	out := make([]float64, 0, most)
	for i, from := range a.starts {
		part := a.frames[from:a.end(i)]
		mean := exactSum(part) / float64(len(part))
		for _, x := range part[:min(len(part), most-len(out))] {
			out = append(out, x-mean)
		}
	}
	return out
}

// fillScenes adds the scenes, with the figures of each.
func (a *analysis) fillScenes(r *Report) {
	if len(a.starts) < 2 {
		return
	}
	at := 0.0
	scenes := make([]*series, len(a.starts))
	for i, from := range a.starts {
		to := a.end(i)
		length := exactSum(a.frames[from:to])
		r.Scenes = append(r.Scenes, Scene{First: from, Frames: to - from, Start: at, Length: length})
		at += length
		var mark []bool
		if a.mark != nil {
			mark = a.mark[from:to]
		}
		scenes[i] = newSeries(a.frames[from:to], mark, a.o.Below, a.share)
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		for _, d := range a.defs {
			if d.key != m.Key {
				continue
			}
			for _, scene := range scenes {
				if v, _, ok := scene.figure(d); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
					m.Scenes = append(m.Scenes, v)
				}
			}
			if len(m.Scenes) < len(scenes) {
				m.Scenes = nil
			}
		}
	}
}

// changes says when the level of the frame times changes, "" when it does not.
func (a *analysis) changes() string {
	if len(a.starts) < 2 {
		return ""
	}
	rate := func(i int) float64 {
		part := a.frames[a.starts[i]:a.end(i)]
		return 1e3 * float64(len(part)) / exactSum(part)
	}
	var all []string
	for i, at := range a.starts[1:] {
		all = append(all, fmt.Sprintf("near %.4g s, frame %d, from %.4g to %.4g fps", exactSum(a.frames[:at])/1e3, at+1, rate(i), rate(i+1)))
	}
	return "not stationary: the scene changes " + strings.Join(all, ", and ") +
		"; figures and intervals of the whole are those of all scenes together, each for as long as it lasts here"
}
