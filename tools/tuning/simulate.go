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
	process
	n int
}

// A trial is one value of a constant.
type trial struct {
	constants *tuned.Constants
	tally     tally
	changed   int // series that miss, are warned of or named with this value or with the one in use, but not with both
}

// A tally counts what became of series.
type tally struct {
	simulated.Tally
	named int // series of which a warning names what the process has
}

func (t *tally) add(o outcome) {
	t.Add(o.missed, o.warned, o.width)
	if o.named {
		t.named++
	}
}

// A family is the trials of one constant: the values in ascending order, and the one that takes it out.
type family struct {
	values []trial
	off    trial
}

// simulate draws series and adds their intervals to all trials. It returns those with the constants in use.
func (c *cell) simulate(series int, families []family) (now tally) {
	r := rand.New(rand.NewPCG(11, uint64(c.n)))
	x := make([]float64, c.n)
	if c.n > 1000 { // as in docs/coverage.md
		series = (series + 3) / 4
	}
	for range series {
		c.process.Draw(r, x)
		judge := c.judge(x)
		used := judge(&tuned.Committed)
		now.add(used)
		for i := range families {
			f := &families[i]
			f.off.add(used, judge(f.off.constants))
			if len(f.values) == 0 {
				continue
			}
			// Where neither end of a range changes anything, nothing between does.
			last := len(f.values) - 1
			low, high := judge(f.values[0].constants), judge(f.values[last].constants)
			for k := range f.values {
				switch {
				case k == 0:
					f.values[k].add(used, low)
				case k == last:
					f.values[k].add(used, high)
				case low == used && high == used:
					f.values[k].add(used, used)
				default:
					f.values[k].add(used, judge(f.values[k].constants))
				}
			}
		}
	}
	return now
}

func (t *trial) add(used, now outcome) {
	t.tally.add(now)
	if now.missed != used.missed || now.warned != used.warned || now.named != used.named {
		t.changed++
	}
}

// An outcome is how an interval does, or a comparison.
type outcome struct {
	missed, warned, named bool
	width                 float64
}

// judge returns a function that judges samples with given constants.
func (c *cell) judge(x []float64) func(*tuned.Constants) outcome {
	if c.pair {
		return func(constants *tuned.Constants) outcome {
			order := constants.Order(x[:len(x)/2], x[len(x)/2:])
			return outcome{warned: order.Warning != "", named: c.names(order.Warning), width: math.Sqrt(order.Inflation)}
		}
	}
	e, student := evidence(x)
	return func(constants *tuned.Constants) outcome {
		iv := constants.Interval(&e, 0.95)
		o := outcome{missed: iv.Lo > c.Truth || c.Truth > iv.Hi, warned: len(iv.Warnings) > 0, named: slices.ContainsFunc(iv.Warnings, c.names)}
		if student > 0 {
			o.width = (iv.Hi - iv.Lo) / 2 / student
		}
		return o
	}
}

// evidence returns that of the samples, which it rounds to millionths, and half the width of Student's interval.
func evidence(x []float64) (e tuned.Evidence, student float64) {
	var m stat.Moments
	for i, v := range x {
		m.Add(int64(math.Round(v * 1e6)))
		x[i] = math.Round(v*1e6) / 1e6
	}
	return tuned.Of(x), m.Interval(0.95).Half() / 1e6
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
	for _, p := range processes() {
		for _, n := range sizes {
			if n >= p.From && (!p.pair || n <= 64) {
				all = append(all, cell{p, n})
			}
		}
	}
	return all
}

// cellOf returns the cell of a witness.
func cellOf(w witness) cell {
	all := processes()
	return cell{all[slices.IndexFunc(all, func(p process) bool { return p.Name == w.process })], w.n}
}
