// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"runtime"
	"time"
)

// work takes time in proportion to the number of steps; packages with planted slowdowns have a copy.
//
//go:noinline
func work(steps int) (x uint64) {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// chain is work that begins with the result of the call before it, so that short calls do not overlap.
//
//go:noinline
func chain(x uint64, steps int) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

var sink uint64

// A speed is that of the machine.
type speed struct {
	unit float64 // ns of a step of work
	call float64 // ns of a call of chain apart from its steps
}

// measureSpeed returns the least of several times.
func measureSpeed() speed {
	const steps, calls, few = 100000, 10000, 8
	step, call := math.Inf(1), math.Inf(1)
	for range 400 {
		start := time.Now()
		runtime.KeepAlive(work(steps))
		step = min(step, float64(time.Since(start))/steps)
		start = time.Now()
		for range calls {
			sink = chain(sink, few)
		}
		call = min(call, float64(time.Since(start))/calls)
	}
	return speed{step, max(0, call-few*step)}
}
