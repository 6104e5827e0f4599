// SPDX-License-Identifier: BSD-3-Clause

package sim

import (
	"iter"
	"math"
)

const cells = 20 // per side

// A grid sorts boids into cells as wide as their sight, so that all that they see is in nine cells.
type grid struct {
	start [cells*cells + 1]int // index in order of the first boid of each cell
	order []int                // boids by cell, and within a cell by number
}

func (g *grid) sort(pos []vec) {
	if len(g.order) != len(pos) {
		g.order = make([]int, len(pos))
	}
	g.start = [cells*cells + 1]int{}
	for _, p := range pos {
		g.start[cell(p)+1]++
	}
	for c := range cells * cells {
		g.start[c+1] += g.start[c]
	}
	next := g.start
	for i, p := range pos {
		c := cell(p)
		g.order[next[c]] = i
		next[c]++
	}
}

// around yields the boids in the cell of p and in the eight cells around it.
func (g *grid) around(p vec) iter.Seq[int] {
	return func(yield func(int) bool) {
		cx, cy := int(p.x*cells), int(p.y*cells)
		for dy := range 3 {
			row := (cy + dy + cells - 1) % cells * cells
			for dx := range 3 {
				c := row + (cx+dx+cells-1)%cells
				for _, i := range g.order[g.start[c]:g.start[c+1]] {
					if !yield(i) {
						return
					}
				}
			}
		}
	}
}

func cell(p vec) int { return int(p.y*cells)*cells + int(p.x*cells) }

// A vec is a place on the square or a velocity.
type vec struct{ x, y float64 }

// wrap brings x back into [0, 1).
func wrap(x float64) float64 {
	if x -= math.Floor(x); x < 1 {
		return x
	}
	return 0 // a tiny negative number rounds up to 1
}

// between returns the shortest vector from a to b, across the edge if that is shorter.
func between(a, b vec) vec {
	return vec{shortest(b.x - a.x), shortest(b.y - a.y)}
}

func shortest(d float64) float64 {
	if d > 0.5 {
		return d - 1
	}
	if d < -0.5 {
		return d + 1
	}
	return d
}
