// SPDX-License-Identifier: BSD-3-Clause

package series

import "math"

// Moments summarise a series, in its unit. Undefined moments are NaN.
type Moments struct {
	N                                                        uint64
	Mean, StdDev, Lag1, Min, Max, Skewness, ExcessOfKurtosis float64
}

// Moments returns the moments of all samples. There must be at least one.
func (s *Series) Moments() Moments {
	all := s.batches().Moments()
	m := Moments{all.N(), s.real(all.Mean()), s.real(all.StdDev()), math.NaN(), s.value(all.Min()), s.value(all.Max()), math.NaN(), math.NaN()}
	if m.N < 2 {
		m.StdDev = math.NaN()
	}
	if r, ok := all.Lag1(); ok {
		m.Lag1 = s.gaps.without(r, m.N, m.Mean, m.StdDev)
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
