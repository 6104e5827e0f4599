// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A reading is the counters at an instant.
type reading struct {
	due  clock.Instant // when it should have begun; 0 if at
	at   clock.Instant // when it began
	took time.Duration
	pressure.Reading
}

// readingsKept is how many readings of the counters are kept: those of the latest second or two, and ever fewer of
// the time before.
const readingsKept = 256

// interrupted is how long a reading takes at least if something came between its beginning and its end, so that nothing tells when its
// counters were as they are.
const interrupted = 200 * time.Microsecond

// read reads the counters, again if it was interrupted.
func (w *watch) read() {
	if len(w.readings) == readingsKept {
		w.readings = thinnedOut(w.readings)
	}
	w.readings = append(w.readings, reading{due: w.due})
	w.due = 0
	r := &w.readings[len(w.readings)-1]
	for range 3 {
		r.at = clock.NowOrdered()
		w.pressure.Read(&r.Reading)
		r.took = clock.NowOrdered().Sub(r.at)
		if w.quickest == 0 || r.took < w.quickest {
			w.quickest = r.took
		}
		if r.took < max(interrupted, 4*w.quickest) { // it takes longer where there are many control groups, or in an emulator
			return
		}
	}
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
