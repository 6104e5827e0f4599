// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/pace"
)

func BenchmarkStop(b *testing.B) { runRows(b, stopRows()) }

func stopRows() []row {
	const period = time.Second / 60
	limiter := func(o pace.Options) func(context.Context) {
		return func(ctx context.Context) {
			o.Rate = 60
			lim := pace.NewLimiter(o)
			defer lim.Close()
			for lim.Wait(ctx) == nil {
			}
		}
	}
	var all []row
	for _, waiter := range []struct {
		name string
		loop func(context.Context)
	}{
		{"none", func(ctx context.Context) { <-ctx.Done() }},
		{"time.Sleep", func(ctx context.Context) {
			for ctx.Err() == nil {
				time.Sleep(period)
			}
		}},
		{"pace.Limiter", limiter(pace.Options{})},
		{"pace.Limiter-lock", limiter(pace.Options{Mode: pace.Lock})},
		{"spinning", func(ctx context.Context) {
			for ctx.Err() == nil {
				for begin := time.Now(); time.Since(begin) < period; {
				}
			}
		}},
	} {
		all = append(all, row{waiter.name, func(b *testing.B) {
			once(b, func() map[string]float64 { return stops(waiter.loop) })
		}})
	}
	return all
}

// stops samples how long stopping the world and a garbage collection take while loop runs.
func stops(loop func(context.Context)) map[string]float64 {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); loop(ctx) }()
	defer func() { cancel(); <-done }()
	time.Sleep(50 * time.Millisecond)

	var stop, collect []time.Duration
	var mem runtime.MemStats
	for begin := time.Now(); time.Since(begin) < *sampleFor || len(stop) < 10; {
		time.Sleep(3 * time.Millisecond) // shifts relative to the waiter's 16.7 ms
		at := time.Now()
		runtime.ReadMemStats(&mem)
		stop = append(stop, time.Since(at))
		if len(stop)%8 == 0 {
			at = time.Now()
			runtime.GC()
			collect = append(collect, time.Since(at))
		}
	}
	slices.Sort(stop)
	slices.Sort(collect)
	metrics := map[string]float64{"stop-p50-us": micros(stop, 0.5), "stop-p99-us": micros(stop, 0.99)}
	if len(collect) > 0 {
		metrics["gc-p50-us"] = micros(collect, 0.5)
	}
	return metrics
}
