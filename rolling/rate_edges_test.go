// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"math"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// These are the results of PerSecond where two of its rules meet.
func TestRateAtTheBordersOfItsRules(t *testing.T) {
	seconds := func(all ...float64) (at []clock.Instant) {
		for _, s := range all {
			at = append(at, clock.Instant(s*1e9))
		}
		return at
	}
	for _, c := range []struct {
		name   string
		events []clock.Instant
		now    float64
		want   float64
	}{
		{"a silence of exactly 1.5 periods longer than the window", seconds(0, 2), 5, 0.5},
		{"a silence of exactly 1.5 periods within the window", seconds(0, 0.2, 0.4), 0.7, 5},
		{"an interval of exactly the window", seconds(0, 1, 1.2), 1.9, 2 / 1.2},
	} {
		var r Rate
		for _, at := range c.events {
			r.Mark(at)
		}
		if got := r.PerSecond(clock.Instant(c.now * 1e9)); !near(got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRateOfABurstIsZeroAWindowLater(t *testing.T) {
	var r Rate
	for i := range 1000 {
		r.Mark(clock.Instant(i) * 1000)
	}
	if got := r.PerSecond(second + second/5); got != 0 {
		t.Errorf("%v", got)
	}
}

// Pairs of events just less than a step apart take the largest number of checkpoints that a window can need.
func TestCheckpointsSpanAShortWindow(t *testing.T) {
	r := Rate{Window: 2000}
	var all []clock.Instant
	mark := func(at clock.Instant) {
		r.Mark(at)
		all = append(all, at)
	}
	for range 10_000 {
		mark(0)
	}
	for i := range clock.Instant(130) {
		mark(15*i + 1)
		mark(15*i + 2)
	}
	checkRate(t, &r, all, 15*129+2)
}

func TestRateOfABurstAtTheEndOfTime(t *testing.T) {
	var r Rate
	var all []clock.Instant
	for i := range 4000 {
		at := clock.Instant(math.MaxInt64-3000) + clock.Instant(max(0, i-1000))
		r.Mark(at)
		all = append(all, at)
	}
	checkRate(t, &r, all, math.MaxInt64)
}

// A rate that steps up and down stays within its window wherever the ring has wrapped.
func TestRateFollowsStepsForLong(t *testing.T) {
	r := Rate{Window: time.Second}
	var all []clock.Instant
	var at clock.Instant
	for at < 40*second {
		hz := clock.Instant(50)
		if at/(7*second/10)%2 == 1 {
			hz = 3000
		}
		at += second / hz
		r.Mark(at)
		all = append(all, at)
		if len(all)%7 == 0 {
			checkRate(t, &r, all, at+second/10_000)
		}
		if len(all) > 8000 {
			all = all[4000:]
		}
	}
}
