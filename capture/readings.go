// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A reading is the counters at an instant.
type reading struct {
	at clock.Instant
	pressure.Reading
}

// readingsKept is how many readings of the counters are kept: those of the latest second or two, and ever fewer of
// the time before.
const readingsKept = 256

// read reads the counters.
func (w *watch) read() {
	if len(w.readings) == readingsKept {
		w.readings = thinnedOut(w.readings)
	}
	w.readings = append(w.readings, reading{at: clock.NowOrdered()})
	w.pressure.Read(&w.readings[len(w.readings)-1].Reading)
}

// thinnedOut leaves out readings that are close to a later one, for their age, and those that no unit can need.
func thinnedOut(all []reading) []reading {
	const part = 32 // of the age is close
	n := len(all)
	last := all[n-1].at
	first := n - 1 // of those that are kept, which move to the end
	for i := n - 2; i >= 0; i-- {
		if age := last.Sub(all[i].at); age < 2*longestAge && all[first].at.Sub(all[i].at) >= age/part {
			first--
			all[first] = all[i]
		}
	}
	return append(all[:0], all[first:]...)
}
