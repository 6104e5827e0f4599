// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe/internal/cumulative"
	"github.com/strobe-go/strobe/stat/exphist"
)

// A histogram is a native histogram, with classic buckets if the series has any. prometheus.NewConstNativeHistogram takes
// a map, which costs more than all the rest of a scrape.
type histogram struct {
	desc      *prometheus.Desc
	labels    []*dto.LabelPair
	series    *cumulative.Series
	exemplars []*dto.Exemplar
}

func (h *histogram) Desc() *prometheus.Desc { return h.desc }

// Write writes the histogram.
func (h *histogram) Write(out *dto.Metric) error {
	s := h.series
	schema, threshold, sum := int32(s.Buckets.Scale), prometheus.DefNativeHistogramZeroThreshold, s.Sum.Seconds()
	native := &dto.Histogram{
		SampleCount:      &s.N,
		SampleSum:        &sum,
		Schema:           &schema,
		ZeroThreshold:    &threshold,
		ZeroCount:        &s.Buckets.Zero,
		CreatedTimestamp: timestamppb.New(s.Since),
		Exemplars:        h.exemplars,
	}
	native.PositiveSpan, native.PositiveDelta = spans(s.Buckets)
	for i := range s.Bounds {
		native.Bucket = append(native.Bucket, &dto.Bucket{UpperBound: &s.Bounds[i], CumulativeCount: &s.AtMost[i]})
	}
	out.Label, out.Histogram = h.labels, native
	return nil
}

// spans encodes buckets: runs of them, and the difference of each count from the one before. Gaps of up to two empty
// buckets do not end a run, which takes less room.
func spans(b exphist.Buckets) (runs []*dto.BucketSpan, deltas []int64) {
	next := 0 // the bucket after the last one that was written
	last := uint64(0)
	deltas = make([]int64, 0, len(b.Counts))
	for i, n := range b.Counts {
		if n == 0 {
			continue
		}
		index := b.Offset + i + 1 // Prometheus numbers a bucket by its upper bound
		if gap := index - next; runs == nil || gap > 2 {
			offset, length := int32(gap), uint32(0)
			runs = append(runs, &dto.BucketSpan{Offset: &offset, Length: &length})
			next = index
		}
		for ; next <= index; next++ {
			now := uint64(0)
			if next == index {
				now = n
			}
			deltas = append(deltas, int64(now)-int64(last))
			last = now
			*runs[len(runs)-1].Length++
		}
	}
	if runs == nil { // a run of no buckets marks the histogram as a native one
		runs = []*dto.BucketSpan{{Offset: new(int32), Length: new(uint32)}}
	}
	return runs, deltas
}
