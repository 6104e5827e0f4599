// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loov/hrtime"

	"github.com/strobe-go/strobe/clock"
)

func BenchmarkDrift(b *testing.B) { runRows(b, driftRows()) }

// driftRows measure all clocks during the same time, whichever row runs first.
func driftRows() []row {
	measured := sync.OnceValue(measureDrift)
	var all []row
	for _, name := range []string{"clock.Now", "clock.NowOrdered", "one-shot-10ms", "hrtime.TSC-ApproxDuration"} {
		all = append(all, row{name, func(b *testing.B) {
			if name == "one-shot-10ms" && !hasCounter || strings.HasPrefix(name, "hrtime") && !hrtime.TSCSupported() {
				b.Skip("no counter that a user's program may read is known here")
			}
			once(b, func() map[string]float64 { return measured()[name] })
		}})
	}
	return all
}

func measureDrift() map[string]map[string]float64 {
	perTick := oneShot(10 * time.Millisecond)
	first, hrFirst := counter(), hrtime.TSC()
	clocks := map[string]func() time.Duration{
		"clock.Now":        func() time.Duration { return time.Duration(clock.Now()) },
		"clock.NowOrdered": func() time.Duration { return time.Duration(clock.NowOrdered()) },
		"one-shot-10ms":    func() time.Duration { return time.Duration(float64(counter()-first) * perTick) },
		"hrtime.TSC-ApproxDuration": func() time.Duration {
			return (hrtime.TSC() - hrFirst).ApproxDuration()
		},
	}
	base := time.Now()
	start, errors := map[string]time.Duration{}, map[string]map[string]float64{}
	for name, read := range clocks {
		read() // the first reading may include initialisation
		start[name], errors[name] = offset(base, read), map[string]float64{}
	}
	for time.Since(base) < *driftFor {
		time.Sleep(100 * time.Millisecond)
		for name, read := range clocks {
			off := math.Max(1, math.Abs(float64(offset(base, read)-start[name])))
			errors[name]["end-ns"] = off
			errors[name]["worst-ns"] = math.Max(errors[name]["worst-ns"], off)
		}
	}
	return errors
}

// offset returns how far a clock is ahead of the operating system's clock, by the narrowest of 64 brackets.
func offset(base time.Time, read func() time.Duration) time.Duration {
	var best time.Duration
	narrowest := time.Duration(math.MaxInt64)
	for range 64 {
		before := time.Since(base)
		at := read()
		after := time.Since(base)
		if width := after - before; width < narrowest {
			narrowest, best = width, at-before-width/2
		}
	}
	return best
}

// oneShot returns the nanoseconds per tick as many programs measure them: once, by two readings some time apart.
func oneShot(apart time.Duration) float64 {
	base := time.Now()
	pair := func() (uint64, time.Duration) {
		var tick uint64
		var at time.Duration
		narrowest := uint64(math.MaxUint64)
		for range 16 {
			before := orderedCounter()
			now := time.Since(base)
			after := orderedCounter()
			if after-before < narrowest {
				narrowest, tick, at = after-before, before+(after-before)/2, now
			}
		}
		return tick, at
	}
	tick0, at0 := pair()
	for time.Since(base) < apart {
	}
	tick1, at1 := pair()
	return float64(at1-at0) / float64(tick1-tick0)
}
