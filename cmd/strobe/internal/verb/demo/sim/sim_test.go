// SPDX-License-Identifier: BSD-3-Clause

package sim

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

func TestFlightDoesNotDependOnWorkers(t *testing.T) {
	one, many := New(Options{Boids: 500, Workers: 1}, nil), New(Options{Boids: 500, Workers: 7}, nil)
	for range 100 {
		one.Tick()
		many.Tick()
	}
	if !slices.Equal(one.pos, many.pos) || !slices.Equal(one.vel, many.vel) {
		t.Error("one worker and seven fly differently")
	}
	if other := New(Options{Boids: 500, Seed: 1}, nil); slices.Equal(other.pos, New(Options{Boids: 500}, nil).pos) {
		t.Error("the seed changes nothing")
	}
}

func TestBoidsStayOnTheSquareAndKeepTheirSpeed(t *testing.T) {
	w := New(Options{Boids: 800}, nil)
	for range 200 {
		w.Tick()
		for i, p := range w.pos {
			if !(p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1) {
				t.Fatalf("boid %d at %v", i, p)
			}
			if s := math.Hypot(w.vel[i].x, w.vel[i].y); s < slow*(1-1e-9) || s > fast*(1+1e-9) {
				t.Fatalf("boid %d flies at %v", i, s)
			}
		}
	}
}

func TestBoidsComeToFlyTogether(t *testing.T) {
	w := New(Options{Boids: 1000}, nil)
	before := w.Census()
	for range 300 {
		w.Tick()
	}
	after := w.Census()
	if before.Boids != 1000 || after.Boids != 1000 {
		t.Errorf("%d boids became %d", before.Boids, after.Boids)
	}
	if before.Alignment > 0.2 || after.Alignment < 0.8 {
		t.Errorf("alignment went from %.3f to %.3f", before.Alignment, after.Alignment)
	}
}

func TestCrowdedBoidsPartAndDistantOnesGather(t *testing.T) {
	gap := func(d float64) float64 {
		w := New(Options{Boids: 2}, nil)
		w.pos[0], w.pos[1] = vec{0.999, 0.5}, vec{wrap(0.999 + d), 0.5} // across the edge
		w.vel[0], w.vel[1] = vec{0, slow}, vec{0, slow}
		for range 10 {
			w.Tick()
		}
		return between(w.pos[0], w.pos[1]).x
	}
	if near := elbow / 2; gap(near) <= near {
		t.Errorf("two boids %v apart came to %v", near, gap(near))
	}
	if far := sight * 0.9; gap(far) >= far {
		t.Errorf("two boids %v apart came to %v", far, gap(far))
	}
	if beyond := sight * 1.1; gap(beyond) != beyond && math.Abs(gap(beyond)-beyond) > 1e-12 {
		t.Errorf("two boids out of sight moved from %v to %v", beyond, gap(beyond))
	}
}

func TestNeighboursAreThoseOfABruteSearch(t *testing.T) {
	w := New(Options{Boids: 700, Seed: 9}, nil)
	w.grid.sort(w.pos)
	w.look(0, len(w.pos))
	for i, p := range w.pos {
		n := 0.0
		for j, q := range w.pos {
			dx, dy := math.Abs(p.x-q.x), math.Abs(p.y-q.y)
			dx, dy = min(dx, 1-dx), min(dy, 1-dy)
			if i != j && math.Hypot(dx, dy) < sight {
				n++
			}
		}
		if w.views[i].n != n {
			t.Fatalf("boid %d sees %v, not %v", i, w.views[i].n, n)
		}
	}
}

func TestCensusCountsFlocks(t *testing.T) {
	link := sight * 0.4
	pos := []vec{
		{0.99, 0.2}, {wrap(0.99 + link), 0.2}, {wrap(0.99 + 2*link), 0.2}, // a chain across the edge
		{0.5, 0.5}, {0.5, 0.5 + link},
		{0.7, 0.9}, // alone
	}
	east, west := vec{1, 0}, vec{-1, 0}
	got := count(pos, []vec{east, east, east, east, west, west})
	if want := (Count{Boids: 6, Flocks: 2, Largest: 3, Alignment: 1.0 / 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := count(nil, nil); got != (Count{}) {
		t.Errorf("nobody: %+v", got)
	}
}

func TestObserveSeesEveryOperation(t *testing.T) {
	var mu sync.Mutex
	seen := map[Op]int{}
	w := New(Options{Boids: 100, Workers: 3}, func(op Op, start, end clock.Instant) {
		mu.Lock()
		defer mu.Unlock()
		seen[op]++
		if end < start {
			t.Errorf("%s ended %v before it began", op, start.Sub(end))
		}
	})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for range 5 {
			w.Census()
		}
	}()
	for range 10 {
		w.Tick()
	}
	wg.Wait()
	want := map[Op]int{Tick: 10, Neighbours: 10, Steer: 10, Move: 10, Census: 5}
	for _, op := range Ops() {
		if seen[op] != want[op] {
			t.Errorf("%s seen %d times, want %d", op, seen[op], want[op])
		}
	}
}

func TestEveryOperationIsAZone(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("built with strobe_off")
	}
	before := strobe.TakeSnapshot()
	w := New(Options{Boids: 100, Workers: 3}, nil)
	for range 10 {
		w.Tick()
	}
	w.Census()
	now := strobe.TakeSnapshot()
	got := map[string]profile.ZoneStats{}
	workers := 0
	s := now.Sub(before)
	for _, z := range s.Totals() {
		got[s.Zones[z.Zone].Name] = z
	}
	for name, want := range map[string]uint64{"tick": 10, "neighbours": 10, "steer": 10, "move": 10, "census": 1, "work": 90, "join": 30} {
		if got[name].Calls != want || got[name].Open != 0 {
			t.Errorf("%s: %d calls, %d open, want %d", name, got[name].Calls, got[name].Open, want)
		}
	}
	for _, l := range s.Lanes[len(before.Lanes):] {
		if len(l.Zones) == 1 && l.Zones[0].Calls == 30 && strings.HasPrefix(l.Name, "worker ") {
			workers++
		}
	}
	if workers != 3 {
		t.Errorf("%d lanes of workers", workers)
	}
}

// A census is a unit, so that the page of the demonstration has one beside its loops.
func TestACensusIsAUnit(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("built with strobe_off")
	}
	New(Options{Boids: 20, Workers: 1}, nil).Census()
	s := strobe.TakeSnapshot()
	for _, u := range s.Units {
		if s.Zones[u.Zone].Name == string(Census) && u.Calls > 0 {
			return
		}
	}
	t.Errorf("units %+v", s.Units)
}

func TestWrapStaysBelowOne(t *testing.T) {
	for _, x := range []float64{0, 0.5, 1, -1e-30, 1.25, -0.25, math.Nextafter(1, 0)} {
		if got := wrap(x); !(got >= 0 && got < 1) {
			t.Errorf("wrap(%v) = %v", x, got)
		}
	}
}

func BenchmarkTick(b *testing.B) {
	w := New(Options{}, nil)
	for b.Loop() {
		w.Tick()
	}
}
