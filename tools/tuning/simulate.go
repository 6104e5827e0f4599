// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/strobe-go/strobe/internal/simulated"
	"github.com/strobe-go/strobe/internal/tuned"
	"github.com/strobe-go/strobe/stat"
)

// A cell is a process and a number of samples.
type cell struct {
	process simulated.Process
	n       int
}

// A trial is one value of a constant.
type trial struct {
	constants *tuned.Constants
	tally     simulated.Tally
	changed   int // series whose interval misses the mean, or carries a warning, with this value or with the one in use, but not with both
}

// A family is the trials of one constant: the values in ascending order, and the one that takes it out.
type family struct {
	values []trial
	off    trial
}

// simulate draws series and adds their intervals to all trials. It returns those with the constants in use.
func (c *cell) simulate(series int, families []family) (now simulated.Tally) {
	r := rand.New(rand.NewPCG(11, uint64(c.n)))
	x := make([]float64, c.n)
	if c.n > 1000 { // as in docs/coverage.md
		series = (series + 3) / 4
	}
	for range series {
		c.process.Draw(r, x)
		e, student := evidence(x)
		used := c.judge(&e, student, &tuned.Committed)
		now.Add(used.missed, used.warned, used.width)
		for i := range families {
			f := &families[i]
			f.off.add(used, c.judge(&e, student, f.off.constants))
			if len(f.values) == 0 {
				continue
			}
			// Where neither end of a range changes anything, nothing between does.
			last := len(f.values) - 1
			low, high := c.judge(&e, student, f.values[0].constants), c.judge(&e, student, f.values[last].constants)
			for k := range f.values {
				switch {
				case k == 0:
					f.values[k].add(used, low)
				case k == last:
					f.values[k].add(used, high)
				case low == used && high == used:
					f.values[k].add(used, used)
				default:
					f.values[k].add(used, c.judge(&e, student, f.values[k].constants))
				}
			}
		}
	}
	return now
}

func (t *trial) add(used, now outcome) {
	t.tally.Add(now.missed, now.warned, now.width)
	if now.missed != used.missed || now.warned != used.warned {
		t.changed++
	}
}

// An outcome is how an interval does.
type outcome struct {
	missed, warned bool
	width          float64
}

func (c *cell) judge(e *tuned.Evidence, student float64, constants *tuned.Constants) outcome {
	iv := constants.Interval(e, 0.95)
	o := outcome{missed: iv.Lo > c.process.Truth || c.process.Truth > iv.Hi, warned: len(iv.Warnings) > 0}
	if student > 0 {
		o.width = (iv.Hi - iv.Lo) / 2 / student
	}
	return o
}

// evidence returns that of the samples, which it rounds to millionths, and half the width of Student's interval. A change of their
// level is that which stat finds.
func evidence(x []float64) (e tuned.Evidence, student float64) {
	var b stat.BatchMeans
	for i, v := range x {
		b.Add(int64(math.Round(v * 1e6)))
		x[i] = math.Round(v*1e6) / 1e6
	}
	e = tuned.Of(x)
	if change, ok := b.Change(); ok {
		e.Change, e.Periodic = change.Kind.String(), change.Kind == stat.PeriodChange
	}
	m := b.Moments()
	return e, m.Interval(0.95).Half() / 1e6
}

// familyOf returns the trials of a constant, without results.
func familyOf(c *constant) (f family) {
	for _, v := range c.values() {
		f.values = append(f.values, trial{constants: c.with(v)})
	}
	f.off = trial{constants: c.with(c.off)}
	return f
}

// cells returns a cell for each process and size of which something is promised.
func cells(sizes []int) (all []cell) {
	for _, p := range simulated.Processes() {
		for _, n := range sizes {
			if n >= p.From {
				all = append(all, cell{p, n})
			}
		}
	}
	return all
}

// cellOf returns the cell of a witness.
func cellOf(w witness) cell {
	all := simulated.Processes()
	return cell{all[slices.IndexFunc(all, func(p simulated.Process) bool { return p.Name == w.process })], w.n}
}
