// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// slack is how long after the last event of a trace the counters may be read for the two to concern the same time.
const slack = 5_000_000

// hidden returns how long goroutines ran between the readings around i, as far as they are not known to have been off a processor, and
// for how much of that the process used none all the same.
func (w *Window) hidden(i Interval) (ran time.Duration, hidden Bounds) {
	d, ok := w.between(i, 0)
	if !ok || w.Trace == nil || w.Trace.From > d.From || d.To > w.Trace.To+slack {
		return 0, Bounds{}
	}
	cpu, ok := d.of(pressure.ProcessTime)
	if !ok {
		return 0, Bounds{}
	}
	ran, known := w.ran[d.Interval]
	if !known {
		w.runs.during(d.Interval, func(r *run, part Interval) { ran += part.length() - w.off(r.thread, part) })
		w.ran[d.Interval] = ran
	}
	least := ran - time.Duration(cpu)
	return ran, Bounds{max(0, least-w.lag(d.To)), max(0, least+w.lag(d.From)), true}
}

// takers returns what had the processors while goroutines that seem to have run were off them: others of this program, if more seem to have
// run than the machine has processors for, and other programs if not.
func (w *Window) takers(i Interval) Cause {
	ran, hidden := w.hidden(i)
	d, _ := w.between(i, 0)
	rivals := ran - time.Duration(w.Processors)*d.length()
	switch {
	case w.Processors == 0 || !hidden.Known || 4*rivals < hidden.Least:
		return Preempted
	case 2*rivals < hidden.Least:
		return Unclear
	}
	return NoProcessor
}

// lag returns what a reading of the processor time lacked, at most: some of that of the threads that ran at the time, except for the one that
// read it.
func (w *Window) lag(at Time) (sum time.Duration) {
	if w.Lag > 0 {
		w.runs.during(Interval{at, at + 1}, func(r *run, _ Interval) {
			if r.goroutine != w.Self {
				sum += w.Lag
			}
		})
	}
	return sum
}
