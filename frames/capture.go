// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/internal/enum"
)

// Format is the program that wrote a capture. It prints, and is written to JSON, as the word beside it. The zero value is
// UnknownFormat.
type Format int

const (
	UnknownFormat     Format = iota // "unknown": the capture was made by hand
	FormatPresentMon1               // "PresentMon 1": PresentMon 1.x, or --v1_metrics
	FormatPresentMon2               // "PresentMon 2": PresentMon 2.x, or --v2_metrics
	FormatPresentMon                // "PresentMon": current PresentMon
	FormatCapFrameX                 // "CapFrameX": its JSON capture, or its CSV export
	FormatFrameView                 // "FrameView": NVIDIA's log
	FormatFRAPS                     // "FRAPS": its frametimes file, and others' in that form
	FormatUnreal                    // "Unreal": the CSV profiler of Unreal Engine
	FormatUnity                     // "Unity": the frame times that Profile Analyzer exports
	FormatOCAT                      // "OCAT": its CSV file
	FormatMangoHud                  // "MangoHud": its frame log
	FormatFactorio                  // "Factorio": the verbose benchmark, or belt's export of it
	FormatStrobe                    // "strobe": the JSON of profile.Timeline, or of trace.WriteChrome: the marks of strobe.Frame
	FormatCSV                       // "CSV": any other table
	FormatList                      // "list": a plain list of numbers
)

var formatNames = []string{"unknown", "PresentMon 1", "PresentMon 2", "PresentMon", "CapFrameX", "FrameView", "FRAPS", "Unreal", "Unity", "OCAT", "MangoHud", "Factorio",
	"strobe", "CSV", "list"}

// String returns the word for the format.
func (f Format) String() string { return enum.Word(f, formatNames) }

// MarshalText writes the word for the format. It never fails.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (f *Format) UnmarshalText(text []byte) error { return enum.Parse(f, formatNames, text) }

// Capture is the frame times of one process and one swap chain, in the order of the file. The slices belong to the caller. A
// Capture may also be made by hand: only Frames is needed.
type Capture struct {
	File      string // as given to Read
	Process   string // name of the process, or of the run; empty if the file does not say
	PID       int    // process id; 0 if the file does not say
	SwapChain string // address as written; empty if the file does not say

	Format Format
	Column string // name of the column the frame times are from; empty for a list

	Frames []float64 // frame times, ms, all > 0 and finite
	Starts []float64 // time stamp of each frame, ms after the first; nil without stamps in a known unit

	// AnimationError holds, for the frames that have one, the difference between simulated and displayed step in ms, signed. nil:
	// not captured.
	AnimationError []float64

	// What other columns say of each frame, in ms; -1 where they do not say. nil: not captured. They are as precise as float32.
	GPUBusy []float32 // time the graphics processor worked on it
	Latency []float32 // by the column LatencyColumn

	LatencyColumn string // such as MsUntilDisplayed, from presenting to showing; or MsPCLatency, from input to showing

	// Displayed holds the times between changes of the display, ms, those to generated frames too. nil where the capture has no
	// generated frames.
	Displayed []float32

	Dropped   int // frames never shown (they are in Frames all the same); -1: the file does not say
	Generated int // frames that the driver generated; -1: the file does not say
	Skipped   int // rows without a positive frame time

	Info  map[string]string // what the header block says about machine and run; nil without one
	Notes []string          // what a reader of the numbers should know about this file
}

// builder gathers one capture while rows come in.
type builder struct {
	Capture
	run       string
	noStamp   bool // a row lacked its stamp
	showsDrop bool
	madeUp    int // skipped rows that are generated frames

	// These become the columns of the Capture.
	frames, starts, animation column[float64]
	gpu, displayed            column[float32]
	latency                   [2]column[float32] // by column; see header.latency

	decided bool    // the first of the latencies suffices
	stamp   float64 // stamp of the previous row, if frame times are differences of stamps
	begun   bool    // there was a row before
}

// anyOf keeps a column if any frame has a value.
func anyOf(x []float32) []float32 {
	if slices.ContainsFunc(x, func(v float32) bool { return v >= 0 }) {
		return x
	}
	return nil
}

// mostHave reports whether at least half of the frames have a value.
func mostHave(x []float32) bool {
	n := 0
	for _, v := range x {
		if v >= 0 {
			n++
		}
	}
	return n > 0 && 2*n >= len(x)
}

// onlyRises distinguishes time stamps from frame times, which do not by chance grow from frame to frame throughout a capture.
func onlyRises(x []float64) bool {
	for i := range x[1:] {
		if x[i+1] <= x[i] {
			return false
		}
	}
	return len(x) >= 16
}

