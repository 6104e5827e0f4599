// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func TestSlowIsWhatTakesLongerThanTheBudgetAndTheMedian(t *testing.T) {
	r := new(root)
	for range warm + 1 {
		r.add(turn{took: 10 * time.Millisecond})
	}
	r.settle()
	for _, tt := range []struct {
		took, budget time.Duration
		want         bool
	}{
		{15 * time.Millisecond, 0, false},
		{15*time.Millisecond + 1, 0, true},
		{10*time.Millisecond + 500*time.Microsecond, 10 * time.Millisecond, false}, // not a millisecond longer than the median
		{11 * time.Millisecond, 10 * time.Millisecond, true},
		{19 * time.Millisecond, 20 * time.Millisecond, false},
	} {
		if got := r.slow(tt.took, &Options{Budget: tt.budget, Factor: 1.5}); got != tt.want {
			t.Errorf("%v with a budget of %v: %v", tt.took, tt.budget, got)
		}
	}
}

// With a budget the first units may be slow. They are not compared with themselves: what is usual is not known yet.
func TestWhatIsUsualIsKnownFromUnitsBefore(t *testing.T) {
	w := newWatch(Options{Budget: 50 * time.Millisecond}.withDefaults())
	defer w.release()
	r := w.root(rootKey{"young", false}, 0)
	for i := range 3 {
		w.add(r, turn{took: time.Duration(100*(i+1)) * time.Millisecond}, nil)
	}
	if len(w.slow) != 3 {
		t.Fatalf("%d slow units", len(w.slow))
	}
	for i := range w.slow {
		if c := &w.slow[i]; c.usual != 0 || c.excess() != c.turn.took {
			t.Errorf("%v is usual, and %v of %v more than that", c.usual, c.excess(), c.turn.took)
		}
	}
	for range warm {
		w.add(r, turn{took: time.Millisecond}, nil)
	}
	w.slow = w.slow[:0]
	if w.add(r, turn{took: 100 * time.Millisecond}, nil); len(w.slow) != 1 || w.slow[0].usual != time.Millisecond {
		t.Errorf("%+v: want a unit to which 1 ms is usual", w.slow)
	}
}

func TestOrdinaryUnitsAreThoseNearTheMedian(t *testing.T) {
	r := new(root)
	for i, took := range []time.Duration{10, 10, 12, 13, 10, 200, 10} {
		r.add(turn{from: clock.Instant(i), took: took})
	}
	r.settle()
	var from []clock.Instant
	for _, u := range r.ordinary(1, 1000, 3) {
		from = append(from, u.from)
	}
	if len(from) != 3 || from[0] != 6 || from[1] != 4 || from[2] != 2 {
		t.Errorf("%v, want those that began at 6, 4 and 2: the others took longer, or began before", from)
	}
}
