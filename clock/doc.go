// SPDX-License-Identifier: BSD-3-Clause

// Package clock provides a fast and reliable monotonic clock, and examines all clocks of the machine.
//
// Most callers need only Now and Since, which measure durations. Use NowOrdered for instants that several goroutines compare.
// Avoid Ticks unless even the conversion to nanoseconds costs too much, and use package time for the time of day and for
// instants that other processes read.
//
// Now costs one reading of the processor's counter: RDTSC on amd64, CNTVCT_EL0 on arm64. About once a second, the goroutine that
// happens to read the clock compares the counter with the operating system's monotonic clock and corrects the rate. The error is
// corrected gradually, so that the time does not jump.
//
// Describe reports what Now reads and why. Probe examines any of the clocks that Sources lists.
//
// # Units
//
// An Instant is in nanoseconds since a zero that belongs to this process. Ticks are in units of the counter; ToDuration
// converts their differences.
//
// # Concurrency
//
// All functions are safe for concurrent use. Readings take no lock, do not allocate and never wait for each other. Once a
// second one reading takes some microseconds longer, to compare the clocks, and allocates; every 10 s it also asks the
// kernel whether it still trusts the counter.
//
// # Ordering across goroutines and processors
//
// On one goroutine Now never goes back, and neither does NowOrdered. A processor may execute the reading of Now before
// instructions that precede it, so Now may return an instant some tens of nanoseconds earlier than one that another
// goroutine has already published. NowOrdered waits for what precedes it: an instant published before the call is never
// later than its result.
//
// Both statements assume that the counters of all processors agree, as the processor and the kernel say they do. If they differ,
// and the goroutines that compare them with the operating system's clock run now on one processor and now on another, the counter
// is no longer used: within seconds if they differ by far more than 10 µs, and within some minutes if by 1 µs or more, where the
// processor tells its number, as nearly all amd64 ones do. Until then, and always if the difference is smaller than 0.5 µs, a goroutine
// that moves to another processor may read an instant that is earlier by as much. Probe counts such readings.
//
// # Accuracy and caveats
//
// Nothing happens at import. The first reading asks the system whether the counter can be trusted, which takes a
// fraction of a millisecond. For the first millisecond the operating system's clock is served. From then on Now stays within some tens of
// nanoseconds of it.
//
// A counter is used only if the processor and the kernel declare it reliable, and no longer once the kernel revokes that. An
// error of more than 1 ms, plus 0.5 ms for each second since the last comparison, counts as a strike: the machine slept, or the
// process moved to another one. The clock is then corrected: forward at once, backward by running at half speed until the time is
// right. The third strike ends the use of the counter, unless a minute without a strike has passed in between. Describe reports
// it.
//
// All this also holds for programs that read the clock rarely, with one exception: a counter that has stopped is detected only
// when the time to the next comparison, at most a second, has passed on that counter.
//
// Time during which the machine sleeps is counted as the operating system does: Linux and macOS do not count it. On macOS without
// arm64, on 386 and wasm, and with the build tag purego, Now reads time.Since; on Windows without amd64 or arm64 it reads
// QueryPerformanceCounter.
//
// In a testing/synctest bubble Now reads real time while package time is faked: a loop that polls Now until a fake deadline does
// not end when the fake clock reaches it. Inject clocktest.Fake there instead. On systems other than Linux, macOS, FreeBSD and
// Windows, where Now is time.Since, it returns the bubble's time in a bubble.
package clock
