// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"sync"
	"testing"
	"time"

	"github.com/VividCortex/ewma"
	"github.com/paulbellamy/ratecounter"
	"github.com/rcrowley/go-metrics"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/rolling"
)

// A lockedRate is a rate of events on many goroutines.
type lockedRate struct {
	sync.Mutex
	rolling.Rate
}

func (r *lockedRate) mark(t clock.Instant) {
	r.Lock()
	r.Mark(t)
	r.Unlock()
}

func BenchmarkRolling(b *testing.B) { runRows(b, rollingRows()) }

func rollingRows() []row {
	return []row{
		{"rolling.Mean.Add", func(b *testing.B) {
			var m rolling.Mean
			for d := time.Duration(0); b.Loop(); d++ {
				m.Add(d)
			}
		}},
		{"rolling.Rate.Mark", func(b *testing.B) {
			var r rolling.Rate
			for at := clock.Instant(0); b.Loop(); at += 1000 {
				r.Mark(at)
			}
		}},
		{"rolling.Rate.Mark+clock.Now", func(b *testing.B) {
			var r rolling.Rate
			for b.Loop() {
				r.Mark(clock.Now())
			}
		}},
		{"Mutex+rolling.Rate.Mark", func(b *testing.B) {
			var r lockedRate
			for at := clock.Instant(0); b.Loop(); at += 1000 {
				r.mark(at)
			}
		}},
		{"ratecounter.RateCounter.Incr", func(b *testing.B) {
			r := ratecounter.NewRateCounter(time.Second)
			for b.Loop() {
				r.Incr(1)
			}
		}},
		{"ratecounter.AvgRateCounter.Incr", func(b *testing.B) {
			r := ratecounter.NewAvgRateCounter(time.Second)
			for b.Loop() {
				r.Incr(1)
			}
		}},
		{"go-metrics.Meter.Mark", func(b *testing.B) {
			m := metrics.NewMeter()
			defer m.Stop()
			for b.Loop() {
				m.Mark(1)
			}
		}},
		{"ewma.SimpleEWMA.Add", func(b *testing.B) {
			m := ewma.NewMovingAverage()
			for x := 0.0; b.Loop(); x++ {
				m.Add(x)
			}
		}},
		{"par2/Mutex+rolling.Rate.Mark+clock.Now", func(b *testing.B) {
			var r lockedRate
			two(b, func() { r.mark(clock.Now()) })
		}},
		{"par2/ratecounter.RateCounter.Incr", func(b *testing.B) {
			r := ratecounter.NewRateCounter(time.Second)
			two(b, func() { r.Incr(1) })
		}},
		{"par2/go-metrics.Meter.Mark", func(b *testing.B) {
			m := metrics.NewMeter()
			defer m.Stop()
			two(b, func() { m.Mark(1) })
		}},
	}
}
