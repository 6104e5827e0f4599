// SPDX-License-Identifier: BSD-3-Clause

package rolling_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/rolling"
)

// This shows the smoothed cost of a step, for example in a corner of the screen.
func ExampleMean() {
	var cost rolling.Mean
	for _, d := range []time.Duration{2, 3, 4} {
		cost.Add(d * time.Millisecond)
	}
	fmt.Printf("%.3f ms over %d steps\n", cost.Mean()/1e6, cost.Len())
	// Output: 3.000 ms over 3 steps
}

// In a program the stamps are clock.Now(); here they are made up, so that they are always the same.
func ExampleRate() {
	var fps rolling.Rate
	start := clock.Instant(0)
	frame := func(i int) clock.Instant { return start.Add(time.Duration(i) * time.Second / 144) }
	for i := range 300 {
		fps.Mark(frame(i))
	}
	fmt.Printf("running: %.3f\n", fps.PerSecond(frame(300)))
	fmt.Printf("stopped: %.3f\n", fps.PerSecond(frame(300).Add(time.Second)))
	// Output:
	// running: 144.000
	// stopped: 0.000
}

// A shorter window follows changes sooner.
func ExampleRate_window() {
	requests := rolling.Rate{Window: 100 * time.Millisecond}
	var at clock.Instant
	for range 500 {
		at = at.Add(time.Millisecond)
		requests.Mark(at)
	}
	for range 30 {
		at = at.Add(4 * time.Millisecond)
		requests.Mark(at)
	}
	fmt.Printf("%.1f per second\n", requests.PerSecond(at))
	// Output: 250.0 per second
}

// Several goroutines add to one mean.
func ExampleMean_goroutines() {
	var cost struct {
		sync.Mutex
		rolling.Mean
	}
	var handlers sync.WaitGroup
	for range 5 {
		handlers.Add(1)
		go func() {
			defer handlers.Done()
			cost.Lock()
			defer cost.Unlock()
			cost.Add(2 * time.Millisecond)
		}()
	}
	handlers.Wait()
	fmt.Printf("%.1f ms over %d requests\n", cost.Mean.Mean()/1e6, cost.Len())
	// Output: 2.0 ms over 5 requests
}
