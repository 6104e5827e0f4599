// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"math"

	"github.com/strobe-go/strobe/stat"
)

// A shape has the sums for skewness and kurtosis, relative to a center near the mean to keep precision.
type shape struct {
	center        int64
	cubes, fourth float64
}

func middle(x []int64) int64 {
	var m stat.Moments
	for _, v := range x {
		m.Add(v)
	}
	return int64(math.Round(m.Mean()))
}

func (h *shape) add(x []int64) {
	for _, v := range x {
		d := float64(v) - float64(h.center)
		h.cubes += d * d * d
		h.fourth += d * d * d * d
	}
}

// refine makes the unit smaller by a factor.
func (h *shape) refine(by int64) {
	f := float64(by)
	h.center *= by
	h.cubes *= f * f * f
	h.fourth *= f * f * f * f
}

// of returns the skewness and the excess kurtosis.
func (h *shape) of(m *stat.Moments) (skewness, excess float64) {
	n := float64(m.N())
	variance := m.Variance() * (n - 1) / n
	off := m.Mean() - float64(h.center)
	third := h.cubes/n - 3*off*(variance+off*off) + 2*off*off*off
	fourth := h.fourth/n - 4*off*h.cubes/n + 6*off*off*(variance+off*off) - 3*off*off*off*off
	return third / math.Pow(variance, 1.5), fourth/(variance*variance) - 3
}
