// SPDX-License-Identifier: BSD-3-Clause

// Package capture explains slow frames and requests while nobody looks: a unit that took much longer than usual is reported
// with the cause, in one sentence.
//
//	defer capture.Start(capture.Options{}).Stop()
//
// A unit is a turn of a loop, as marked by strobe.Frame, or a call of a zone made by strobe.NewRootZone. The goroutine that turns a
// loop is known if it enters zones.
//
// # Sources
//
// While it runs, the runtime's flight recorder keeps what goroutines did in the latest second or two, and up to a minute once
// units took so long (Go 1.25 and later), the kernel keeps when threads were on a processor (Linux, if it is permitted),
// strobe records spans, and counters are read twenty times a second. Only when a unit was slow are they put together, on a
// goroutine of its own: the unit's time is divided among the states of its goroutine, what is usual for units of the same root
// is subtracted, and the cause that explains most of the difference is named. If none explains 55 % of it, the report says
// "unclear" and has the account all the same.
//
// Sources that are missing are named in Report.Degrees. Without the flight recorder nothing that blocks is explained. A program may have
// only one: a flight recorder of the program's own must be stopped before. Regions of the execution trace are off meanwhile, as by
// strobe.SetTraceRegions(false), because spans would become regions for the flight recorder too, at many times the cost; a program
// that wants them in a trace of its own calls strobe.SetTraceRegions(true) after Start.
//
// Stacks and functions name where something happened; arguments and contents of memory are never read.
package capture

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe"
)

// Options are those of Start. Zero values mean the defaults.
type Options struct {
	Roots  []*strobe.Zone // root zones to watch; none: all root zones and all loops
	Budget time.Duration  // a unit that takes longer is explained; 0: Factor times the median of the latest 256 units of the same root, of which there must be more than 16
	Factor float64        // 0: 1.5. In any case a unit must take a millisecond longer than the median. Less than 1 is 1

	Dir         string // folder for a file for each Report; "": no files. It is made if it does not exist
	DiskBytes   int64  // limit of all capture files in Dir, of which the oldest are deleted; 0: 64 MiB; negative: no files
	MemoryBytes int64  // limit of the records that are kept in memory: half of it for the flight recorder, the rest for the kernel's, for spans and for units; 0: 16 MiB; less than 1 MiB is that

	// Cost is the share of one processor that explaining may take, with looking at when all units ran and waited, for which a fifth of it is set aside; and the share that the events of the flight recorder and the kernel's
	// records of switches may take, which rest at times if there are too many. 0: 0.01; negative: no limit. Report.Overhead has what they took.
	Cost float64

	Log *slog.Logger // gets one line for a Report, and for ten seconds no other about the same root and cause; nil: slog.Default
	On  func(Report) // called for each Report, on the goroutine that explains; nil: nothing

	without blind
}

func (o Options) withDefaults() Options {
	if !(o.Factor > 0) {
		o.Factor = 1.5
	}
	o.Factor = max(1, o.Factor)
	if o.DiskBytes == 0 {
		o.DiskBytes = 64 << 20
	}
	if o.MemoryBytes <= 0 {
		o.MemoryBytes = 16 << 20
	}
	o.MemoryBytes = max(1<<20, o.MemoryBytes)
	if o.Cost == 0 || o.Cost != o.Cost {
		o.Cost = 0.01
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

// A Capturer watches units and explains slow ones until Stop.
type Capturer struct {
	stop  chan struct{}
	ended chan struct{}
	once  sync.Once
	taken atomic.Pointer[Overhead] // nil before the first look
}

// Start starts to watch, and never fails: sources that this system, this version of Go or this process does not have are named
// in Report.Degrees and in the log. Several may run at the same time; they share the flight recorder and the kernel's records. With
// -tags strobe_off it does nothing. Safe for concurrent use.
func Start(o Options) *Capturer {
	c := &Capturer{stop: make(chan struct{}), ended: make(chan struct{})}
	if !strobe.Enabled {
		close(c.ended)
		return c
	}
	w := newWatch(o.withDefaults())
	w.taken = &c.taken
	go func() {
		defer close(c.ended)
		w.run(c.stop)
	}()
	return c
}

// Stop stops watching. It waits until what is being explained has been reported, so that it must not be called by Options.On. Further
// calls, and those of the zero Capturer, do nothing. Safe for concurrent use.
func (c *Capturer) Stop() {
	if c == nil || c.stop == nil {
		return
	}
	c.once.Do(func() { close(c.stop) })
	<-c.ended
}

// Overhead returns what capture has taken since Start, as of its latest look at the units, a fraction of a second ago, or of Stop. It is
// the zero Overhead until the first look, and always with -tags strobe_off. Safe for concurrent use.
func (c *Capturer) Overhead() Overhead {
	if o := c.taken.Load(); o != nil {
		return *o
	}
	return Overhead{}
}
