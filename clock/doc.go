// SPDX-License-Identifier: BSD-3-Clause

// Package clock is the fastest trustworthy monotonic clock of the machine, and a survey of all its clocks.
//
// Now costs one reading of the processor's counter: RDTSC on amd64, CNTVCT_EL0 on arm64. The counter is held to the
// operating system's monotonic clock by whoever passes about once a second; what it is off by is bent away, so time
// never steps back and never drifts. Use it for durations; use NowOrdered for stamps that other goroutines compare, and
// Ticks where even the conversion is too much. For wall time use package time.
//
// Describe tells what is read here and why; Probe examines any clock of Sources.
//
// # Units
//
// Instant is in nanoseconds since a zero of this process. Ticks are counter units; ToDuration converts differences.
//
// # Concurrency
//
// All functions are safe for concurrent use. Readings take no lock, allocate nothing and never wait for each other. The
// one that finds the second over takes some 10 us to anchor the clock anew, and one record of 200 bytes.
//
// # Accuracy and caveats
//
// Nothing happens at import. The first reading asks the system whether the counter can be trusted, about 0.1 ms; in the
// first millisecond the operating system's clock is served. Then Now keeps within some tens of ns of it.
//
// A counter that the processor or the kernel does not vouch for is not used. One that disagrees with the operating
// system by more than 1 ms at an anchor, because the machine slept or moved, is set right: forward at once, backward by
// running at half speed until time has caught up. Three such strikes, unless a quiet minute lies between, and the
// operating system's clock is served from then on. Describe tells.
//
// Time that the machine sleeps counts as the operating system counts it: not on Linux and macOS. On macOS without
// arm64, on 386, wasm, and with the build tag purego, Now is time.Since; on Windows without amd64 or arm64 it is
// QueryPerformanceCounter.
//
// Inside a testing/synctest bubble the counter is real while package time is faked: a loop that polls Now until a
// fake deadline never ends. Inject clocktest.Fake there instead.
package clock
