// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Lateness is the result of Probe.
type Lateness struct {
	Name   string
	Period time.Duration
	N      int // waits measured

	P50, P99, Max time.Duration // from a deadline to the return of the wait for it, as the caller sees it

	CPU      float64 // processor time of the whole process while it waited, as a share of the time that passed
	CPUKnown bool
	Reason   string // why the way is less precise than it could be; empty if it is not
}

// Probe waits repeatedly in the given way and measures how late the waits end and how much processor time they cost. The
// first few waits, in which a way learns, are not counted. The error says what is wrong with w, or that ctx ended first.
// Two probes at the same time disturb each other.
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
	var used time.Duration
	var begin clock.Instant
	var err error
	for i := -min(w.N/8+2, 100); i < w.N && err == nil; i++ {
		if i == 0 {
			used, l.CPUKnown = processTime()
			begin = clock.Now()
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
	if now, ok := processTime(); ok && l.CPUKnown {
		l.CPU = float64(now-used) / float64(clock.Since(begin))
	}
	slices.Sort(late)
	l.P50, l.P99, l.Max = late[w.N/2], late[w.N-1-w.N/100], late[w.N-1]
	return l, nil
}
