// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/gotrace"
)

// A moment is one point in time on two clocks.
type moment struct {
	at     clock.Instant
	trace  gotrace.Time   // on the clock of the runtime's traces
	stamps *gotrace.Clock // tells that time from the stamps of a trace; nil if the trace does
}
