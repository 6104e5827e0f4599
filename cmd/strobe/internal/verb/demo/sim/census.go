// SPDX-License-Identifier: BSD-3-Clause

package sim

import (
	"math"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe"
)

// A Count is what a census finds.
type Count struct {
	Boids     int
	Flocks    int     // groups of two or more in which each boid is within half the sight of another
	Largest   int     // boids in the largest group
	Alignment float64 // mean cosine between the directions of two boids that close: 0 for random directions, 1 for a common one
}

// Census is Flocks, measured as an operation.
func (w *World) Census() (c Count) {
	w.observe.time(Census, zoneCensus, func() {
		c = w.Flocks()
		strobe.Note("flocks", strconv.Itoa(c.Flocks))
	})
	return c
}

// Flocks counts the flocks as of the last tick. It is safe for concurrent use, also during a tick.
func (w *World) Flocks() Count {
	w.mu.Lock()
	pos, vel := slices.Clone(w.seen), slices.Clone(w.felt)
	w.mu.Unlock()
	return count(pos, vel)
}

func count(pos, vel []vec) Count {
	c := Count{Boids: len(pos)}
	var g grid
	g.sort(pos)
	up := make([]int, len(pos)) // leads towards the first boid of the group
	for i := range up {
		up[i] = i
	}
	root := func(i int) int {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	pairs, cosines := 0, 0.0
	for i, p := range pos {
		for j := range g.around(p) {
			if d := between(p, pos[j]); j > i && d.x*d.x+d.y*d.y < sight*sight/4 {
				up[root(j)] = root(i)
				pairs++
				cosines += cosine(vel[i], vel[j])
			}
		}
	}
	if pairs > 0 {
		c.Alignment = cosines / float64(pairs)
	}
	size := make([]int, len(pos))
	for i := range pos {
		r := root(i)
		if size[r]++; size[r] == 2 {
			c.Flocks++
		}
		c.Largest = max(c.Largest, size[r])
	}
	return c
}

func cosine(a, b vec) float64 {
	r := math.Hypot(a.x, a.y) * math.Hypot(b.x, b.y)
	if r == 0 {
		return 0
	}
	return (a.x*b.x + a.y*b.y) / r
}
