// SPDX-License-Identifier: BSD-3-Clause

// Package sim is the simulation that strobe demo measures: a flock of boids on a square that wraps around at its edges.
//
// Each boid sees those within a radius, avoids those that are too close, aligns with the others and stays with them
// (C. Reynolds, Flocks, Herds, and Schools, 1987). A tick finds the neighbours, steers and moves, each phase split over
// several goroutines; a census, taken by another goroutine at its own rate, counts the flocks. The same options give the same
// flight with any number of workers.
//
// Every operation is a zone of package strobe, on the lane of the calling goroutine. The workers have lanes of their own, since a
// worker is a different goroutine each time.
package sim

import (
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

// The square has sides of length 1, and speeds are in sides per second.
const (
	sight      = 1.0 / cells // how far a boid sees: the side of a cell of the grid
	elbow      = sight / 3   // closer than this is too close
	slow, fast = 0.05, 0.15
	step       = 1.0 / 60 // simulated time of a tick, in seconds, at any rate of ticks

	avoid, align, gather = 6.0, 2.0, 1.5 // strength of each rule, in 1/s
)

// Options say what is simulated. The zero value means 1200 boids, 4 workers and seed 0.
type Options struct {
	Boids   int    // size of the flock
	Workers int    // goroutines that share a phase of a tick
	Seed    uint64 // seed of the initial places and directions
}

// An Op names an operation in calls of Observe.
type Op string

// The operations. Neighbours, Steer and Move are parts of a Tick, each from the start of its first worker to the end of its
// last.
const (
	Tick       Op = "tick"
	Neighbours Op = "neighbours"
	Steer      Op = "steer"
	Move       Op = "move"
	Census     Op = "census"
)

// Ops lists the operations in the order in which to print them.
func Ops() []Op { return []Op{Tick, Neighbours, Steer, Move, Census} }

var (
	zoneTick       = strobe.NewZone(string(Tick))
	zoneNeighbours = strobe.NewZone(string(Neighbours))
	zoneSteer      = strobe.NewZone(string(Steer))
	zoneMove       = strobe.NewZone(string(Move))
	zoneCensus     = strobe.NewRootZone(string(Census)) // its calls are units, as the requests of a server
	zoneWork       = strobe.NewZone("work")             // a worker's part of a phase
	zoneJoin       = strobe.NewWaitZone("join")         // until the last worker is done
)

// Observe is called after each operation with its start and end, by the goroutine that ticks and by those that count, possibly
// at the same time. It may be nil.
type Observe func(op Op, start, end clock.Instant)

// time runs f in the zone and calls o.
func (o Observe) time(op Op, zone *strobe.Zone, f func()) {
	span, start := zone.Enter(), clock.Now()
	f()
	end := clock.Now()
	span.Exit()
	if o != nil {
		o(op, start, end)
	}
}

// A view is what a boid sees: sums over the boids within sight.
type view struct {
	n            float64
	place, speed vec // relative to the boid
	push         vec // away from those too close
}

// A World is a flock. One goroutine may call Tick while others call Census.
type World struct {
	lanes      []*strobe.Lane // of the workers
	pos, vel   []vec
	views      []view
	grid       grid
	observe    Observe
	mu         sync.Mutex
	seen, felt []vec // positions and velocities after the last tick, under mu
}

// New returns a flock at random places. The lanes of its workers exist until the process ends.
func New(o Options, observe Observe) *World {
	if o.Boids <= 0 {
		o.Boids = 1200
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	w := &World{
		pos:     make([]vec, o.Boids),
		vel:     make([]vec, o.Boids),
		views:   make([]view, o.Boids),
		observe: observe,
	}
	for k := range o.Workers {
		w.lanes = append(w.lanes, strobe.NewLane("worker "+strconv.Itoa(k+1)))
	}
	rng := rand.New(rand.NewPCG(o.Seed, 1987))
	for i := range w.pos {
		w.pos[i] = vec{rng.Float64(), rng.Float64()}
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		w.vel[i] = vec{slow * cos, slow * sin}
	}
	w.publish()
	return w
}

// Tick advances the flock by a sixtieth of a second of its own time.
func (w *World) Tick() {
	w.observe.time(Tick, zoneTick, func() {
		w.grid.sort(w.pos)
		w.split(Neighbours, zoneNeighbours, w.look)
		w.split(Steer, zoneSteer, w.steer)
		w.split(Move, zoneMove, w.move)
		w.publish()
	})
}

// split gives each worker its part of the boids and waits for all workers.
func (w *World) split(op Op, zone *strobe.Zone, f func(lo, hi int)) {
	w.observe.time(op, zone, func() {
		var all sync.WaitGroup
		for k, lane := range w.lanes {
			lo, hi := k*len(w.pos)/len(w.lanes), (k+1)*len(w.pos)/len(w.lanes)
			all.Add(1)
			go func() {
				defer all.Done()
				defer lane.Enter(zoneWork).Exit()
				f(lo, hi)
			}()
		}
		defer zoneJoin.Enter().Exit()
		all.Wait()
	})
}

func (w *World) look(lo, hi int) {
	for i := lo; i < hi; i++ {
		var v view
		for j := range w.grid.around(w.pos[i]) {
			if i == j {
				continue
			}
			d := between(w.pos[i], w.pos[j])
			r2 := d.x*d.x + d.y*d.y
			if r2 >= sight*sight {
				continue
			}
			v.n++
			v.place.x += d.x
			v.place.y += d.y
			v.speed.x += w.vel[j].x - w.vel[i].x
			v.speed.y += w.vel[j].y - w.vel[i].y
			if r2 < elbow*elbow {
				v.push.x -= d.x
				v.push.y -= d.y
			}
		}
		w.views[i] = v
	}
}

func (w *World) steer(lo, hi int) {
	for i := lo; i < hi; i++ {
		v := w.views[i]
		if v.n == 0 {
			continue
		}
		s := w.vel[i]
		s.x += step * (avoid*v.push.x + align*v.speed.x/v.n + gather*v.place.x/v.n)
		s.y += step * (avoid*v.push.y + align*v.speed.y/v.n + gather*v.place.y/v.n)
		if r := math.Hypot(s.x, s.y); r > fast {
			s.x, s.y = s.x*fast/r, s.y*fast/r
		} else if r < slow && r > 0 {
			s.x, s.y = s.x*slow/r, s.y*slow/r
		}
		w.vel[i] = s
	}
}

func (w *World) move(lo, hi int) {
	for i := lo; i < hi; i++ {
		w.pos[i] = vec{wrap(w.pos[i].x + step*w.vel[i].x), wrap(w.pos[i].y + step*w.vel[i].y)}
	}
}

func (w *World) publish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen[:0], w.pos...)
	w.felt = append(w.felt[:0], w.vel...)
}
