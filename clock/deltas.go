// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"slices"
)

// deltas describes readings taken back to back, in the source's units.
type deltas struct {
	step, min, p50, p99, same float64
	back                      uint64
}

func (s Source) deltas(n int) deltas {
	d := make([]int64, n)
	last := s.Read()
	for i := range d {
		t := s.Read()
		d[i], last = t-last, t
	}
	var out deltas
	for _, v := range d {
		if v < 0 {
			out.back++
		} else if v == 0 {
			out.same++
		}
	}
	out.same /= float64(n)
	slices.Sort(d)
	first, _ := slices.BinarySearch(d, 1)
	out.p50, out.p99 = float64(d[n/2]), float64(d[n-1-n/100])
	if out.same > 0.9 { // it changes more rarely than it is read: wait for the changes
		if steps := s.changes(100, 200*ms); len(steps) > 0 {
			slices.Sort(steps)
			out.step = float64(steps[len(steps)/2])
		}
		return out
	}
	steps := d[first:]
	if len(steps) > 0 {
		out.min = float64(steps[0])
	}
	if s.fenced != nil { // unfenced readings differ by at least one tick
		out.step = Source{Read: s.fenced, raw: s.raw}.deltas(n).step
		return out
	}
	slack := 0.0
	if !s.raw {
		slack = 1.5 // a reading in ns rounds steps that are no whole number of ns
	}
	out.step = commonStep(steps, slack)
	return out
}

// changes polls until the reading has changed n times or ns have passed, and returns the changes.
func (s Source) changes(n int, ns int64) []int64 {
	var steps []int64
	last := s.Read()
	deadline := master.hw.reference() + ns // after the first reading: a process that is stopped for longer has seen one change
	for i := 0; len(steps) < n; i++ {
		t := s.Read()
		if t > last {
			steps = append(steps, t-last)
		}
		last = t
		if i%64 == 0 && master.hw.reference() > deadline {
			break
		}
	}
	if len(steps) > 1 {
		return steps[1:] // the first may have begun before the first reading
	}
	return steps
}

// commonStep returns the largest number that divides all deltas except rare ones, each to within slack; 1 if only the unit
// does, 0 if there are none. It is Euclid's algorithm on the distinct values of steps, which are sorted.
func commonStep(steps []int64, slack float64) float64 {
	if len(steps) == 0 {
		return 0
	}
	rare := len(steps) / 200
	var g float64
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j] == steps[i] {
			j++
		}
		if j-i > rare {
			g = divisor(g, float64(steps[i]), slack)
		}
		i = j
	}
	if g <= 2*slack { // no larger than the slack explains
		return 1
	}
	return math.Round(g)
}

func divisor(a, b, slack float64) float64 {
	for a > slack {
		r := math.Mod(b, a)
		if a-r <= slack { // just short of a multiple
			r = 0
		}
		a, b = r, a
	}
	return b
}

// cost returns the median ns of a call by the clock now, over 31 rounds of 256. The call through f is part of it.
func cost(now func() int64, f func()) float64 {
	const rounds, calls = 31, 256
	var took [rounds]int64
	for i := range took {
		start := now()
		for range calls {
			f()
		}
		took[i] = now() - start
	}
	slices.Sort(took[:])
	return float64(took[rounds/2]) / calls
}
