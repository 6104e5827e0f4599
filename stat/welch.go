// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/stat/dist"
)

// welchMeans are two means, of at least two values each, as Welch's test compares them.
type welchMeans struct {
	difference float64
	va, vb     float64 // variances of the means
	free       float64 // degrees of freedom
}

func welchOf(a, b []float64) welchMeans {
	da, db := series.Describe(a), series.Describe(b)
	n, m := float64(len(a)), float64(len(b))
	w := welchMeans{db.Mean - da.Mean, da.Variance / n, db.Variance / m, n + m - 2}
	if v := w.va + w.vb; v > 0 {
		w.free = v * v / (w.va*w.va/(n-1) + w.vb*w.vb/(m-1))
	}
	return w
}

// p returns the two-sided p-value of the difference. Inflation is the factor by which correlation raises the
// variances.
func (w welchMeans) p(inflation float64) float64 {
	switch v := (w.va + w.vb) * inflation; {
	case v > 0:
		return min(1, 2*dist.StudentTail(math.Abs(w.difference)/math.Sqrt(v), max(1, w.free/inflation)))
	case w.difference != 0:
		return 0
	}
	return 1
}

// compareMeans fills in what rests on the means.
func (c *Comparison) compareMeans(a, b []float64, level float64) {
	da, db := series.Describe(a), series.Describe(b)
	count := uint64(len(a) + len(b))
	r := finite(db.Mean / da.Mean)
	c.MeanDifference = Point(db.Mean-da.Mean, count, welch, "needs at least 2 samples a side")
	c.MeanRatio = Point(r, count, fieller, "needs at least 2 samples a side")
	if da.Mean == 0 {
		c.MeanRatio = unknown(fieller, "no ratio: the mean of the base is zero")
	}
	if len(a) < 2 || len(b) < 2 {
		return
	}
	w := welchOf(a, b)
	c.WelchP = w.p(1)
	t := dist.StudentUpper((1-level)/2, w.free)
	lo, hi := around(w.difference, t*math.Sqrt(w.va+w.vb))
	c.MeanDifference = Interval{Center: w.difference, Lo: lo, Hi: hi, Level: level, Method: welch, N: count, NEff: w.free + 2}
	if da.Mean == 0 {
		return
	}
	g := t * math.Sqrt(w.va) / da.Mean
	if g *= g; g >= 1 {
		c.MeanRatio = unknown(fieller, "no ratio: the mean of the base is not distinguishable from zero")
		return
	}
	half := t * math.Hypot(math.Sqrt((1-g)*w.vb)/da.Mean, r*(math.Sqrt(w.va)/da.Mean)) / (1 - g)
	lo, hi = around(finite(r/(1-g)), finite(half))
	c.MeanRatio = Interval{Center: r, Lo: lo, Hi: hi, Level: level, Method: fieller, N: count, NEff: w.free + 2}
}
