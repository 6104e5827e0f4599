// SPDX-License-Identifier: BSD-3-Clause

// Package neighbour tells whether something else uses the physical core on which the calling thread runs.
//
// Many processors are halves of a core. While the other half works, which on a virtual machine may be the processor of another
// machine, work that keeps the units of the core busy takes about twice as long. No count of the kernel shows that. [Spin] runs such
// work, always the same, and a [Watch] compares how long it took with the fastest so far: the core was [Alone] or [Shared], or the
// thread was [Away]. The answer depends on nothing but the spins, so it can set measurements apart without favouring any.
//
// # What it cannot tell
//
// A core that was never alone while it was watched looks as if it always was: the fastest spin is the measure. A processor that
// lowers its frequency by a quarter or more, or a host that limits the machine's time in slices shorter than a spin, looks like a
// neighbour. A spin says nothing about memory and caches, which processors share too, nor about the time between two spins: a core may
// be alone for a fraction of a millisecond at a time, so measure between two spins for less than that.
//
// Work that waits for memory, or whose instructions wait for each other, loses less than a spin does when the core is shared.
//
// # Concurrency
//
// Lock the goroutine to its thread, so that one core is watched. [Spin] is safe for concurrent use, a [Watch] is not.
package neighbour
