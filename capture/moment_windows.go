// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"errors"
	"math"
	"runtime"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/gotrace"
)

// ticksPerStamp is how many ticks of the processor's counter the runtime takes for one step of a stamp on Windows, where its monotonic
// clock is too coarse for traces: traceTimeDiv of the runtime.
const ticksPerStamp = 256

// readMoment reads both clocks: the closest of three pairs. The time of traces is the program's, which has the same counter. The error says why
// the stamps of traces cannot be told.
func readMoment() (moment, error) {
	m := moment{at: clock.NowOrdered()}
	const many = 1 << 40
	tick := float64(clock.ToDuration(many)) / many // waits until the clock knows
	switch {
	case runtime.GOARCH != "amd64":
		return m, errors.New("its clock is unknown on windows/" + runtime.GOARCH)
	case !clock.Counting():
		return m, errors.New("it is stamped by the processor's counter, which cannot be trusted here: " + clock.Describe().Reason)
	}
	best, ticks := clock.Instant(math.MaxInt64), uint64(0)
	for range 3 {
		before := clock.NowOrdered()
		now := clock.TicksOrdered()
		if d := clock.NowOrdered() - before; d < best {
			best, m.at, ticks = d, before+d/2, now
		}
	}
	m.trace = gotrace.Time(m.at)
	m.stamps = &gotrace.Clock{Stamp: ticks / ticksPerStamp, Time: m.trace, Unit: ticksPerStamp * tick}
	return m, nil
}
