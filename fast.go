// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime/trace"
	"sync/atomic"

	"github.com/strobe-go/strobe/internal/stamp"
)

// fast is what stamp.Offset returned last, and 0 while enter must not go its short way: no lane was made yet, the clock's
// ticks are not the processor's counter, or spans are to become regions of Go's own trace.
var fast uint64

// refresh sets fast. It is called when a lane is made and with each snapshot, because the clock may have begun to trust the
// processor's counter, or given it up.
func refresh() {
	offset := stamp.Refresh()
	if laneTable.Load() == nil || tracing() {
		offset = 0
	}
	atomic.StoreUint64(&fast, offset)
}

// noRegions is set by SetTraceRegions(false).
var noRegions atomic.Bool

// tracing reports whether spans become regions of Go's own trace.
func tracing() bool { return trace.IsEnabled() && !noRegions.Load() }

// SetTraceRegions sets whether spans become regions of the same name in the Go execution trace while the tracer runs. They
// do by default, so that go tool trace shows zones beside the states of goroutines. A region costs many times what the span
// does, also while only a trace.FlightRecorder runs. Safe for concurrent use.
func SetTraceRegions(on bool) {
	noRegions.Store(!on)
	refresh()
}

// ticks returns the ticks of the clock.
func ticks() uint64 { return stamp.Ticks() }

// misuse counts what callers did wrong.
var misuse struct {
	twice, elsewhere, early, abandoned atomic.Uint64
}
