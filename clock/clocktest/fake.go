// SPDX-License-Identifier: BSD-3-Clause

// Package clocktest has a fake clock and a conformance suite, for tests of code that reads clocks and waits.
//
// The fake differs from testing/synctest in that it moves on with every reading, so that a loop which polls the clock
// until a deadline ends, and in that it can misbehave as real clocks and sleeps do: oversleep, step back, be coarse.
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

// A Fake is a clock that stands still but for its readings and sleeps. The zero value starts at instant 0 and steps by
// 1 ns at each reading. Set the fields before first use.
type Fake struct {
	Step  time.Duration // what each reading moves the clock on by; 0 means 1 ns, negative means nothing
	Grain time.Duration // readings are rounded down to multiples of it, as of a coarse clock; 0 means none

	mu     sync.Mutex
	now    clock.Instant
	over   []time.Duration
	slept  []time.Duration
	reads  int
	onWake func()
}

// Now moves the clock on by Step and returns the instant.
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

// Sleep moves the clock on by d and by the next scripted oversleep. A sleep of 0 or less still takes its oversleep.
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

// Oversleep scripts by how much the coming sleeps wake late, over and over again. Without any, sleeps are exact.
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

// Advance moves the clock on by d, as work would; a negative d steps it back, as a faulty clock would.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// Slept returns what was asked of the sleeps so far, in order. The caller may keep it.
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
