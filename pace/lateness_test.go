// SPDX-License-Identifier: BSD-3-Clause

package pace_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

// What Stats says must agree with what a caller measures. A machine whose load changes in the
// middle of a try may disturb one, not all.
func TestStatsSayWhatTheCallerSees(t *testing.T) {
	ctx := context.Background()
	var said, seen time.Duration
	for range 10 {
		lim := pace.NewLimiter(pace.Options{Rate: 1000})
		var late []time.Duration
		for due := range lim.Turns(ctx) {
			if late = append(late, clock.Since(due)); len(late) == 300 {
				break
			}
		}
		lim.Close()
		s := lim.Stats()
		slices.Sort(late)
		said, seen = s.LatenessP50, late[len(late)/2]
		if math.Abs(float64(said-seen)) <= max(100, 0.2*float64(seen)) {
			return
		}
	}
	t.Errorf("the median lateness is %v according to Stats, %v according to the caller", said, seen)
}

func TestTurnsYieldTheGrid(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var lim pace.Limiter // the zero value works
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
