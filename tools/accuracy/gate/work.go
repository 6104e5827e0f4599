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

// measureUnit returns the time of a step of work, ns: the least of several.
func measureUnit() float64 {
	const steps = 100000
	least := math.Inf(1)
	for range 200 {
		start := time.Now()
		runtime.KeepAlive(work(steps))
		least = min(least, float64(time.Since(start))/steps)
	}
	return least
}
