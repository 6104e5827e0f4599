// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "slices"

// A skipper is a lane that has called sampled zones and sleeps. A call that is skipped does not look at its lane, so it does not
// wake it. Each pass compares the number of skipped calls instead.
type skipper struct {
	lane    *Lane
	skipped uint64 // when the lane was read
}

// addSkipper adds a lane that is put to sleep, unless it has called no sampled zone or is there already.
func (w *watch) addSkipper(l idleLane) {
	if k := &w.lanes[l.id]; !k.skips && l.samplings.Load() != nil {
		k.skips = true
		w.skippers = append(w.skippers, skipper{l.Lane, l.skipped})
	}
}

// rouse makes this pass read the lanes on which calls were skipped while they slept.
func (w *watch) rouse() {
	w.roused = w.roused[:0]
	w.skippers = slices.DeleteFunc(w.skippers, func(s skipper) bool {
		if s.lane.skipped() == s.skipped {
			return false
		}
		w.lanes[s.lane.id].skips = false
		w.roused = append(w.roused, s.lane)
		return true
	})
	if len(w.roused) == 0 {
		return
	}
	lanes.Lock()
	defer lanes.Unlock()
	for _, l := range w.roused {
		if !l.awake {
			l.awake = true
			lanes.awake = append(lanes.awake, l)
		}
	}
}
