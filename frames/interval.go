// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/stat"
)

// covariance computes autocovariances of a series, one lag at a time, with
// the scaling 1/n.
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

// Above long, autocovariances are taken of averages of neighbouring frames, so
// that a report of hours of frames ends within seconds.
const long = 1 << 16

// meanOfLong is meanOf of batches; the mean keeps its variance, and the
// effective number is that of the single frames.
func meanOfLong(x []float64, level float64) stat.Interval {
	size := len(x) / (long / 4)
	batches := make([]float64, len(x)/size)
	for i := range batches {
		batches[i] = exactSum(x[i*size:(i+1)*size]) / float64(size)
	}
	iv := meanOf(batches, level)
	center := exactSum(x) / float64(len(x))
	iv.Lo, iv.Hi, iv.Center = iv.Lo-iv.Center+center, iv.Hi-iv.Center+center, center
	iv.N = uint64(len(x))
	iv.Method += fmt.Sprintf(" on batches of %d frames", size)
	if within := covarianceOf(batches).at(0); within > 0 {
		iv.NEff *= covarianceOf(x).at(0) / within
	} else {
		iv.NEff = float64(len(x))
	}
	return iv
}

// meanOf is the interval of the mean of a correlated series by Geyer's initial
// monotone positive sequence: autocovariances are added in pairs as long as
// the pairs are positive, none counting more than the one before.
func meanOf(x []float64, level float64) stat.Interval {
	n := len(x)
	if n > long {
		return meanOfLong(x, level)
	}
	iv := stat.Interval{Center: exactSum(x) / float64(n), N: uint64(n), Method: "Geyer"}
	if n < 4 {
		iv.Warnings = []string{"fewer than four frames"}
		return iv
	}
	c := covarianceOf(x)
	zero := c.at(0)
	tau, before := -1.0, math.Inf(1)
	for k := 0; k+1 <= n/2; k += 2 {
		pair := (c.at(k) + c.at(k+1)) / zero
		if !(pair > 0) {
			break
		}
		before = min(before, pair)
		tau += 2 * before
	}
	if zero == 0 {
		tau = 1
	}
	iv.Level = level
	iv.NEff = max(2, float64(n)/max(tau, 1e-3))
	half := studentT(level, iv.NEff-1) * math.Sqrt(zero*float64(n)/float64(n-1)/iv.NEff)
	iv.Lo, iv.Hi = iv.Center-half, iv.Center+half
	return iv
}

// studentT is the two-sided quantile of Student's t by Cornish and Fisher's
// expansion around the normal quantile.
func studentT(level, nu float64) float64 {
	z := math.Sqrt2 * math.Erfinv(level)
	z2 := z * z
	return z * (1 + (z2+1)/(4*nu) + (5*z2*z2+16*z2+3)/(96*nu*nu) + (3*z2*z2*z2+19*z2*z2+17*z2-15)/(384*nu*nu*nu))
}

// blockLength is the automatic mean block length of the stationary bootstrap:
// Politis and White 2004, as corrected by Patton, Politis and White 2009.
func blockLength(x []float64) float64 {
	if len(x) > 2*long { // the length grows with the cube root of n; the rest is the process
		return blockLength(x[:2*long]) * math.Cbrt(float64(len(x))/(2*long))
	}
	n := float64(len(x))
	if n < 4 {
		return 1
	}
	calm := int(max(5, math.Ceil(math.Log10(n)))) // lags that must be quiet in a row
	most := min(int(math.Ceil(math.Sqrt(n)))+calm, len(x)-1)
	band := 2 * math.Sqrt(math.Log10(n)/n)
	c := covarianceOf(x)
	g := []float64{c.at(0)}
	if g[0] == 0 {
		return 1
	}
	last, quiet := most, 0 // last: the lag before the quiet ones
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
