// SPDX-License-Identifier: BSD-3-Clause

// Package clocktest has a fake clock and a conformance suite, for tests of code that reads clocks and waits.
//
// Unlike testing/synctest, the fake clock advances with every reading, so that a loop that polls the clock until a deadline
// ends, and it can misbehave as real clocks and sleeps do: oversleep, step back, or be coarse.
//
// # Units
//
// Instants and durations as in package clock.
//
// # Concurrency
//
// A Fake is safe for concurrent use; the order in which goroutines read it is then the order of its steps.
package clocktest

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A Fake is a clock that advances only when it is read or slept on. The zero value starts at instant 0 and steps by 1 ns at
// each reading. Set the fields before first use.
type Fake struct {
	Step  time.Duration // by how much each reading advances the clock; 0 means 1 ns, negative means not at all
	Grain time.Duration // readings are rounded down to multiples of it, as of a coarse clock; 0 means none

	mu     sync.Mutex
	now    clock.Instant
	over   []time.Duration
	slept  []time.Duration
	reads  int
	onWake func()
}

// Now advances the clock by Step and returns the instant.
func (f *Fake) Now() clock.Instant {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	switch {
	case f.Step == 0:
		f.now++
	case f.Step > 0:
		f.now = f.now.Add(f.Step)
	}
	if f.Grain > 0 {
		return f.now - f.now%clock.Instant(f.Grain)
	}
	return f.now
}

// Sleep advances the clock by d and by the next value given to Oversleep, which also applies if d is 0 or less.
func (f *Fake) Sleep(d time.Duration) {
	f.mu.Lock()
	f.slept = append(f.slept, d)
	f.now = f.now.Add(max(d, 0))
	if len(f.over) > 0 {
		f.now = f.now.Add(f.over[0])
		f.over = append(f.over[1:], f.over[0])
	}
	wake := f.onWake
	f.mu.Unlock()
	if wake != nil {
		wake()
	}
}

// Oversleep sets by how much the following sleeps wake late, repeating the list. Without arguments sleeps are exact.
func (f *Fake) Oversleep(late ...time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = append([]time.Duration(nil), late...)
}

// OnWake sets a function that each Sleep calls before it returns; nil for none.
func (f *Fake) OnWake(wake func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onWake = wake
}

// Advance advances the clock by d, as work would; a negative d steps it back, as a faulty clock would.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// Slept returns the durations passed to Sleep so far, in order. The caller may keep it.
func (f *Fake) Slept() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]time.Duration(nil), f.slept...)
}

// Reads returns how often the clock has been read.
func (f *Fake) Reads() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reads
}
