// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"time"

	"github.com/strobe-go/strobe/perf"
)

// A Run is the measurement of one run of a program. User, System, Peak and the switches are those of the program and of
// all it started and waited for.
type Run struct {
	Wall         time.Duration
	User, System time.Duration // processor time
	Peak         int64         // largest resident memory of one process, bytes; see Known
	Preempted    int64         // times a processor was taken from it
	Waited       int64         // times it gave up a processor to wait
	Queued       float64       // share of the time in which its own threads wanted a processor but had none; see Known
	Stolen       float64       // share of the machine's time that its host gave to others; see Known
	Known        Known
	Exit         int // exit code, 0 unless failures are ignored

	Counts    perf.Reading // of the program and all it started
	Uncounted string       // why none of the events could be counted; empty if one was, or none was asked for
}

// Known says which figures the system has.
type Known struct{ Peak, Switches, Queued, Stolen bool }
