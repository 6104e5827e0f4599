// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/internal/enum"
)

// Options configure a Limiter. The zero value means 60 Hz, Skip, Yield and the default budget.
type Options struct {
	Rate float64 // iterations per second, MinRate to MaxRate, any fraction such as 59.94; 0 means 60
	Late Late    // what to do about deadlines that have passed
	Mode Mode    // how to sleep

	// Budget is the largest share of a period that may be spent spinning, from 0 to 1. 0 means half, which at any rate
	// below 1 kHz allows the longest spin there is: 300 µs, or 1.2 ms where the system's sleep is imprecise. Negative means
	// never spin: waits then end as late as the system wakes; strobe probe shows how late that is.
	Budget float64
}

// The rates that a Limiter accepts, in iterations per second.
const (
	MinRate = 0.1
	MaxRate = 100_000
)

// Late says what a Limiter does about deadlines that passed while the caller was busy.
type Late int

const (
	Skip    Late = iota // wait for the next deadline; those that passed are missed. The schedule does not change
	CatchUp             // return at once until back on schedule; deadlines more than a quarter of a second or five iterations ago are missed
	Slip                // return at once and start a new schedule from now. Nothing is missed, the phase is lost
)

// Mode says how a Limiter sleeps.
type Mode int

const (
	Yield    Mode = iota // park the goroutine; its thread and processor run other goroutines
	Lock                 // keep a thread (runtime.LockOSThread) and sleep in a system call: better if this process has many runnable goroutines, but costs them some throughput; if it has few, Yield is more precise
	Realtime             // Lock, at real-time priority if the system grants it: better if other processes are busy. Stats says what was granted
)

var (
	lateNames = []string{"skip", "catch up", "slip"}
	modeNames = []string{"yield", "lock", "realtime"}
)

// String returns the policy's name in lower case.
func (l Late) String() string { return enum.Word(l, lateNames) }

// String returns the mode's name in lower case.
func (m Mode) String() string { return enum.Word(m, modeNames) }

// Validate returns an error that says what is wrong with the options, or nil. Wait returns the same error.
func (o Options) Validate() error {
	switch {
	case o.Rate != 0 && validRate(o.Rate) != nil:
		return validRate(o.Rate)
	case math.IsNaN(o.Budget) || o.Budget > 1:
		return fmt.Errorf("pace: budget %v: want a share up to 1, or below 0 for no spin", o.Budget)
	case o.Late < Skip || o.Late > Slip:
		return fmt.Errorf("pace: unknown late policy %v", o.Late)
	case o.Mode < Yield || o.Mode > Realtime:
		return fmt.Errorf("pace: mode %v", o.Mode)
	}
	return nil
}

func validRate(rate float64) error {
	if rate >= MinRate && rate <= MaxRate { // NaN is not
		return nil
	}
	return fmt.Errorf("pace: rate %v Hz: want %v to %v", rate, MinRate, MaxRate)
}

// filled returns the options with defaults for zeros.
func (o Options) filled() Options {
	if o.Rate == 0 {
		o.Rate = 60
	}
	if o.Budget == 0 {
		o.Budget = 0.5
	}
	return o
}
