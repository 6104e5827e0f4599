// SPDX-License-Identifier: BSD-3-Clause

// Package series reads any number of numbers from text, one per line or a column of a table, as exact decimals, and summarises
// them in constant memory.
package series

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/strobe-go/strobe/stat"
)

// Keep is the number of samples that are kept in memory. Up to that number everything is exact; larger series use a histogram.
const Keep = 1 << 20

// significant is the number of digits of the largest number that are kept when a number with more decimals arrives: those of a
// float64.
const significant = 16

// ErrTooMany means that all samples are needed in memory, but there are more than Keep.
var ErrTooMany = errors.New("too many samples to keep")

// A Series has samples: integers in the unit 10^-digits, where digits depends on the input.
type Series struct {
	Unit    string // unit after the numbers
	Lines   uint64 // read
	Empty   uint64 // cells without a value
	Damaged uint64 // lines without a sample
	First   Damage // of those
	Rounded bool   // some digits did not fit

	limit  int
	stored bool // more samples than the limit are an error, since all are needed
	at     []float64
	digits int
	kept   []int64 // all samples, while there are few
	stream *stream // all samples, if there are many
	block  []int64 // samples that are added to either of them next; never full between calls
	top    uint64  // the largest absolute value
	looked int     // number of samples of the block that are included in top
	begun  bool
	order  ranking // computed on demand
	course course
	gaps   gaps
	tail   float64 // the last sample that was moved from the block
}

// A Damage describes a line without a sample.
type Damage struct {
	Line uint64
	Text string
	Err  error
}

// String returns the number of the line, its text and what is wrong with it.
func (d Damage) String() string { return fmt.Sprintf("line %d: %q %v", d.Line, d.Text, d.Err) }

func newSeries(o Options) *Series {
	s := &Series{limit: o.Keep, stored: o.Stored, at: o.Quantiles, block: make([]int64, 0, blockSize)}
	if s.limit == 0 {
		s.limit = Keep
	}
	return s
}

const blockSize = 4096

// N returns the number of samples.
func (s *Series) N() uint64 {
	if s.stream != nil {
		m := s.stream.all.Moments()
		return m.N() + uint64(len(s.block))
	}
	return uint64(len(s.kept) + len(s.block))
}

// Decimals returns the number of decimals of samples.
func (s *Series) Decimals() int { return s.digits }

// Ranked describes how quantiles are computed, and how exact they are.
func (s *Series) Ranked() string { return s.ranking().how() }

// push adds a sample in the unit of the series.
func (s *Series) push(x int64) error {
	s.block = append(s.block, x)
	if len(s.block) == blockSize {
		return s.flush()
	}
	return nil
}

func (s *Series) flush() error {
	s.settle()
	s.gaps.from = 0
	s.look()
	s.looked = 0
	s.course.take(s.block, math.Pow10(s.digits))
	if n := len(s.block); n > 0 {
		s.tail = s.value(s.block[n-1])
	}
	if s.stream == nil {
		if len(s.kept)+len(s.block) <= s.limit {
			s.kept = append(s.kept, s.block...)
			s.block = s.block[:0]
			return nil
		}
		if s.stored {
			return ErrTooMany
		}
		s.stream = newStream(append(s.kept, s.block...), s.digits, s.at)
		s.kept, s.block = nil, s.block[:0]
		return nil
	}
	s.stream.add(s.block)
	s.block = s.block[:0]
	return nil
}

// add adds any number. It may change the unit.
func (s *Series) add(n number) error {
	if n.decimals > smallest {
		n = number{roundOff(n.mantissa, n.decimals-smallest), smallest}
		s.Rounded = true
	}
	if n.mantissa == 0 {
		n.decimals = 0
	}
	if !s.begun {
		s.begun, s.digits = true, max(0, n.decimals)
	}
	n.trim(s.digits)
	if n.decimals > s.digits {
		if want := min(n.decimals, significant-s.largest(n)); want > s.digits {
			if done, err := s.refine(n, want); done || err != nil {
				return err
			}
		}
	}
	x, exact, ok := n.at(s.digits)
	if !ok {
		if err := s.coarsen(n); err != nil {
			return err
		}
		if x, exact, ok = n.at(s.digits); !ok {
			return errHuge
		}
	}
	s.Rounded = s.Rounded || !exact
	return s.push(x)
}

