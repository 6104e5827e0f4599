// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/frames"
)

// A Page is the content of a report.
type Page struct {
	Captures    []Capture
	Comparisons []Comparison

	Groups           []Group // of the captures; empty if there are none
	GroupComparisons []GroupComparison

	Version string // of the command that writes the page
	Paths   bool   // show the folders of files
}

// A Capture is a capture with its report.
type Capture struct {
	frames.Capture
	Report frames.Report
}

// A Comparison is that of two captures, given by their indexes.
type Comparison struct {
	Base, Other int
	frames.Comparison
}

// A Group is several captures of one configuration.
type Group struct {
	frames.GroupReport
	Members []int // indexes of its captures
}

// A GroupComparison is that of two groups, given by their indexes.
type GroupComparison struct {
	Base, Other int
	frames.GroupComparison
}

// Name returns the name of a capture: its process, or else its file.
func (c Capture) Name() string {
	switch name := c.Process; {
	case name == "":
		return c.File[strings.LastIndexAny(c.File, `/\`)+1:]
	case c.PID != 0:
		return fmt.Sprintf("%s (%d)", name, c.PID)
	default:
		return name
	}
}

// Seconds returns the sum of the frame times.
func (c Capture) Seconds() float64 {
	sum := 0.0
	for _, x := range c.Frames {
		sum += x
	}
	return sum / 1000
}

// Length formats the number of frames and their total time.
func (c Capture) Length() string {
	if len(c.Frames) == 1 {
		return "1 frame " + c.Lasting()
	}
	return fmt.Sprintf("%d frames %s", len(c.Frames), c.Lasting())
}

// Lasting formats the total time of the frames.
func (c Capture) Lasting() string {
	switch s := c.Seconds(); {
	case s < 1:
		return fmt.Sprintf("in %.4g ms", 1000*s)
	case s < 1000:
		return fmt.Sprintf("in %.4g s", s)
	default:
		return fmt.Sprintf("in %.0f s", s)
	}
}
