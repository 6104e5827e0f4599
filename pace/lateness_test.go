// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// What Stats says must agree with what a caller measures, to within some readings of the clock, which take longer when the
// machine is busy. Each wait is compared with itself: one that is disturbed between the two readings is one of many.
func TestStatsSayWhatTheCallerSees(t *testing.T) {
	const waits = 301
	ctx := context.Background()
	lim := NewLimiter(Options{Rate: 1000})
	var off, said, seen, reading []time.Duration
	for due := range lim.Turns(ctx) {
		late := clock.Since(due)
		begin := clock.Now()
		reading = append(reading, clock.Since(begin))
		if !lim.pending.slept {
			continue
		}
		said, seen = append(said, time.Duration(lim.pending.lateness())), append(seen, late)
		if off = append(off, (late - said[len(said)-1]).Abs()); len(off) == waits {
			break
		}
	}
	lim.Close()
	middle := func(list []time.Duration) time.Duration {
		slices.Sort(list)
		return list[len(list)/2]
	}
	if off, one := middle(off), middle(reading); off > 20*one {
		t.Errorf("what is said and what is seen differ by %v, a reading takes %v; the median lateness seen is %v", off, one, middle(seen))
	}
	s := lim.Stats()
	if got, want := s.LatenessP50, middle(said); got < want-want/50-1 || got > want+want/50+1 {
		t.Errorf("the median lateness is %v, Stats says %v", want, got)
	}
	if got, want := s.LatenessMax, said[len(said)-1]; got != want || s.Slept != waits {
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
