// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func BenchmarkCrowd(b *testing.B) { runRows(b, crowdRows()) }

// crowdRows are a thousand sleepers of one process at 60 Hz, with phases spread over the period, like a server with a limiter for
// each connection.
func crowdRows() []row {
	var all []row
	for _, s := range sleepers() {
		if s.name == "time.Ticker" || s.name == "pace.Limiter" || s.name == "pace.Sleep" {
			all = append(all, row{s.name, func(b *testing.B) {
				once(b, func() map[string]float64 { return thousand(s) })
			}})
		}
	}
	return append(all, row{"bare-wake-ups", func(b *testing.B) {
		if !hasFloor {
			b.Skip("the floor is written for Linux only")
		}
		once(b, func() map[string]float64 {
			return map[string]float64{"cpu-%": thousand(sleeper{start: bareWakeUps()})["cpu-%"]}
		})
	}})
}

func thousand(s sleeper) map[string]float64 {
	const many, period = 1000, time.Second / 60
	var (
		mu    sync.Mutex
		all   []time.Duration
		begun sync.WaitGroup
		ended sync.WaitGroup
	)
	settled := make(chan struct{})
	begun.Add(many)
	for i := range many {
		ended.Go(func() {
			time.Sleep(time.Duration(i) * period / many)
			wait, stop := s.start(period)
			defer stop()
			begun.Done()
			for counts := false; !counts; wait() {
				select {
				case <-settled:
					counts = true
				default:
				}
			}
			late := make([]time.Duration, 0, 2**sampleFor/period)
			for begin := clock.Now(); clock.Since(begin) < *sampleFor; {
				late = append(late, wait())
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, late...)
		})
	}
	begun.Wait()
	time.Sleep(time.Second) // leaves out the initial allocations
	close(settled)
	cpu, counted := cpuTime()
	begin := time.Now()
	ended.Wait()
	elapsed := time.Since(begin)
	metrics := map[string]float64{}
	if after, ok := cpuTime(); ok && counted {
		metrics["cpu-%"] = 100 * float64(after-cpu) / float64(elapsed)
	}
	slices.Sort(all)
	metrics["p50-us"], metrics["p99-us"], metrics["max-us"] = micros(all, 0.5), micros(all, 0.99), micros(all, 1)
	return metrics
}
