// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"testing"
	"time"

	"github.com/loov/hrtime"

	"github.com/strobe-go/strobe/clock"
)

// BenchmarkClock measures warm clocks: clocks that calibrate have done so before the first row.
func BenchmarkClock(b *testing.B) {
	for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; {
		keptInstant = clock.Now()
	}
	runRows(b, clockRows())
}

// Results are stored here, so that the compiler cannot remove readings.
var (
	keptTicks    uint64
	keptInstant  clock.Instant
	keptDuration time.Duration
	keptTime     time.Time
)

func clockRows() []row {
	bare := func(read func(b *testing.B)) func(b *testing.B) {
		return func(b *testing.B) {
			if !hasCounter {
				b.Skip("no counter that a user's program may read is known here")
			}
			read(b)
		}
	}
	begin, beganAt, hrBegan := clock.Now(), time.Now(), hrtime.Now()
	return []row{
		{"nothing", bare(func(b *testing.B) {
			for b.Loop() {
				keptTicks = nothing()
			}
		})},
		{"counter", bare(func(b *testing.B) {
			for b.Loop() {
				keptTicks = counter()
			}
		})},
		{"ordered-counter", bare(func(b *testing.B) {
			for b.Loop() {
				keptTicks = orderedCounter()
			}
		})},
		{"ordered-counter-in-ns", bare(func(b *testing.B) {
			for b.Loop() {
				keptDuration = time.Duration(orderedNs())
			}
		})},
		{"clock.Ticks", func(b *testing.B) {
			for b.Loop() {
				keptTicks = clock.Ticks()
			}
		}},
		{"clock.Now", func(b *testing.B) {
			for b.Loop() {
				keptInstant = clock.Now()
			}
		}},
		{"clock.Since", func(b *testing.B) {
			for b.Loop() {
				keptDuration = clock.Since(begin)
			}
		}},
		{"clock.NowOrdered", func(b *testing.B) {
			for b.Loop() {
				keptInstant = clock.NowOrdered()
			}
		}},
		{"time.Since", func(b *testing.B) {
			for b.Loop() {
				keptDuration = time.Since(beganAt)
			}
		}},
		{"time.Now", func(b *testing.B) {
			for b.Loop() {
				keptTime = time.Now()
			}
		}},
		{"hrtime.TSC", func(b *testing.B) {
			var kept hrtime.Count
			for b.Loop() {
				kept = hrtime.TSC()
			}
			keptTicks = uint64(kept)
		}},
		{"hrtime.Since", func(b *testing.B) {
			for b.Loop() {
				keptDuration = hrtime.Since(hrBegan)
			}
		}},
		{"clock_gettime-syscall", benchmarkSyscall},
	}
}
