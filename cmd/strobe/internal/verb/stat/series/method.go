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

// A Method computes an interval of the mean.
type Method string

const (
	BatchMeans Method = "batch-means" // allows for correlation; constant memory
	Plain      Method = "plain"       // batch means for correlation that dies out within a batch; constant memory
	Geyer      Method = "geyer"       // allows for correlation; keeps all samples
	Bootstrap  Method = "bootstrap"   // allows for correlation; keeps all samples
	StudentT   Method = "student-t"   // independent samples
	Normal     Method = "normal"      // independent samples, and many
)

// Methods returns all methods, the default first.
func Methods() []Method { return []Method{BatchMeans, Plain, Geyer, Bootstrap, StudentT, Normal} }

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
	return fmt.Errorf("%q is not a method; the methods are %s", text, strings.Join(names, ", "))
}

// Interval returns the interval of the mean. Methods that need all samples return none if there are too many.
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
		if m == Normal && iv.Bounded() {
			half := dist.NormalUpper((1-iv.Level)/2) * all.StdErr()
			iv.Lo, iv.Hi, iv.Method = iv.Center-half, iv.Center+half, "normal"
		}
		return s.interval(iv)
	case Plain:
		return s.interval(s.batches().PlainInterval(level))
	}
	return s.interval(s.batches().Interval(level))
}

// mean returns the mean of similar values without overflow.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

// WarmUp removes samples at the start by the rule MSER-5, and returns how many. ok is false, and nothing is removed, if the rule
// finds no place to cut.
func (s *Series) WarmUp() (dropped int, ok bool) {
	x := make([]float64, len(s.kept))
	for i, v := range s.kept {
		x[i] = s.value(v)
	}
	if dropped, ok = sample.Warmup(x); ok {
		s.kept, s.order = s.kept[dropped:], nil
		s.course, s.gaps = course{}, gaps{}
		s.course.take(s.kept, math.Pow10(s.digits))
	}
	return dropped, ok
}
