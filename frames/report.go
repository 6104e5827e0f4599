// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/stat"
)

// Report describes a capture by one set of definitions. A capture.Report says why one frame took long.
type Report struct {
	// The capture, as in Capture, and the number of its frames.
	File      string `json:"file"`
	Process   string `json:"process,omitempty"`
	PID       int    `json:"pid,omitempty"`
	SwapChain string `json:"swap_chain,omitempty"`
	Format    Format `json:"format,omitempty"`
	Column    string `json:"column,omitempty"`
	Frames    int    `json:"frames"`
	Preset    Preset `json:"preset"` // whose definitions

	// Scenes of the capture, where the level of the frame times changes; nil where it has one level. Figures are then those of
	// all scenes together, for as long as each lasts here, and intervals do not cover other shares of them.
	Scenes []Scene `json:"scenes,omitempty"`

	Metrics []Metric `json:"metrics"`          // every figure, in the order to show them
	Absent  []Absent `json:"absent,omitempty"` // figures that do not exist here, with the reason

	// NotStationary: even the means of long stretches are correlated. The capture drifts or is too short; its intervals describe
	// this run at best.
	NotStationary bool     `json:"not_stationary,omitempty"`
	Warnings      []string `json:"warnings,omitempty"` // one sentence each, most important first
	Notes         []string `json:"notes,omitempty"`    // from reading the file
	Options       Options  `json:"options"`            // as used, defaults filled in
}

// Metric is one named figure.
type Metric struct {
	Key        string  `json:"key"`        // stable name, such as "p1_fps"
	Name       string  `json:"name"`       // for people
	Unit       Unit    `json:"unit"`       // of the value and its interval
	Value      float64 `json:"value"`      // the figure
	Text       string  `json:"text"`       // the value in the digits that the preset's tool prints
	By         string  `json:"by"`         // whose definition: the preset's name, or "strobe"
	Definition string  `json:"definition"` // in words
	// Rests is the number of frames at the slow end that determine the figure; 0 if all frames do.
	Rests int `json:"rests_on_frames,omitempty"`

	// Interval of the value, or the reason why it has none. It has one bound only where one run cannot tell how low, or how high,
	// the true value is.
	Interval stat.Interval `json:"interval"`

	// Scenes has the figure of each of Report.Scenes; nil where it does not exist in all of them.
	Scenes []float64 `json:"scenes,omitempty"`
}

// Absent is a figure that does not exist for a capture.
type Absent struct {
	Key    string `json:"key"`    // as in Metric
	Reason string `json:"reason"` // why it does not exist
}

// fewest is how many frames a low should rest on. With fewer it varies from run to run.
const fewest = 10

// Analyze reports on one capture. It returns an error when the capture has no frames, has frame times that are not positive and
// finite, or when the options make no sense. It does not keep or change the capture. Safe for concurrent use.
func Analyze(c Capture, o Options) (Report, error) {
	o, err := o.resolve()
	if err != nil {
		return Report{}, err
	}
	if err := c.check(); err != nil {
		return Report{}, err
	}
	a := newAnalysis(c, o)
	r := Report{File: c.File, Process: c.Process, PID: c.PID, SwapChain: c.SwapChain, Format: c.Format, Column: c.Column,
		Frames: len(c.Frames), Preset: o.Preset, Notes: slices.Clone(c.Notes), Options: o}
	a.fill(&r)
	a.fillScenes(&r)
	r.warn(a)
	return r, nil
}

// check rejects invalid captures, since callers may make them by hand.
func (c *Capture) check() error {
	if len(c.Frames) == 0 {
		return fmt.Errorf("frames: %s: no frames to report on", nameOf(c))
	}
	for i, x := range c.Frames {
		if !(x >= shortest && x <= longest) {
			return fmt.Errorf("frames: %s: frame %d lasts %v ms; frames last between a nanosecond and eleven days", nameOf(c), i, x)
		}
	}
	for _, x := range [][]float32{c.GPUBusy, c.Latency, c.Displayed} {
		for i, v := range x {
			if !(v >= -1 && v <= longest) {
				return fmt.Errorf("frames: %s: value %d of a column beside the frame times is %v ms", nameOf(c), i, v)
			}
		}
	}
	for i, e := range c.AnimationError {
		if !(math.Abs(e) <= longest) {
			return fmt.Errorf("frames: %s: animation error %d is %v", nameOf(c), i, e)
		}
	}
	return nil
}

func nameOf(c *Capture) string {
	return plain.Text(strings.TrimSpace(strings.TrimSpace(c.File+" "+c.Process) + " capture"))
}

// Metric returns the figure of a key; ok is false when the report has none.
func (r *Report) Metric(key string) (m Metric, ok bool) {
	for _, m := range r.Metrics {
		if m.Key == key {
			return m, true
		}
	}
	return Metric{}, false
}

func (r *Report) warn(a *analysis) {
	add := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	var few []string
	for _, m := range r.Metrics {
		if m.Rests > 0 && m.Rests < fewest {
			few = append(few, fmt.Sprintf("%s rests on %d", m.Name, m.Rests))
		}
	}
	if len(few) > 0 {
		frames := "frames"
		if r.Frames == 1 {
			frames = "frame"
		}
		add("few frames: of %d %s %s; below %d a figure varies from run to run", r.Frames, frames, strings.Join(few, ", "), fewest)
	}
	if text := a.changes(); text != "" {
		r.NotStationary = true
		r.Warnings = append(r.Warnings, text)
	}
	for _, w := range a.meanInterval(ofTimes).Warnings {
		r.NotStationary = r.NotStationary || strings.HasPrefix(w, "not stationary")
		r.Warnings = append(r.Warnings, w)
	}
	if n := float64(r.Frames); a.nEff > 0 && a.nEff < n/10 {
		add("frames are correlated: %d of them say as much about the mean as %.3g independent ones", r.Frames, a.nEff)
	}
}
