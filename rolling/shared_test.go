// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func TestSharedFormsCountEveryGoroutine(t *testing.T) {
	rate, mean := SharedRate{Window: time.Second}, SharedMean{N: 1000}
	var now atomic.Int64 // a clock of 1 us a reading, shared by all
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 5000 {
				rate.Mark(clock.Instant(now.Add(1000)))
				mean.Add(250)
				if got := rate.PerSecond(clock.Instant(now.Load())); got < 0 {
					t.Error("negative rate")
				}
				mean.Mean()
			}
		}()
	}
	wg.Wait()
	// The first stamp to be marked need not be the first taken, and the last neither: a few in 20000.
	if got := rate.PerSecond(clock.Instant(now.Load())); got < 0.98e6 || got > 1.02e6 {
		t.Errorf("20000 events in 20 ms read %v a second", got)
	}
	if mean.Mean() != 250 || mean.Len() != 1000 {
		t.Errorf("mean %v of %d", mean.Mean(), mean.Len())
	}
}

func TestSharedRateHasTheWindowItWasGiven(t *testing.T) {
	shared, owned := SharedRate{Window: 50 * time.Millisecond}, Rate{Window: 50 * time.Millisecond}
	for i := range clock.Instant(3000) { // 10 kHz, then 20
		at := i * 100_000
		if i > 2000 {
			at = 200_000_000 + (i-2000)*50_000
		}
		shared.Mark(at)
		owned.Mark(at)
		if a, b := shared.PerSecond(at), owned.PerSecond(at); a != b {
			t.Fatalf("event %d: %v, want %v", i, a, b)
		}
	}
	shared, owned = SharedRate{Window: time.Millisecond}, Rate{Window: time.Millisecond}
	for i := range clock.Instant(5000) { // never read meanwhile
		shared.Mark(i * i)
		owned.Mark(i * i)
	}
	if a, b := shared.PerSecond(4999*4999), owned.PerSecond(4999*4999); a != b {
		t.Errorf("%v, want %v", a, b)
	}
}

func BenchmarkSharedRateMark(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		var r SharedRate
		var at clock.Instant
		for b.Loop() {
			at += 1000
			r.Mark(at)
		}
	})
	b.Run("contended", func(b *testing.B) {
		var r SharedRate
		b.RunParallel(func(pb *testing.PB) {
			var at clock.Instant
			for pb.Next() {
				at += 1000
				r.Mark(at)
			}
		})
	})
}
