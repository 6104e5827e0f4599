// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
	"github.com/strobe-go/strobe/stat/sample"
)

// A Method is a way to an interval of the mean.
type Method string

const (
	BatchMeans Method = "batch-means" // knows correlation; constant memory
	Geyer      Method = "geyer"       // knows correlation; keeps all samples
	Bootstrap  Method = "bootstrap"   // knows correlation; keeps all samples
	StudentT   Method = "student-t"   // independent samples
	Normal     Method = "normal"      // independent samples, and many
)

// Methods returns all methods, the default first.
func Methods() []Method { return []Method{BatchMeans, Geyer, Bootstrap, StudentT, Normal} }

// Stored reports whether the method needs all samples at once.
func (m Method) Stored() bool { return m == Geyer || m == Bootstrap }

// UnmarshalText reads the name of a method.
func (m *Method) UnmarshalText(text []byte) error {
	var names []string
	for _, known := range Methods() {
		if strings.EqualFold(string(text), string(known)) {
			*m = known
			return nil
		}
		names = append(names, string(known))
	}
	return fmt.Errorf("%q is no method; there are %s", text, strings.Join(names, ", "))
}

// Interval returns the interval of the mean. Methods that need all samples have none when there are too many.
func (s *Series) Interval(m Method, level float64) stat.Interval {
	switch m {
	case Geyer, Bootstrap:
		x := make([]float64, len(s.kept))
		for i, v := range s.kept {
			x[i] = s.value(v)
		}
		if m == Geyer {
			return sample.Mean(x, level, sample.Geyer)
		}
		return sample.Bootstrap(x, mean, sample.BootstrapOptions{Level: level})
	case StudentT, Normal:
		all := s.batches().Moments()
		iv := all.Interval(level)
		if m == Normal && iv.Level > 0 {
			half := dist.NormalUpper((1-iv.Level)/2) * all.StdErr()
			iv.Lo, iv.Hi, iv.Method = iv.Center-half, iv.Center+half, "normal"
		}
		return s.interval(iv)
	}
	return s.interval(s.batches().Interval(level))
}

// mean returns the mean of values that are close together, without overflow.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

// WarmUp leaves out samples at the start by the rule MSER-5, and returns how many; not ok, and nothing changed, when the rule
// finds no place to cut.
func (s *Series) WarmUp() (dropped int, ok bool) {
	x := make([]float64, len(s.kept))
	for i, v := range s.kept {
		x[i] = s.value(v)
	}
	if dropped, ok = sample.Warmup(x); ok {
		s.kept, s.order = s.kept[dropped:], nil
	}
	return dropped, ok
}

// Moments are what a series is summed up by, in its unit. What there is not is NaN.
type Moments struct {
	N                                                        uint64
	Mean, StdDev, Lag1, Min, Max, Skewness, ExcessOfKurtosis float64
}

// Moments returns the moments of all samples, of which there must be one.
func (s *Series) Moments() Moments {
	all := s.batches().Moments()
	m := Moments{all.N(), s.real(all.Mean()), s.real(all.StdDev()), math.NaN(), s.value(all.Min()), s.value(all.Max()), math.NaN(), math.NaN()}
	if m.N < 2 {
		m.StdDev = math.NaN()
	}
	if r, ok := all.Lag1(); ok {
		m.Lag1 = r
		m.Skewness, m.ExcessOfKurtosis = s.shape().of(&all)
	}
	return m
}

func (s *Series) shape() *shape {
	if s.stream != nil {
		return &s.stream.shape
	}
	h := &shape{center: middle(s.kept)}
	h.add(s.kept)
	return h
}

// A shape has the sums behind skewness and kurtosis, about a center near the mean so that no digits are lost.
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

// of returns skewness and kurtosis less 3.
func (h *shape) of(m *stat.Moments) (skewness, excess float64) {
	n := float64(m.N())
	variance := m.Variance() * (n - 1) / n
	off := m.Mean() - float64(h.center)
	third := h.cubes/n - 3*off*(variance+off*off) + 2*off*off*off
	fourth := h.fourth/n - 4*off*h.cubes/n + 6*off*off*(variance+off*off) - 3*off*off*off*off
	return third / math.Pow(variance, 1.5), fourth/(variance*variance) - 3
}