// largest returns the number of digits before the decimal point of the largest number, n included.
func (s *Series) largest(n number) int {
	s.look()
	if s.top == 0 {
		return n.magnitude()
	}
	return max(n.magnitude(), widthOf(s.top)-s.digits)
}

func (s *Series) look() {
	for _, x := range s.block[s.looked:] {
		s.top = max(s.top, absolute(x))
	}
	s.looked = len(s.block)
}

// refine changes the unit to 10^-digits so that n fits. done means that n has been added as well.
func (s *Series) refine(n number, digits int) (done bool, err error) {
	if err := s.flush(); err != nil {
		return false, err
	}
	if s.stream == nil {
		by := min(digits-s.digits, 18) // if that is not enough all samples are 0, otherwise the largest would not leave room
		for i := range s.kept {
			s.kept[i] *= tens[by]
		}
		s.top *= uint64(tens[by])
		s.digits = digits
		return false, nil
	}
	if n.decimals > digits {
		n = number{roundOff(n.mantissa, n.decimals-digits), digits}
		s.Rounded = true
	}
	if done = s.stream.addFiner(n); done {
		s.top = max(s.top*uint64(tens[min(18, s.stream.digits-s.digits)]), absolute(n.mantissa))
		s.course.take([]int64{n.mantissa}, math.Pow10(n.decimals))
		s.tail = decimal(n.mantissa, n.decimals)
		s.gaps.close(s.tail)
	}
	s.digits = s.stream.digits
	return done, nil
}

// coarsen changes the unit so that n fits. Previous samples lose digits.
func (s *Series) coarsen(n number) error {
	digits := max(0, significant-s.largest(n))
	switch err := s.flush(); {
	case err != nil:
		return err
	case n.magnitude() > 18 || digits >= s.digits:
		return errHuge
	case s.stream != nil:
		return fmt.Errorf("is too large for the %d decimals of the numbers before it; put the large numbers first", s.digits)
	}
	for i, x := range s.kept {
		s.kept[i] = roundOff(x, s.digits-digits)
	}
	s.top /= uint64(tens[min(18, s.digits-digits)])
	s.digits, s.Rounded = digits, true
	return nil
}

// value returns x in the unit of the input, rounded once.
func (s *Series) value(x int64) float64 { return decimal(x, s.digits) }

// real returns x, which need not be an integer, in the unit of the input.
func (s *Series) real(x float64) float64 { return x / math.Pow10(s.digits) }

// interval returns iv in the unit of the input.
func (s *Series) interval(iv stat.Interval) stat.Interval {
	if !iv.Bounded() {
		iv.Center = s.real(iv.Center)
		return iv
	}
	iv.Center, iv.Lo, iv.Hi = s.real(iv.Center), s.real(iv.Lo), s.real(iv.Hi)
	return iv
}

// batches returns the moments and batch means of all samples.
func (s *Series) batches() *stat.BatchMeans {
	if s.stream != nil {
		return &s.stream.all
	}
	var b stat.BatchMeans
	for _, x := range s.kept {
		b.Add(x)
	}
	return &b
}

// ranking returns the samples in ascending order: all of them, or the stream's histogram.
func (s *Series) ranking() ranking {
	switch {
	case s.order != nil:
	case s.stream != nil:
		s.order = s.stream.ranking()
	default:
		r := slices.Clone(s.kept)
		slices.Sort(r)
		s.order = samples{r, s.digits}
	}
	return s.order
}

// gap records that a line was skipped.
func (s *Series) gap() {
	s.settle()
	switch {
	case len(s.block) > 0:
		s.gaps.last = s.value(s.block[len(s.block)-1])
	case s.N() > 0:
		s.gaps.last = s.tail
	default:
		return // nothing came before
	}
	s.gaps.waiting, s.gaps.from = true, len(s.block)
}

// settle closes an open gap, if the number after it has been read.
func (s *Series) settle() {
	g := &s.gaps
	if !g.waiting || len(s.block) <= g.from {
		return
	}
	g.close(s.value(s.block[g.from]))
}

// Course returns the samples in their order, as at most 128 stretches.
func (s *Series) Course() []Stretch {
	out := make([]Stretch, len(s.course.all))
	for i, x := range s.course.all {
		out[i] = x
		out[i].Mean /= float64(x.N)
	}
	return out
}

// Change returns the change that makes the series not stationary, in its unit; ok is false if none was found.
func (s *Series) Change() (c stat.Change, ok bool) {
	c, ok = s.batches().Change()
	c.Size = s.real(c.Size)
	return c, ok
}
