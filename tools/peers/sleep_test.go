// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

func BenchmarkSleep(b *testing.B) { runRows(b, sleepRows()) }

// A sleeper waits repeatedly: wait returns how late it was, as the caller sees it.
type sleeper struct {
	name  string
	start startSleeper
}

type startSleeper = func(period time.Duration) (wait func() (late time.Duration), stop func())

// sleepers read the clock directly after the call that waits, without a function value in between: after some ms of sleep each
// further function or variable causes cache misses of the caller, which are not part of the wait.
func sleepers() []sleeper {
	none := func() {}
	return []sleeper{
		{"time.Sleep", func(period time.Duration) (func() time.Duration, func()) {
			return func() time.Duration {
				begin := clock.Now()
				time.Sleep(period)
				return clock.Now().Sub(begin) - period
			}, none
		}},
		{"time.Ticker", func(period time.Duration) (func() time.Duration, func()) {
			late := against(clock.Now(), period)
			ticker := time.NewTicker(period)
			return func() time.Duration {
				<-ticker.C
				now := clock.Now()
				return late(now)
			}, ticker.Stop
		}},
		{"pace.Sleep", func(period time.Duration) (func() time.Duration, func()) {
			return func() time.Duration {
				begin := clock.Now()
				pace.Sleep(period)
				return clock.Now().Sub(begin) - period
			}, none
		}},
		{"pace.Sleep-by-time.Now", func(period time.Duration) (func() time.Duration, func()) {
			return func() time.Duration {
				begin := time.Now()
				pace.Sleep(period)
				return time.Since(begin) - period
			}, none
		}},
		{"pace.Limiter", limiter(pace.Options{})},
		{"pace.Limiter-no-spin", limiter(pace.Options{Budget: -1})},
		{"pace.Limiter-realtime", limiter(pace.Options{Mode: pace.Realtime})},
	}
}

func limiter(o pace.Options) startSleeper {
	return func(period time.Duration) (func() time.Duration, func()) {
		o.Rate = float64(time.Second) / float64(period)
		lim := pace.NewLimiter(o)
		ctx := context.Background()
		var late func(now clock.Instant) time.Duration
		for at := range lim.Turns(ctx) { // the first turn starts the grid
			late = against(at, period)
			break
		}
		return func() time.Duration {
			err := lim.Wait(ctx)
			now := clock.Now()
			if err != nil {
				panic(err)
			}
			return late(now)
		}, lim.Close
	}
}

// against returns a function that returns how late now is on a grid. Deadlines that have passed together count once, by the
// earliest, like the ticks that a Ticker drops.
func against(start clock.Instant, period time.Duration) func(now clock.Instant) time.Duration {
	n := time.Duration(0)
	return func(now clock.Instant) time.Duration {
		n++
		elapsed := now.Sub(start)
		late := elapsed - n*period
		n = max(n, elapsed/period)
		return late
	}
}

func sleepRows() []row {
	var all []row
	for _, load := range []string{"idle", "busy"} {
		for _, period := range []time.Duration{100 * time.Microsecond, time.Millisecond, 16667 * time.Microsecond} {
			for _, s := range sleepers() {
				all = append(all, row{load + "/" + short(period) + "/" + s.name, func(b *testing.B) {
					if load == "busy" {
						defer startHogs(b, 2)()
					}
					once(b, func() map[string]float64 { return lateness(s, period, sampling(load, period)) })
				}})
			}
		}
	}
	return all
}

// short formats 1 ms as 1ms and 100 µs as 100us.
func short(d time.Duration) string {
	if d < time.Millisecond {
		return time.Duration(d / time.Microsecond).String()[:3] + "us"
	}
	return d.String()
}

// sampling returns how long to sample a sleeper: longer if there are few samples.
func sampling(load string, period time.Duration) time.Duration {
	switch {
	case period < 10*time.Millisecond:
		return *sampleFor
	case load == "idle":
		return 10 * *sampleFor // the p99 of 180 samples would be the second worst, which says little
	default:
		return 3 * *sampleFor
	}
}

// lateness samples a sleeper, after a warm-up of a tenth of the time.
func lateness(s sleeper, period, long time.Duration) map[string]float64 {
	wait, stop := s.start(period)
	defer stop()
	for begin := time.Now(); time.Since(begin) < long/10; {
		wait()
	}
	var late []time.Duration
	cpu, counted := cpuTime()
	begin := time.Now()
	for time.Since(begin) < long || len(late) < 10 {
		late = append(late, wait())
	}
	elapsed := time.Since(begin)
	metrics := map[string]float64{}
	if after, ok := cpuTime(); ok && counted {
		metrics["cpu-%"] = 100 * float64(after-cpu) / float64(elapsed)
	}
	slices.Sort(late)
	metrics["p50-us"] = micros(late, 0.5)
	metrics["p99-us"] = micros(late, 0.99)
	metrics["max-us"] = micros(late, 1)
	return metrics
}

// micros returns a quantile of sorted durations in microseconds.
func micros(sorted []time.Duration, q float64) float64 {
	i := int(q*float64(len(sorted))+0.5) - 1
	return float64(sorted[min(max(i, 0), len(sorted)-1)]) / float64(time.Microsecond)
}
