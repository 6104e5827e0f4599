// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"slices"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A reading is the counters at an instant.
type reading struct {
	at clock.Instant
	pressure.Reading
}

// readingsKept is how many readings of the counters are kept: those of some six seconds.
const readingsKept = 128

// read reads the counters.
func (w *watch) read() {
	if len(w.readings) == readingsKept {
		w.readings = slices.Delete(w.readings, 0, readingsKept/4)
	}
	w.readings = append(w.readings, reading{at: clock.NowOrdered()})
	w.pressure.Read(&w.readings[len(w.readings)-1].Reading)
}
