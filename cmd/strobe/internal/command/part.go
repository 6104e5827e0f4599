// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"bytes"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
)

// A Part is what a program used between two lines that it printed, as far as they were read in time.
type Part struct {
	Wall      time.Duration
	Processor time.Duration // time of its children too
	Queued    float64       // share of the time that its own threads waited for a processor; -1 if it is unknown, as in a very short one
	After     time.Duration // processor time from the last line to the end of the program
}

const taskClock perf.Event = "task-clock"

// A part measures one.
type part struct {
	line     string // the first one; the last one begins with it
	counters *perf.Group
	all      perf.Measurement // since the start
	since    perf.Measurement // since the line
	began    clock.Instant
	before   task // then
	state    int  // one of these:
	found    *Part
}

const (
	expected = iota // the first line
	begun
	ended
)

// begin looks for the first line and reports whether it has just been printed. If something follows it already, it was read too late.
func (x *part) begin(p []byte) bool {
	if x == nil || x.state != expected || !bytes.HasSuffix(p, []byte(x.line+"\n")) || len(p) > len(x.line)+1 && p[len(p)-len(x.line)-2] != '\n' {
		return false
	}
	if v := x.all.Stop().Get(taskClock); !v.Known() || v.Count == 0 { // 0 where the system tells it only of processes that have ended
		return false
	}
	x.state, x.began, x.since = begun, clock.Now(), x.counters.Start()
	return true
}

// end looks for the last line, notes what was used, and reports whether it was there.
func (x *part) end(p []byte) bool {
	if x == nil || x.state != begun || !bytes.HasPrefix(p, []byte(x.line)) && !bytes.Contains(p, []byte("\n"+x.line)) {
		return false
	}
	x.state = ended
	r, wall := x.since.Stop().Get(taskClock), clock.Since(x.began)
	if !r.Known() || r.Count == 0 {
		return false
	}
	x.found = &Part{Wall: wall, Processor: time.Duration(r.Count), Queued: -1}
	return true
}

// queued notes the waiting of the threads, from what it was at the first line to this.
func (x *part) queued(sum task) {
	if share, ok := (task{sum.ran - x.before.ran, sum.queued - x.before.queued}).share(); ok {
		x.found.Queued = share
	}
}

// finish returns what was found when the program has ended.
func (x *part) finish() *Part {
	if x == nil || x.found == nil {
		return nil
	}
	x.found.After = time.Duration(x.since.Stop().Get(taskClock).Count) - x.found.Processor
	return x.found
}