// programOf returns the program in the name of one of MangoHud's logs: program_2006-01-02_15-04-05.csv.
func programOf(file string) string {
	const stamp = "_0000-00-00_00-00-00.csv"
	name := file[strings.LastIndexAny(file, `/\`)+1:]
	at := len(name) - len(stamp)
	if at < 1 {
		return ""
	}
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, name[at:])
	if digits != stamp {
		return ""
	}
	return name[:at]
}

// finish decides what is known only at the end of the file.
func (b *builder) finish(h *header, several bool) Capture {
	if b.Generated == 0 && b.madeUp == 0 {
		b.displayed = column[float32]{} // release it before the other columns are joined
	}
	c := b.Capture
	if !b.showsDrop {
		c.Dropped = -1
	}
	if h == nil || h.kind < 0 {
		c.Generated = -1
	}
	c.Frames, c.AnimationError, c.Displayed = b.frames.take(), b.animation.take(), b.displayed.take()
	if starts := b.starts.take(); !b.noStamp && len(starts) > 0 && len(starts) == len(c.Frames) {
		if h == nil {
			h = &header{startUnit: milliseconds}
		}
		if at := runsBack(starts); at > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("the time stamps run backwards at frame %d, so they are ignored: the file may hold several recordings, or lines that are not in order", at+1))
		} else {
			c.Starts = scaleStamps(starts, c.Frames, h)
		}
	}
	c.GPUBusy = anyOf(b.gpu.take())
	for i := range b.latency {
		if x := b.latency[i].take(); c.Latency == nil && (b.decided || mostHave(x)) {
			c.Latency, c.LatencyColumn = x, h.names[h.latency[i]]
		}
	}
	switch c.Format {
	case FormatFactorio:
		c.Process = "factorio"
		if several {
			c.Process += " run " + b.run
		}
	case FormatCapFrameX:
		if several && b.run != "" {
			c.Process = strings.TrimSpace(c.Process + " run " + b.run)
		}
	case FormatMangoHud:
		if c.Process == "" {
			c.Process = programOf(c.File)
		}
	}
	c.Notes = append(c.Notes, c.notes()...)
	if b.madeUp > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of the skipped rows are generated frames, which have no %s: "+
			"the column MsBetweenDisplayChange tells what was shown", b.madeUp, c.Column))
	}
	if c.Format == FormatList && onlyRises(c.Frames) {
		c.Notes = append(c.Notes, "the numbers only rise: they are time stamps, or sorted, and not frame times in their order")
	}
	return c
}

// runsBack returns the index of the first stamp that is before the previous one; 0 if there is none.
func runsBack(stamps []float64) int {
	for i := range stamps {
		if i > 0 && stamps[i] < stamps[i-1] {
			return i
		}
	}
	return 0
}

// scaleStamps turns raw stamps, which do not run backwards, into milliseconds after the first, or returns nil when their unit
// cannot be told.
func scaleStamps(raw, frames []float64, h *header) []float64 {
	factor := h.startUnit.factor
	if h.startAsks {
		var sum float64
		for _, x := range frames {
			sum += x
		}
		span := raw[len(raw)-1] - raw[0]
		// Performance counters run at 10 MHz since Windows 10; the other two are what PresentMon writes under one name in
		// different versions.
		for _, f := range []float64{1e-4, 1, 1e3} {
			if ratio := span * f / sum; ratio > 0.1 && ratio < 10 {
				factor = f
			}
		}
		if factor == 0 {
			return nil
		}
	}
	first := raw[0]
	for i := range raw {
		raw[i] = (raw[i] - first) * factor
		if math.IsInf(raw[i], 0) {
			return nil
		}
	}
	return raw
}

func (c *Capture) notes() []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if c.Skipped > 0 {
		add("%d rows without a positive frame time were skipped", c.Skipped)
	}
	if c.Dropped > 0 {
		add("%d of %d frames were never shown; they are counted", c.Dropped, len(c.Frames))
	}
	if c.Generated > 0 {
		add("%d of %d frames were generated by the driver; they are counted", c.Generated, len(c.Frames))
	}
	if c.Format == FormatPresentMon2 && strings.EqualFold(c.Column, "FrameTime") {
		add("FrameTime of PresentMon 2 runs from application start to application start, not between presents")
	}
	if c.Format == FormatMangoHud && len(c.Starts) > 1 {
		var sum float64
		for _, x := range c.Frames[1:] {
			sum += x
		}
		span := c.Starts[len(c.Starts)-1]
		if sum < 0.9*span || sum > 1.1*span {
			add("the frame times add up to %.3g s in a span of %.3g s: the log was polled (log_interval), frames are missing",
				sum/1e3, span/1e3)
		}
	}
	return notes
}
