// SPDX-License-Identifier: BSD-3-Clause

package series

// A Stretch summarises successive samples, in the unit of the input.
type Stretch struct {
	N            uint64
	Lo, Hi, Mean float64 // Mean holds the sum until Course is called
}

// A course divides a series into at most 128 stretches of equal length. The length doubles when there would be more.
type course struct {
	size uint64 // number of samples in each stretch but the last
	all  []Stretch
}

const mostStretches = 128

// take adds samples that are integers of 1/per.
func (c *course) take(block []int64, per float64) {
	if c.size == 0 {
		c.size = 1
	}
	for len(block) > 0 {
		if n := len(c.all); n == 0 || c.all[n-1].N == c.size {
			if n == mostStretches {
				c.halve()
			}
			c.all = append(c.all, Stretch{})
		}
		s := &c.all[len(c.all)-1]
		part := block[:min(uint64(len(block)), c.size-s.N)]
		block = block[len(part):]
		lo, hi, sum := part[0], part[0], 0.0
		for _, x := range part {
			lo, hi = min(lo, x), max(hi, x)
			sum += float64(x)
		}
		s.join(Stretch{uint64(len(part)), float64(lo) / per, float64(hi) / per, sum / per})
	}
}

func (s *Stretch) join(o Stretch) {
	if s.N == 0 {
		*s = o
		return
	}
	s.N += o.N
	s.Lo, s.Hi, s.Mean = min(s.Lo, o.Lo), max(s.Hi, o.Hi), s.Mean+o.Mean
}

func (c *course) halve() {
	for i := range len(c.all) / 2 {
		c.all[i] = c.all[2*i]
		c.all[i].join(c.all[2*i+1])
	}
	c.all = c.all[:len(c.all)/2]
	c.size *= 2
}
