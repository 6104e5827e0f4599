// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime/trace"
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/stamp"
)

// fast is the last result of stamp.Offset. It is 0 while enter must not take its fast path: no lane has been made yet, the
// clock's ticks are not those of the processor's counter, or spans must become regions of the Go execution trace.
var fast uint64

// refresh sets fast. It is called when a lane is made and with each snapshot, because the clock may have started or stopped
// trusting the processor's counter.
func refresh() {
	offset := stamp.Refresh()
	if laneTable.Load() == nil || tracing() {
		offset = 0
	}
	atomic.StoreUint64(&fast, offset)
}

// noRegions is set by SetTraceRegions(false).
var noRegions atomic.Bool

// tracing reports whether spans become regions of the Go execution trace.
func tracing() bool { return trace.IsEnabled() && !noRegions.Load() }

// SetTraceRegions sets whether spans become regions of the same name in the Go execution trace while the tracer runs. They
// do by default, so that go tool trace shows zones next to the states of goroutines. A region costs many times as much as the
// span, even if only a trace.FlightRecorder is running. SetTraceRegions returns the previous setting. Safe for concurrent use.
func SetTraceRegions(on bool) (before bool) {
	before = !noRegions.Swap(!on)
	refresh()
	return before
}

// ticks returns the ticks of the clock.
func ticks() uint64 { return stamp.Ticks() }
