// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// Lateness is the result of Probe.
type Lateness struct {
	Name   string
	Period time.Duration
	N      int // waits measured

	P50, P99, Max time.Duration // from a deadline to the return of the wait for it, as the caller sees it

	// CPU is the processor time of the whole process while it waited, as a share of the time that passed. Its bounds are a step of
	// the system's count away.
	CPU stat.Interval

	Reason string // why the way is less precise than it could be; empty if it is not
}

// Probe waits repeatedly in the given way, one of Ways, and measures how late the waits end and how much processor time they cost. The
// first few waits, in which a way learns, are not counted. The error says what is wrong with w, or that ctx ended first.
// Two probes at the same time disturb each other. Probe is for programs that choose among ways at their start, or report on the
// machine; strobe probe shows its results for all of them.
func Probe(ctx context.Context, w Way) (Lateness, error) {
	if w.Period == 0 {
		w.Period = time.Second / 60
	}
	if w.N == 0 {
		w.N = 100
	}
	l := Lateness{Name: w.Name, Period: w.Period, N: w.N}
	if w.start == nil || w.N < 1 || w.Period < time.Duration(1e9/MaxRate) || w.Period > time.Duration(1e9/MinRate) {
		return l, fmt.Errorf("pace: cannot probe %q with %d waits of %v: want one of Ways, 1 wait or more, 10µs to 10s", w.Name, w.N, w.Period)
	}
	r := w.start(w.Period)
	late := make([]time.Duration, 0, w.N)
	var begin usage
	var err error
	for i := -min(w.N/8+2, 100); i < w.N && err == nil; i++ {
		if i == 0 {
			begin = processorTime(clock.Now())
		}
		if err = r.wait(ctx); err == nil {
			now := clock.Now()
			if due := r.due(now); i >= 0 {
				late = append(late, now.Sub(due))
			}
		}
	}
	l.Reason = r.stop()
	if err != nil {
		return l, err
	}
	l.count(begin, processorTime(clock.Now()), processTimeStep)
	slices.Sort(late)
	l.P50, l.P99, l.Max = late[w.N/2], late[w.N-1-w.N/100], late[w.N-1]
	return l, nil
}

// count enters the processor time used from begin to end, which the system counts in steps.
func (l *Lateness) count(begin, end usage, step time.Duration) {
	switch span := float64(end.at.Sub(begin.at)); {
	case !begin.known || !end.known:
		l.CPU = stat.Unknown(fmt.Sprint("the system does not report how much processor time a process has used: ", cmp.Or(begin.err, end.err)))
	case end.used <= begin.used:
		l.CPU = stat.Unknown(fmt.Sprintf("the system counts processor time in steps of up to %v, and the count did not advance", step))
	default:
		share, off := float64(end.used-begin.used)/span, float64(step)/span
		l.CPU = stat.Interval{Center: share, Lo: max(0, share-off), Hi: share + off, Level: 1, Method: "count", N: uint64(l.N)}
	}
}
