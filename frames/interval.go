// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"iter"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// covariance computes autocovariances of a series, one lag at a time, with the scaling 1/n.
type covariance struct {
	x []float64 // deviations from the mean
}

func covarianceOf(x []float64) covariance {
	mean := exactSum(x) / float64(len(x))
	d := make([]float64, len(x))
	for i, v := range x {
		d[i] = v - mean
	}
	return covariance{d}
}

func (c covariance) at(lag int) float64 {
	var sum float64
	early := c.x[:len(c.x)-lag]
	for i, v := range c.x[lag:] {
		sum += v * early[i]
	}
	return sum / float64(len(c.x))
}

const grain = 1e9

func batchesOf(x iter.Seq[float64]) *stat.BatchMeans {
	var b stat.BatchMeans
	for v := range x {
		b.Add(int64(math.Round(v * grain)))
	}
	return &b
}

// meanOf returns the interval of the mean of a correlated series by batch means. Values are rounded to billionths: a picosecond,
// for milliseconds.
//
// For a series of several parts it is the mean of all values. Differences between the parts do not widen the interval: each of
// its sides is the root of the sum of squares of those of the parts.
func meanOf(parts []iter.Seq[float64], level float64) stat.Interval {
	var all []stat.Interval
	var n, pooled, variance float64 // pooled is the variance within parts, times n
	for p, x := range parts {
		b := batchesOf(x)
		moments := b.Moments()
		if moments.N() == 0 {
			continue
		}
		iv := b.Interval(level)
		iv.Center, iv.Lo, iv.Hi = iv.Center/grain, iv.Lo/grain, iv.Hi/grain
		if !iv.Bounded() {
			return iv
		}
		if len(parts) > 1 {
			for i, w := range iv.Warnings {
				iv.Warnings[i] = fmt.Sprintf("scene %d: %s", p+1, w)
			}
		}
		all = append(all, iv)
		n += float64(iv.N)
		pooled += float64(iv.N) * moments.Variance()
		variance += float64(iv.N) * float64(iv.N) * moments.Variance() / iv.NEff
	}
	if len(all) == 1 {
		return all[0]
	}
	out := stat.Interval{Level: level, Method: "batch means of each scene", N: uint64(n), NEff: n}
	var below, above float64
	for _, iv := range all {
		share := float64(iv.N) / n
		out.Level, out.Center = iv.Level, out.Center+share*iv.Center
		below, above = math.Hypot(below, share*(iv.Center-iv.Lo)), math.Hypot(above, share*(iv.Hi-iv.Center))
		out.Warnings = append(out.Warnings, iv.Warnings...)
	}
	out.Lo, out.Hi = out.Center-below, out.Center+above
	if variance > 0 {
		out.NEff = n * pooled / variance
	}
	return out
}

// enoughForBlocks is a number of frames that is more than enough to estimate the correlation.
const enoughForBlocks = 1 << 17

// blockLength is the automatic mean block length of the stationary bootstrap for n values that begin with x, of which
// enoughForBlocks are used: Politis and White 2004, as corrected by Patton, Politis and White 2009.
func blockLength(x []float64, n int) float64 {
	x = x[:min(len(x), enoughForBlocks)]
	return blockLengthOf(x) * math.Cbrt(float64(n)/float64(len(x))) // the length grows with the cube root of n
}

func blockLengthOf(x []float64) float64 {
	n := float64(len(x))
	if n < 4 {
		return 1
	}
	calm := int(max(5, math.Ceil(math.Log10(n)))) // number of successive lags that must be insignificant
	most := min(int(math.Ceil(math.Sqrt(n)))+calm, len(x)-1)
	band := 2 * math.Sqrt(math.Log10(n)/n)
	c := covarianceOf(x)
	g := []float64{c.at(0)}
	if g[0] == 0 {
		return 1
	}
	last, quiet := most, 0 // last is the lag before the insignificant ones
	for lag := 1; lag < most+calm && lag < len(x); lag++ {
		g = append(g, c.at(lag))
		if math.Abs(g[lag]) > band*g[0] {
			quiet = 0
			continue
		}
		if quiet++; quiet == calm {
			last = lag - calm
			break
		}
	}
	width := min(max(2*last, 2), most)
	var slope, spectrum = 0.0, g[0]
	for lag := 1; lag <= width; lag++ {
		if lag == len(g) {
			g = append(g, c.at(lag))
		}
		weight := min(1, 2*(1-float64(lag)/float64(width)))
		slope += 2 * weight * float64(lag) * g[lag]
		spectrum += 2 * weight * g[lag]
	}
	length := math.Cbrt(slope * slope / (spectrum * spectrum) * n)
	if math.IsNaN(length) {
		return 1
	}
	return min(max(length, 1), math.Ceil(min(3*math.Sqrt(n), n/3)))
}
