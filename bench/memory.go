// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"runtime/metrics"
	"time"
)

// A memory has the runtime's counts of the heap and its collector.
type memory struct {
	collections uint64
	allocated   uint64        // bytes
	live, goal  uint64        // bytes: marked by the latest collection, and at which the next one is to end
	collector   time.Duration // processor time that it took, as the runtime estimates it
}

func readMemory() memory {
	samples := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/goal:bytes"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(samples)
	count := func(i int) uint64 {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return samples[i].Value.Uint64()
	}
	m := memory{collections: count(0), allocated: count(1), live: count(2), goal: count(3)}
	if samples[4].Value.Kind() == metrics.KindFloat64 {
		m.collector = time.Duration(samples[4].Value.Float64() * 1e9)
	}
	return m
}

// period estimates the time between two collections, if the heap grows as it did during the given time since before. It is 0 if
// nothing was allocated.
func (m memory) period(before memory, during time.Duration) time.Duration {
	grown := m.allocated - before.allocated
	if grown == 0 || m.goal <= m.live {
		return 0
	}
	return time.Duration(min(float64(time.Hour), float64(during)*float64(m.goal-m.live)/float64(grown)))
}
