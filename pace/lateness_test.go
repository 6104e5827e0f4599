// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// Stats must agree with what a caller measures to within a few readings of the clock, which take longer on a busy machine. After
// a wait that did not spin, the code of the caller has to be loaded from memory, so the tolerance is larger. Each wait is
// compared with itself, so only a few are disturbed between the two readings.
func TestStatsSayWhatTheCallerSees(t *testing.T) {
	const waits = 301
	ctx := context.Background()
	lim := NewLimiter(Options{Rate: 1000})
	type compared struct {
		said, seen time.Duration
		spun       bool
	}
	var all []compared
	var said, reading []time.Duration
	for due := range lim.Turns(ctx) {
		seen := clock.Since(due)
		begin := clock.Now()
		reading = append(reading, clock.Since(begin))
		if p := &lim.pending; p.slept {
			said = append(said, time.Duration(p.lateness()))
			all = append(all, compared{said[len(said)-1], seen, p.began < p.at})
		}
		if len(all) == waits {
			break
		}
	}
	lim.Close()
	middle := func(list []time.Duration) time.Duration {
		slices.Sort(list)
		return list[len(list)/2]
	}
	one := middle(reading)
	var wrong []compared
	for _, c := range all {
		most := 20 * one
		if !c.spun {
			most = 100*one + c.seen/5
		}
		if (c.seen - c.said).Abs() > most {
			wrong = append(wrong, c)
		}
	}
	if len(wrong) > waits/2 {
		t.Errorf("of %d waits %d are seen to end at another time than is said, while a reading takes %v: %v", waits, len(wrong), one, wrong)
	}
	s := lim.Stats()
	if got, want := s.p50, middle(said); got < want-want/50-1 || got > want+want/50+1 {
		t.Errorf("the median lateness is %v, Stats says %v", want, got)
	}
	if got, want := s.max, said[len(said)-1]; got != want || s.Slept != waits {
		t.Errorf("the largest lateness of %d is %v, Stats says %v of %d", waits, want, got, s.Slept)
	}
}

func TestTurnsYieldTheGrid(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var lim Limiter // the zero value works
	defer lim.Close()
	if err := lim.SetRate(1000); err != nil {
		t.Fatal(err)
	}
	var start clock.Instant
	n := 0
	for at := range lim.Turns(ctx) {
		if now := clock.Now(); now < at {
			t.Errorf("turn %d began %v early", n, at.Sub(now))
		}
		if n == 0 {
			start = at
		} else if at.Sub(start)%time.Millisecond != 0 {
			t.Errorf("turn %d: a deadline %v off the grid", n, at.Sub(start)%time.Millisecond)
		}
		if n++; n == 5 {
			break
		}
	}
	for range lim.Turns(ctx) {
		if n++; n == 10 {
			cancel()
		}
	}
	if n != 10 || lim.Wait(ctx) != context.Canceled {
		t.Errorf("%d turns, then %v", n, lim.Wait(ctx))
	}
	if s := lim.Stats(); s.Rate != 1000 {
		t.Errorf("%+v", s)
	}
}
