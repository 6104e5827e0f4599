// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	vm "github.com/VictoriaMetrics/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rcrowley/go-metrics"
	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

// BenchmarkDisplaced compares ways to time a call, each of another function, after the program has written more than its caches hold.
func BenchmarkDisplaced(b *testing.B) { runRows(b, displacedRows()) }

const (
	functions      = 64       // that are timed in a turn, each once
	displacing     = 64 << 20 // bytes that are written before a turn
	displacedTurns = 31
)

func displacedRows() []row {
	return []row{
		displacedRow("two-counters", func(int) func() {
			return func() {
				begin := clock.Now()
				countersSink += clock.Now() - begin
			}
		}),
		displacedRow("span", func(i int) func() {
			z := strobe.NewZone(fmt.Sprint("displaced ", i))
			return func() { z.Enter().Exit() }
		}),
		displacedRow("VictoriaMetrics.Histogram", func(int) func() {
			h := new(vm.Histogram)
			return func() { h.UpdateDuration(time.Now()) }
		}),
		displacedRow("client_golang.Histogram", func(int) func() {
			h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "call_seconds"})
			return func() { begin := time.Now(); h.Observe(time.Since(begin).Seconds()) }
		}),
		displacedRow("go-metrics.Timer", func(int) func() {
			t := metrics.NewTimer()
			return func() { t.UpdateSince(time.Now()) }
		}),
	}
}

var (
	countersSink clock.Instant
	displacer    []byte
)

// displacedRow has the ns of a call by a way of timing of which each function has its own. calls makes that of one function.
func displacedRow(name string, calls func(i int) func()) row {
	return row{name, func(b *testing.B) {
		if displacer == nil {
			displacer = make([]byte, displacing)
		}
		var all []func()
		for i := range functions {
			all = append(all, calls(i))
		}
		turn := func() float64 {
			begin := clock.NowOrdered()
			for _, f := range all {
				f()
			}
			return float64(clock.NowOrdered()-begin) / functions
		}
		turn()
		once(b, func() map[string]float64 {
			var cold, warm []float64
			for range displacedTurns {
				for i := range displacing / 64 {
					displacer[64*i]++
				}
				cold, warm = append(cold, turn()), append(warm, turn())
			}
			slices.Sort(cold)
			slices.Sort(warm)
			return map[string]float64{"displaced-ns": cold[displacedTurns/2], "again-ns": warm[displacedTurns/2]}
		})
	}}
}
