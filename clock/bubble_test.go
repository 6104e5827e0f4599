// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25 && (linux || darwin || freebsd || windows)

package clock

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/strobe-go/strobe/internal/child"
)

// A clock starts once in a process, so the cold start is tried in a process of its own.
func TestClockFirstReadInABubbleKeepsRealTime(t *testing.T) {
	if !child.Process(t) {
		return
	}
	if master.load().mode != asleep {
		t.Fatal("the clock has been read before")
	}
	var first Instant
	wall := time.Now()
	synctest.Test(t, func(t *testing.T) {
		first = Now()
		for end := outside() + 20*time.Millisecond; outside() < end; { // until the first millisecond is over
			Now()
		}
		keepsRealTime(t)
	})
	keepsRealTime(t)
	if d := first.Time().Sub(wall); d < -time.Minute || d > 5*time.Minute {
		t.Errorf("the first reading is dated %v, the wall clock %v", first.Time(), wall)
	}
	bubblesLeaveNoMark(t)
}

func TestBubbleDoesNotDisturbARunningClock(t *testing.T) {
	Now()
	synctest.Test(t, keepsRealTime)
	keepsRealTime(t)
	bubblesLeaveNoMark(t)
}

// keepsRealTime reads the clock over several anchors, whatever package time returns.
func keepsRealTime(t *testing.T) {
	around := outside() // the operating system's clock
	a := NowOrdered()
	inside := outside()
	last := a
	for end := inside + 1200*time.Millisecond; outside() < end; {
		time.Sleep(time.Millisecond) // this takes no time in a bubble
		if now := Now(); now < last || now.Sub(last) > time.Minute {
			t.Fatalf("went from %d to %d", last, now)
		} else {
			last = now
		}
	}
	inside = outside() - inside
	b := NowOrdered()
	around = outside() - around
	if d := b.Sub(a); d < inside-time.Millisecond || d > around+100*time.Millisecond {
		t.Errorf("Now measured %v, between %v and %v", d, inside, around)
	}
	if a < 0 || a > Instant(time.Hour) {
		t.Errorf("read %d ns since the start of this process", a)
	}
}

func bubblesLeaveNoMark(t *testing.T) {
	if ok, reason := (machine{}).trusted(); !ok {
		t.Log(reason)
		return
	}
	if info := Describe(); info.Source != counterName || info.Strikes != 0 || info.Steps != 0 {
		t.Errorf("a bubble cost the clock its counter: %+v", info)
	}
}
