// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A published instant, in a cache line of its own, and the latest readings of the goroutine that publishes it.
type publisher struct {
	_    [64]byte
	ns   atomic.Int64
	_    [56]byte
	n    uint64
	kept [1 << 10]reading

	epochs int // changes that were seen
}

// A reading is a result of NowOrdered, and the epoch that was valid just before.
type reading struct {
	ns int64
	e  *epoch
}

// A stepBack is a reading before an instant that another goroutine had published.
type stepBack struct {
	by        int64
	ours      reading
	after     *epoch  // valid after our reading
	theirs    reading // the published reading; zero if it is no longer kept
	then      *epoch  // valid at their next reading
	processor int     // ours, just after; -1 if unknown
	since     int64   // time.Since, just after: a second clock
}

// String describes both readings, with the counter values that their epochs imply. If the counter went back, the counters of the
// processors differ; if not, the conversion is wrong.
func (s stepBack) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "read %d, %d ns before a published instant; processor %d; time.Since %d", s.ours.ns, s.by, s.processor, s.since)
	for _, r := range []struct {
		who   string
		at    reading
		after *epoch
	}{{"ours", s.ours, s.after}, {"theirs", s.theirs, s.then}} {
		if r.at.e == nil {
			fmt.Fprintf(&b, "\n  %s: not kept", r.who)
			continue
		}
		for _, e := range []*epoch{r.at.e, r.after} {
			if e != nil {
				fmt.Fprintf(&b, "\n  %s: tick %d by the epoch of mode %d, base %d, off %d, rate %g, %d strikes, %d steps",
					r.who, e.tickAt(r.at.ns), e.mode, e.base, e.off, e.rate, e.strikes, e.steps)
			}
		}
	}
	return b.String()
}

// slope returns the rate of the line in ns per tick.
func (l line) slope() float64 { return float64(l.mult) / (1 << 32) }

// tickAt returns the tick at which e, or the line before it, reads ns, to within the rounding of a nanosecond.
func (e *epoch) tickAt(ns int64) uint64 {
	l := e.line
	if ns < l.off && e.before.mult != 0 {
		l = e.before
	}
	if l.mult == 0 {
		return 0
	}
	return l.base + uint64(int64(float64(ns-l.off)/l.slope()))
}

// soak lets two goroutines read NowOrdered and compare it with what the other has published. It returns the numbers of readings
// and epochs, and up to 100 steps back.
func soak(span time.Duration) (readings uint64, epochs int, steps []stepBack) {
	end := time.Now().Add(span)
	var sides [2]publisher
	for len(steps) < 100 && time.Now().Before(end) {
		var stop atomic.Bool
		var found [2]*stepBack
		var wg sync.WaitGroup
		for i := range sides {
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer stop.Store(true)
				found[i] = sides[i].watch(&sides[1-i], &stop, end)
			}()
		}
		wg.Wait()
		for i, s := range found {
			if s != nil {
				s.theirs, s.then = sides[1-i].lookUp(s.ours.ns + s.by)
				steps = append(steps, *s)
			}
		}
	}
	return sides[0].n + sides[1].n, max(sides[0].epochs, sides[1].epochs), steps
}

// watch publishes readings until the other stops, the time is over, or a reading lies before what the other has published.
func (p *publisher) watch(other *publisher, stop *atomic.Bool, end time.Time) *stepBack {
	for !stop.Load() && time.Now().Before(end) {
		for range 1 << 14 {
			seen := other.ns.Load()
			e := master.load()
			now := int64(NowOrdered())
			if latest := &p.kept[(p.n-1)%uint64(len(p.kept))]; latest.e != e {
				p.epochs++
			}
			p.kept[p.n%uint64(len(p.kept))] = reading{now, e}
			p.n++
			if now < seen {
				return &stepBack{by: seen - now, ours: reading{now, e}, after: master.load(), processor: onProcessor(), since: reference()}
			}
			p.ns.Store(now)
			if stop.Load() {
				return nil
			}
		}
	}
	return nil
}

// lookUp returns the reading that was ns, and the epoch at the next one.
func (p *publisher) lookUp(ns int64) (r reading, then *epoch) {
	for i := range p.kept {
		if p.kept[i].ns == ns {
			return p.kept[i], p.kept[(i+1)%len(p.kept)].e
		}
	}
	return reading{}, nil
}

// onProcessor returns the number of the processor that runs the caller, where the system tells.
var onProcessor = func() int { return -1 }

// STROBE_SOAK=20m makes it last; by default it only shows that the test works. Epochs change once a second, in the second half
// every 100 µs, so that faults at a change occur often.
func TestNowOrderedNeverLiesBeforeAPublishedInstant(t *testing.T) {
	span := 200 * time.Millisecond
	if s := os.Getenv("STROBE_SOAK"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatalf("STROBE_SOAK: %v", err)
		}
		span = d
	}
	usual := spans
	defer func() { spans = usual }()
	Now()
	for _, every := range []int64{0, ms / 10} {
		if every != 0 {
			for i := range spans {
				spans[i] = every
			}
			for e := master.load(); e.mode == running && master.load() == e; time.Sleep(time.Millisecond) { // epochs have their usual length
				Now()
			}
		}
		n, epochs, steps := soak(span / 2)
		for _, s := range steps {
			t.Error(s)
		}
		t.Logf("%d readings in %d epochs, %d before a published instant; %+v", n, epochs, len(steps), master.load().info(int64(Now())))
	}
}
