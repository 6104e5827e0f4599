// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe/profile/cumulative"
	"github.com/strobe-go/strobe/stat/exphist"
)

// A native is a native histogram, with classic buckets if the series has any. prometheus.NewConstNativeHistogram takes
// a map, which would cost more than the rest of a scrape.
type native struct {
	dto.Histogram
	schema         int32
	threshold, sum float64
	n, zero        uint64
}

func (h *native) fill(s *cumulative.Series, since *timestamppb.Timestamp) {
	h.schema, h.threshold, h.sum = int32(s.Buckets.Scale), prometheus.DefNativeHistogramZeroThreshold, s.Sum.Seconds()
	h.n, h.zero = s.N, s.Buckets.Zero
	h.SampleCount, h.SampleSum = &h.n, &h.sum
	h.Schema, h.ZeroThreshold, h.ZeroCount = &h.schema, &h.threshold, &h.zero
	h.CreatedTimestamp = since
	h.PositiveSpan, h.PositiveDelta = spans(s.Buckets)
	for i := range s.Bounds {
		h.Bucket = append(h.Bucket, &dto.Bucket{UpperBound: &s.Bounds[i], CumulativeCount: &s.AtMost[i]})
	}
}

// A run is a span of buckets with their counts.
type run struct {
	dto.BucketSpan
	offset int32
	length uint32
}

// maxGap is the number of empty buckets that do not end a run: they take less space than a new run.
const maxGap = 2

// spans encodes buckets as runs, with the difference of each count from the previous one.
func spans(b exphist.Buckets) ([]*dto.BucketSpan, []int64) {
	nRuns, nDeltas := size(b.Counts)
	runs, deltas := make([]run, 0, nRuns), make([]int64, 0, nDeltas)
	next := 0 // the bucket after the last one written
	last := int64(0)
	for i, n := range b.Counts {
		if n == 0 {
			continue
		}
		index := b.Offset + i + 1 // Prometheus numbers a bucket by its upper bound
		if gap := index - next; len(runs) == 0 || gap > maxGap {
			runs = append(runs, run{offset: int32(gap)})
			next = index
		}
		r := &runs[len(runs)-1]
		r.length += uint32(index - next + 1)
		for ; next < index; next++ {
			deltas = append(deltas, -last)
			last = 0
		}
		deltas = append(deltas, int64(n)-last)
		last = int64(n)
		next++
	}
	if len(runs) == 0 { // a run of no buckets marks the histogram as a native one
		runs = append(runs, run{})
	}
	all := make([]*dto.BucketSpan, len(runs))
	for i := range runs {
		r := &runs[i]
		r.Offset, r.Length = &r.offset, &r.length
		all[i] = &r.BucketSpan
	}
	return all, deltas
}

// size returns the number of runs in the counts, at least 1, and the number of buckets in them.
func size(counts []uint64) (runs, buckets int) {
	gap := maxGap + 1
	for _, n := range counts {
		if n == 0 {
			gap++
			continue
		}
		if gap > maxGap {
			runs, gap = runs+1, 0
		}
		buckets += gap + 1
		gap = 0
	}
	return max(1, runs), buckets
}
