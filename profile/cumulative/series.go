// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/stat/exphist"
)

// finest is the scale that histograms start with: 64 buckets per octave.
const finest = 6

// A Series holds the measurements of the zones, or the loops, with one name. No number in it ever decreases, except
// Buckets.Scale.
type Series struct {
	Name  string        // of the zones or the loop, valid UTF-8; or Other
	Since time.Time     // when it began to count
	Calls uint64        // that have ended
	Total time.Duration // in the zone, including spans that are open
	Self  time.Duration // without the spans inside; not known if SelfUnknown

	SelfUnknown bool // Self lacks calls on a shared lane, so there is no such number

	// The following cover the calls of known duration. In sampled zones, a timed call also stands for the untimed ones. Only
	// the latest calls can be missing, until the next duration is known, and all calls from the time when the budget no longer
	// allows the distribution.
	N       uint64          // number of these calls
	Sum     time.Duration   // of their durations
	Buckets exphist.Buckets // in seconds
	Bounds  []float64       // upper bounds in seconds, ascending; nil if none were asked for
	AtMost  []uint64        // number of calls up to each of Bounds

	Revision uint64 // grows when anything above changes

	lent bool // copies share the slices
}

func newSeries(name string, bounds []float64, since time.Time) Series {
	return Series{Name: name, Since: since, Buckets: exphist.Buckets{Scale: finest}, Bounds: bounds, AtMost: make([]uint64, len(bounds)), Revision: 1}
}

// lend returns a copy. It shares the slices until the next change.
func (s *Series) lend() Series {
	s.lent = true
	return *s
}

// change comes before every change.
func (s *Series) change() {
	s.Revision++
	if s.lent {
		s.Buckets.Counts, s.AtMost, s.lent = slices.Clone(s.Buckets.Counts), slices.Clone(s.AtMost), false
	}
}

// count adds n calls to bucket i.
func (s *Series) count(i int, n uint64) {
	b := &s.Buckets
	switch {
	case len(b.Counts) == 0:
		b.Offset = i
	case i < b.Offset:
		b.Counts = append(make([]uint64, b.Offset-i), b.Counts...)
		b.Offset = i
	}
	for len(b.Counts) <= i-b.Offset {
		b.Counts = append(b.Counts, 0)
	}
	b.Counts[i-b.Offset] += n
}

// narrow halves the resolution until at most limit buckets are non-empty.
func (s *Series) narrow(limit int) {
	for s.Buckets.Scale > -4 {
		n := 0
		for _, c := range s.Buckets.Counts {
			if c > 0 {
				n++
			}
		}
		if n <= max(limit, 2) {
			return
		}
		s.Buckets = s.Buckets.Fit(len(s.Buckets.Counts) - 1)
	}
}
