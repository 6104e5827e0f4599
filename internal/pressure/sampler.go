// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"
)

// A sampler reads what Go's runtime counts.
type sampler struct{ samples []metrics.Sample }

// sources are the metrics and the counters that each is for: a histogram is for a number and a sum.
var sources = []struct {
	metric   string
	counters []Counter
}{
	{"/gc/heap/allocs:bytes", []Counter{Allocated}},
	{"/gc/heap/allocs:objects", []Counter{Objects}},
	{"/gc/cycles/total:gc-cycles", []Counter{Collections}},
	{"/gc/heap/goal:bytes", []Counter{HeapGoal}},
	{"/sync/mutex/wait/total:seconds", []Counter{MutexWait}},
	{"/sched/pauses/total/gc:seconds", []Counter{Pauses, Paused}},
	{"/sched/pauses/total/other:seconds", []Counter{OtherPauses, OtherPaused}},
}

func (s *sampler) open(refuse refuse) {
	s.samples = make([]metrics.Sample, len(sources))
	for i, source := range sources {
		s.samples[i].Name = source.metric
	}
	metrics.Read(s.samples)
	for i, source := range sources {
		if s.samples[i].Value.Kind() == metrics.KindBad {
			refuse(runtime.Version()+" does not count it: "+source.metric, "build the program with another version of Go", source.counters...)
		}
	}
}

func (s *sampler) read(into *Reading) {
	metrics.Read(s.samples)
	for i, source := range sources {
		switch v := s.samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			into.set(source.counters[0], int64(min(v.Uint64(), math.MaxInt64)))
		case metrics.KindFloat64:
			into.set(source.counters[0], int64(v.Float64()*float64(time.Second)))
		case metrics.KindFloat64Histogram:
			n, sum := total(v.Float64Histogram())
			into.set(source.counters[0], n)
			into.set(source.counters[1], sum)
		}
	}
}

// total returns the number of the durations in a histogram of seconds, and their sum in nanoseconds: each counts as the middle of
// its bucket. The width of a bucket of the runtime is a quarter of its lower bound at most.
func total(h *metrics.Float64Histogram) (n, sum int64) {
	for i, count := range h.Counts {
		if count == 0 {
			continue
		}
		low, high := h.Buckets[i], h.Buckets[i+1]
		switch {
		case math.IsInf(low, -1):
			low = high
		case math.IsInf(high, 1):
			high = low
		}
		n += int64(count)
		sum += int64(float64(count) * (low + high) / 2 * float64(time.Second))
	}
	return n, sum
}
