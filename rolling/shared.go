// SPDX-License-Identifier: BSD-3-Clause

package rolling

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A SharedMean is a Mean that is safe for concurrent use: each call takes a lock, and goroutines that add at the same
// moment wait for each other. The zero value is ready.
type SharedMean struct {
	// N is the number of durations that count; zero or negative means DefaultN. Set it before the first Add.
	N int

	mu   sync.Mutex
	mean Mean
}

// Add appends d; see Mean.Add.
func (s *SharedMean) Add(d time.Duration) {
	s.mu.Lock()
	s.mean.N = s.N
	s.mean.Add(d)
	s.mu.Unlock()
}

// Mean returns the mean in nanoseconds, 0 while there is none; see Mean.Mean.
func (s *SharedMean) Mean() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mean.Mean()
}

// Len returns how many durations the mean includes.
func (s *SharedMean) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mean.Len()
}

// A SharedRate is a Rate that is safe for concurrent use, by a lock as in SharedMean. Goroutines may read the clock and
// mark in different orders: a stamp that is older than the latest counts as equal to it. If the lock costs too much, give
// each goroutine its own Rate and add the results.
type SharedRate struct {
	// Window is how far back events count; zero or negative means DefaultWindow. Set it before the first Mark.
	Window time.Duration

	mu   sync.Mutex
	rate Rate
}

// Mark counts one event at instant t; see Rate.Mark.
func (s *SharedRate) Mark(t clock.Instant) {
	s.mu.Lock()
	s.rate.Window = s.Window
	s.rate.Mark(t)
	s.mu.Unlock()
}

// PerSecond returns events per second as of now; see Rate.PerSecond.
func (s *SharedRate) PerSecond(now clock.Instant) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rate.PerSecond(now)
}
