// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"math"
	"time"
)

// The price of a byte of the runtime's trace is measured: what a round trip between two goroutines takes longer while the flight
// recorder works, divided by the bytes that its six events take. Of many batches of trips, the quickest was not interrupted.
const (
	tripBytes = 31
	trips     = 50 // in a batch
	batches   = 20
	deep      = 8 // functions below those of the goroutines: the runtime writes their stacks, too
)

// The price is between these, whatever is measured, in s for a byte; the second is assumed if nothing can be measured.
const (
	leastPrice   = 3e-9
	assumedPrice = 30e-9
	mostPrice    = 300e-9
)

// What it takes for a thread that leaves its processor and comes back to be recorded: with records of whole processors, and with events of each
// thread. BenchmarkSwitch of package switches found this on a virtual machine; to measure it at each start would take threads that wait for each
// other, for long where the processors are busy.
const (
	switchOfProcessor = 900 * time.Nanosecond
	switchOfThread    = 4 * time.Microsecond
	switchWindow      = 100 * time.Millisecond // in which they are counted
)

// eventPrice returns the processor time that a byte of the trace costs the program, in s, of round trips without and with the recorder.
func eventPrice(without, with time.Duration) float64 {
	if without <= 0 || with <= without { // the clock is too coarse
		return assumedPrice
	}
	return min(mostPrice, max(leastPrice, (with-without).Seconds()/trips/tripBytes))
}

// quickest returns how long the quickest batch of round trips took.
func quickest() time.Duration {
	in, out := make(chan int), make(chan int)
	defer close(in)
	go below(deep, func() {
		for n := range in {
			out <- n
		}
	})
	least := time.Duration(math.MaxInt64)
	below(deep, func() {
		for range batches {
			began := time.Now()
			for range trips {
				in <- 1
				<-out
			}
			least = min(least, time.Since(began))
		}
	})
	return least
}

//go:noinline
func below(functions int, f func()) {
	if functions == 0 {
		f()
		return
	}
	below(functions-1, f)
}
