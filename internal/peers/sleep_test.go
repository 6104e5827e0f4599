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

// A sleeper waits again and again: wait returns how late it was, as its caller sees it.
type sleeper struct {
	name  string
	start func(period time.Duration) (wait func() (late time.Duration), stop func())
}

// fine is what lateness is read with: after a sleep of some ms a reading of time.Now itself takes longer than a good
// sleep is late, since its code and data have left the caches. The -by-time.Now rows show by how much. What clock.Now
// is off by is in the table Drift.
func fine() time.Duration { return time.Duration(clock.Now()) }

var started = time.Now()

func coarse() time.Duration { return time.Since(started) }

func sleepers() []sleeper {
	limiter := func(o pace.Options) func(time.Duration) (func() time.Duration, func()) {
		return func(period time.Duration) (func() time.Duration, func()) {
			o.Rate = float64(time.Second) / float64(period)
			lim := pace.NewLimiter(o)
			ctx := context.Background()
			var late func() time.Duration
			for at := range lim.Turns(ctx) { // the first starts the grid
				late = against(time.Duration(at), period)
				break
			}
			return func() time.Duration {
				if err := lim.Wait(ctx); err != nil {
					panic(err)
				}
				return late()
			}, lim.Close
		}
	}
	return []sleeper{
		{"time.Sleep", single(time.Sleep, fine)},
		{"time.Ticker", func(period time.Duration) (func() time.Duration, func()) {
			late := against(fine(), period)
			ticker := time.NewTicker(period)
			return func() time.Duration { <-ticker.C; return late() }, ticker.Stop
		}},
		{"pace.Sleep", single(pace.Sleep, fine)},
		{"pace.Sleep-by-time.Now", single(pace.Sleep, coarse)},
		{"pace.Limiter", limiter(pace.Options{})},
		{"pace.Limiter-no-spin", limiter(pace.Options{Budget: -1})},
		{"pace.Limiter-realtime", limiter(pace.Options{Mode: pace.Realtime})},
	}
}

// single makes a sleeper of a function that sleeps for a duration.
func single(sleep func(time.Duration), now func() time.Duration) func(time.Duration) (func() time.Duration, func()) {
	return func(d time.Duration) (func() time.Duration, func()) {
		return func() time.Duration {
			begin := now()
			sleep(d)
			return now() - begin - d
		}, func() {}
	}
}

// against returns a function that says how late now is against a grid. Deadlines that have passed altogether count once,
// by the earliest, as do the ticks that a Ticker drops.
func against(start, period time.Duration) func() time.Duration {
	n := time.Duration(0)
	return func() time.Duration {
		n++
		elapsed := fine() - start
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
					once(b, func() map[string]float64 { return lateness(s, period) })
				}})
			}
		}
	}
	return all
}

// short writes 1 ms as 1ms and 100 µs as 100us.
func short(d time.Duration) string {
	if d < time.Millisecond {
		return time.Duration(d / time.Microsecond).String()[:3] + "us"
	}
	return d.String()
}

// lateness samples a sleeper, after a tenth of the time to get used to the machine.
func lateness(s sleeper, period time.Duration) map[string]float64 {
	wait, stop := s.start(period)
	defer stop()
	long := *sampleFor
	if period > 10*time.Millisecond {
		long *= 3 // still fewer samples
	}
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
