// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

func BenchmarkFloor(b *testing.B) { runRows(b, floorRows()) }

func floorRows() []row {
	var all []row
	for _, period := range []time.Duration{100 * time.Microsecond, time.Millisecond, 16667 * time.Microsecond} {
		add := func(name string, s startSleeper, spin bool) {
			all = append(all, row{short(period) + "/" + name, func(b *testing.B) {
				if !hasFloor {
					b.Skip("the floor is written for Linux only")
				}
				once(b, func() map[string]float64 { return besideFloor(s, bareSleeper(spin), period) })
			}})
		}
		for _, s := range sleepers() {
			if s.name == "pace.Sleep" || s.name == "pace.Limiter" || s.name == "pace.Limiter-no-spin" {
				add(s.name, s.start, s.name != "pace.Limiter-no-spin")
			}
		}
		add("spinning", spinning, true)
	}
	return all
}

// spinning never sleeps, so its lateness is caused by the machine.
func spinning(period time.Duration) (wait func() time.Duration, stop func()) {
	at := deadlines{clock.Now(), period}
	return func() time.Duration {
		spinUntil(at.next())
		return at.late(clock.Now())
	}, func() {}
}

//go:noinline
func spinUntil(t clock.Instant) {
	for clock.Now() < t {
	}
}

// deadlines are the deadlines of a simple sleeper.
type deadlines struct {
	at     clock.Instant
	period time.Duration
}

func (d *deadlines) next() clock.Instant {
	d.at = d.at.Add(d.period)
	return d.at
}

// late returns how late now is, and skips the deadlines that have passed meanwhile.
func (d *deadlines) late(now clock.Instant) time.Duration {
	late := now.Sub(d.at)
	d.at = d.at.Add(late / d.period * d.period)
	return late
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func BenchmarkBusyFloor(b *testing.B) { runRows(b, busyFloorRows()) }

// busyFloorRows make each mode of a limiter, and the floor, compete with two busy processes.
func busyFloorRows() []row {
	var all []row
	for _, rate := range []float64{60, 144, 1000} {
		add := func(name string, s startSleeper) {
			all = append(all, row{fmt.Sprintf("%vHz/%s", rate, name), func(b *testing.B) {
				if !hasFloor {
					b.Skip("the floor is written for Linux only")
				}
				defer startHogs(b, 2)()
				once(b, func() map[string]float64 { return besideFloor(s, bareSleeper(true), time.Duration(1e9/rate)) })
			}})
		}
		for _, mode := range []pace.Mode{pace.Yield, pace.Lock, pace.Realtime} {
			add("pace.Limiter-"+mode.String(), limiter(pace.Options{Mode: mode}))
		}
		add("spinning", spinning)
	}
	return all
}
