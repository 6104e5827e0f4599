// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package pace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func TestInABubbleWaitsFollowItsTime(t *testing.T) {
	real := clock.Now()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		lim := NewLimiter(Options{Rate: 60, Mode: Lock})
		ctx := context.Background()
		for range 3601 {
			if err := lim.Wait(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if d := time.Since(begin); d != time.Minute {
			t.Errorf("3600 turns at 60 Hz took %v", d)
		}
		ended, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		if err := lim.Wait(ended); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a wait longer than its context: %v", err)
		}
		Sleep(time.Hour - time.Millisecond)
		if d := time.Since(begin); d != time.Hour+time.Minute {
			t.Errorf("after an hour of sleep: %v", d)
		}
		lim.Close()
		if s := lim.Stats(); s.Waits != 3601 || s.Missed != 0 || s.max != 0 || s.Reason == "" {
			t.Errorf("%+v", s)
		}
	})
	if d := clock.Since(real); d > 30*time.Minute {
		t.Errorf("it really took %v", d)
	}
}
