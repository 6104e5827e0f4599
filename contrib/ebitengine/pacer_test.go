// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"testing"
	"time"
)

// The main thread may run what it is given at once, later, or not at all when the game has ended; on one thread, Ebitengine runs it
// on the goroutine that asks.
func TestAHeldFrameIsNeverEarlyAndNeverLost(t *testing.T) {
	queue := make(chan func())
	go func() {
		for f := range queue {
			f()
		}
	}()
	defer close(queue)
	for name, main := range map[string]func(func()){
		"same goroutine": func(f func()) { f() },
		"ended":          func(func()) {},
		"busy": func(f func()) {
			done := make(chan struct{})
			time.Sleep(5 * time.Millisecond)
			queue <- func() { f(); close(done) }
			<-done
		},
	} {
		const rate, frames = 100, 4
		p := newPacer(rate, main)
		p.wait()
		start := time.Now()
		for range frames {
			if held := p.hold(); held != p.held || held == (name == "ended") {
				t.Fatalf("%s: is a frame held? %v", name, held)
			} else if held {
				p.release()
			} else {
				p.wait()
			}
		}
		if took := time.Since(start); took < frames*time.Second/rate-time.Second/rate/2 {
			t.Errorf("%s: %d frames took %v", name, frames, took)
		}
		if n := p.limiter.Stats().Waits; n < frames || n > frames+1 { // the latest is counted by the next
			t.Errorf("%s: %d waits in %d frames", name, n, frames)
		}
		p.close()
	}
}

func TestTheRateFollowsTheTicksWithinReason(t *testing.T) {
	for _, c := range []struct {
		fixed float64
		tps   int
		want  float64
	}{
		{0, 60, 60}, {0, 30, 30}, {0, 144, 144}, {0, 240, 240},
		{0, 29, 60}, {0, 241, 60}, {0, 0, 60}, {0, -1, 60}, {0, 100_000_000, 60},
		{59.94, 30, 59.94},
	} {
		p := newPacer(c.fixed, nil)
		if got := p.follow(c.tps); got != c.want || p.rate != c.want || p.limiter.Stats().Rate != c.want {
			t.Errorf("Rate %v and TPS %d: %v frames per second, the limiter has %v; want %v", c.fixed, c.tps, got, p.limiter.Stats().Rate, c.want)
		}
	}
}
