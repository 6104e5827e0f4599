// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"time"
)

// A duty says when the flight recorder and the records of switches rest: each event takes the program a little time, and there may be too many.
type duty struct {
	since   time.Time // when the recorder began to work, or to rest
	resting bool
	asked   time.Time     // when the size was measured; zero: not since then
	price   float64       // of a byte of the trace, in s of processor time
	cost    float64       // share of a processor while the recorder works; 0: not known yet
	pause   time.Duration // how long it is to rest after each turn; 0: not at all

	looked time.Time     // the latest time that is in worked
	worked time.Duration // in all
}

const (
	shift        = 5 * time.Second  // of work, before a rest
	first        = 2 * time.Second  // after which the size is measured: it then has the latest second
	again        = 30 * time.Second // after which it is measured again
	longestPause = 10 * time.Minute // rest
)

// due reports whether the size of the window is to be measured.
func (d *duty) due(now time.Time) bool {
	return d.asked.IsZero() && now.Sub(d.since) >= first || !d.asked.IsZero() && now.Sub(d.asked) >= again
}

// measured notes the size of the window, how long it is, and what the records of switches cost.
func (d *duty) measured(now time.Time, bytes int, window time.Duration, switching float64) {
	d.asked = now
	d.cost = float64(bytes)*d.price/max(window, time.Millisecond).Seconds() + switching
}

// limit sets how long the recorder is to rest, so that events take no more than a share of a processor.
func (d *duty) limit(share float64) {
	d.pause = 0
	if d.cost > share {
		d.pause = min(longestPause, time.Duration(float64(shift)*(d.cost/share-1)))
	}
}

// look adds up how long the recorder works.
func (d *duty) look(now time.Time) {
	if !d.looked.IsZero() && !d.resting {
		d.worked += now.Sub(d.looked)
	}
	d.looked = now
}

// spent returns the processor time that the program has spent on events; 0 if that is not known yet.
func (d *duty) spent() time.Duration { return time.Duration(d.cost * float64(d.worked)) }

// tired reports whether the recorder has worked long enough.
func (d *duty) tired(now time.Time) bool { return d.pause > 0 && now.Sub(d.since) >= shift }

// rest begins a rest.
func (d *duty) rest(now time.Time) { d.since, d.resting = now, true }

// rested ends a rest that was long enough.
func (d *duty) rested(now time.Time) bool {
	if now.Sub(d.since) < d.pause {
		return false
	}
	d.since, d.resting, d.asked = now, false, time.Time{}
	return true
}

// degree says that the recorder rests at times; "" if it does not.
func (d *duty) degree(share float64) string {
	if d.pause == 0 {
		return ""
	}
	return fmt.Sprintf("the flight recorder and the records of switches work for %s and rest for %s in turn, since they would take some %.2g %% of a processor and Options.Cost is %g; slow units meanwhile are only counted",
		short(shift), short(d.pause), 100*d.cost, share)
}
