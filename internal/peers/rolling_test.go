// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"testing"
	"time"

	"github.com/VividCortex/ewma"
	"github.com/paulbellamy/ratecounter"
	"github.com/rcrowley/go-metrics"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/rolling"
)

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
		{"rolling.SharedRate.Mark", func(b *testing.B) {
			var r rolling.SharedRate
			for at := clock.Instant(0); b.Loop(); at += 1000 {
				r.Mark(at)
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
		{"par2/rolling.SharedRate.Mark+clock.Now", func(b *testing.B) {
			var r rolling.SharedRate
			two(b, func() { r.Mark(clock.Now()) })
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
