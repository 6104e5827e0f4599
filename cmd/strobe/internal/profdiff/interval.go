// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"math"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
)

// method is how the differences of time are called.
const method = "Wilson and MOVER, quasi-multinomial"

// A share is a proportion of the samples of a side.
type share struct {
	of, n int     // samples of the category and of all
	scale float64 // what a share of 1 costs
	error float64 // relative standard error of scale
}

// value returns what the share costs.
func (s share) value() float64 {
	if s.n == 0 {
		return 0
	}
	return s.scale * float64(s.of) / float64(s.n)
}

// arms returns by how much the cost may be less and more, z standard errors away, if the samples count as n/dispersion.
func (s share) arms(z, dispersion float64) (below, above float64) {
	if s.n == 0 {
		return 0, math.Inf(1)
	}
	p, n := float64(s.of)/float64(s.n), float64(s.n)/dispersion
	lo, hi := wilson(p, n, z)
	return math.Hypot(s.scale*(p-lo), z*s.error*s.value()), math.Hypot(s.scale*(hi-p), z*s.error*s.value())
}

// wilson returns the bounds of a proportion p of n samples by the score test.
func wilson(p, n, z float64) (lo, hi float64) {
	square := z * z
	center, half := p+square/(2*n), z*math.Sqrt(p*(1-p)/n+square/(4*n*n))
	lo, hi = (center-half)/(1+square/n), (center+half)/(1+square/n)
	return min(max(0, lo), p), max(min(1, hi), p) // rounding
}

// difference returns by how much a cost grew, with the interval of a probability of error. The samples vary by a dispersion, which
// was estimated with that many degrees of freedom.
func difference(base, latest share, error float64, d dispersion) stat.Interval {
	center, samples := latest.value()-base.value(), uint64(base.of)+uint64(latest.of)
	if d.freedom < 1 {
		return stat.Point(center, samples, method, "needs several runs of each side")
	}
	z := dist.StudentUpper(error/2, float64(d.freedom))
	baseBelow, baseAbove := base.arms(z, d.factor)
	below, above := latest.arms(z, d.factor)
	return stat.Interval{Center: center, Lo: center - math.Hypot(below, baseAbove), Hi: center + math.Hypot(above, baseBelow), Level: 1 - error, Method: method, N: samples}
}

// A dispersion is the variance of counts over that of independent samples.
type dispersion struct {
	factor  float64 // at least 1
	freedom int     // degrees of freedom; 0 if there is nothing to estimate it by
	square  float64 // Pearson's chi-square
}

// plus adds the evidence of another estimate.
func (d dispersion) plus(other dispersion) dispersion {
	d.square += other.square
	d.freedom += other.freedom
	d.factor = 1
	if d.freedom > 0 {
		d.factor = max(1, d.square/float64(d.freedom))
	}
	return d
}

// expected is the least number of samples in a run, by which a category by itself counts in the dispersion of all.
const expected = 1

// dispersionOf estimates the dispersion of the categories of a side, which are disjoint and make up all samples of its runs.
func dispersionOf(categories []tally, runs []int) dispersion {
	all := sum(runs)
	rest := tally{runs: make([]int, len(runs))}
	var kept []tally
	for _, c := range categories {
		if float64(c.all) >= expected*float64(len(runs)) {
			kept = append(kept, c)
			continue
		}
		for i := range runs {
			rest.runs[i] += c.runs[i]
		}
		rest.all += c.all
	}
	if rest.all > 0 {
		kept = append(kept, rest)
	}
	var d dispersion
	filled := 0
	for i, n := range runs {
		if n == 0 {
			continue
		}
		filled++
		for _, c := range kept {
			e := float64(n) * float64(c.all) / float64(all)
			d.square += (float64(c.runs[i]) - e) * (float64(c.runs[i]) - e) / e
		}
	}
	d.freedom = max(0, filled-1) * max(0, len(kept)-1)
	return d.plus(dispersion{})
}

// ownDispersion estimates that of one category alone.
func ownDispersion(c tally, runs []int) dispersion {
	others := tally{runs: make([]int, len(runs)), all: sum(runs) - c.all}
	for i, n := range runs {
		others.runs[i] = n - c.runs[i]
	}
	return dispersionOf([]tally{c, others}, runs)
}

func sum(all []int) (n int) {
	for _, x := range all {
		n += x
	}
	return n
}
