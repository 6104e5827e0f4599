// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A machine is what Go's runtime has done since the start of the process.
type machine struct {
	at         clock.Instant
	cycles     int64 // of the garbage collector
	pause      time.Duration
	heap       uint64 // bytes in use
	goroutines uint64
	latencies  []uint64  // how often goroutines waited for a processor, by bucket
	buckets    []float64 // bounds of these, in seconds
}

// A gauge reads a machine. It belongs to one goroutine at a time.
type gauge struct {
	gc      debug.GCStats
	samples []metrics.Sample
}

func (g *gauge) read() *machine {
	if g.samples == nil {
		g.samples = []metrics.Sample{{Name: "/sched/latencies:seconds"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	}
	debug.ReadGCStats(&g.gc)
	metrics.Read(g.samples)
	m := &machine{at: clock.Now(), cycles: g.gc.NumGC, pause: g.gc.PauseTotal}
	if v := g.samples[0].Value; v.Kind() == metrics.KindFloat64Histogram {
		h := v.Float64Histogram()
		m.latencies, m.buckets = append([]uint64(nil), h.Counts...), h.Buckets
	}
	if v := g.samples[1].Value; v.Kind() == metrics.KindUint64 {
		m.heap = v.Uint64()
	}
	if v := g.samples[2].Value; v.Kind() == metrics.KindUint64 {
		m.goroutines = v.Uint64()
	}
	return m
}

// latency returns an upper bound of the 99th percentile of the time that goroutines waited for a processor since before. ok
// is false if none did, or if the time is not bounded.
func (m *machine) latency(before *machine) (p99 time.Duration, ok bool) {
	count := func(i int) uint64 {
		if before == nil || i >= len(before.latencies) {
			return m.latencies[i]
		}
		return m.latencies[i] - before.latencies[i]
	}
	all := uint64(0)
	for i := range m.latencies {
		all += count(i)
	}
	beyond := all / 100
	for i := len(m.latencies) - 1; i >= 0; i-- {
		n := count(i)
		if n > beyond {
			bound := m.buckets[i+1]
			return time.Duration(bound * 1e9), !math.IsInf(bound, 0)
		}
		beyond -= n
	}
	return 0, false
}
