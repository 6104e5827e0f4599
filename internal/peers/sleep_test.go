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

// A sleeper waits again and again: wait returns how late it was. A single sleep knows its own deadline;
// what keeps a grid is measured against the grid through its earliest return (onGrid), because when it
// started exactly only itself knows.
type sleeper struct {
	name   string
	onGrid bool
	start  func(period time.Duration) (wait func() (late time.Duration), stop func())
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
			_ = lim.Wait(ctx) // starts the grid
			late := against(period)
			return func() time.Duration {
				if err := lim.Wait(ctx); err != nil {
					panic(err)
				}
				return late()
			}, func() { _ = lim.Close() }
		}
	}
	return []sleeper{
		{"time.Sleep", false, single(time.Sleep, fine)},
		{"time.Ticker", true, func(period time.Duration) (func() time.Duration, func()) {
			ticker := time.NewTicker(period)
			late := against(period)
			return func() time.Duration { <-ticker.C; return late() }, ticker.Stop
		}},
		{"pace.Sleep", false, single(pace.Sleep, fine)},
		{"pace.Sleep-by-time.Now", false, single(pace.Sleep, coarse)},
		{"pace.Limiter", true, limiter(pace.Options{})},
		{"pace.Limiter-no-spin", true, limiter(pace.Options{Budget: -1})},
		{"pace.Limiter-realtime", true, limiter(pace.Options{Mode: pace.Realtime})},
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

// slack is how far a grid laid from outside may be off the true one.
const slack = 5 * time.Microsecond

// against returns a function that says how late now is against a grid that starts about now. Deadlines
// that have passed altogether count once, by the earliest, as do the ticks that a Ticker drops.
func against(period time.Duration) func() time.Duration {
	start, n := fine(), time.Duration(0)
	return func() time.Duration {
		n++
		elapsed := fine() - start
		late := elapsed - n*period
		if late < -period/2 { // the deadline just ahead was taken for passed
			n--
			late += period
		}
		if late >= period {
			n = (elapsed + slack) / period
		}
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
						defer startHogs(b)()
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
	if s.onGrid {
		for i := len(late) - 1; i >= 0; i-- {
			late[i] -= late[0]
		}
	}
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
