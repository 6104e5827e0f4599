// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// besideFloor lets a sleeper and the floor wait in turns, for about 20 ms or ten waits each, so that disturbances of the machine
// affect both.
func besideFloor(s, bare startSleeper, period time.Duration) map[string]float64 {
	n := max(10, int(20*time.Millisecond/period))
	ours, floor := startTurns(s, period), startTurns(bare, period)
	for range 2 { // warm up
		ours.take(n)
		floor.take(n)
	}
	ours.forget()
	floor.forget()
	long := 2 * *sampleFor
	if period > 5*time.Millisecond {
		long *= 8 // there are still fewer samples
	}
	first, second := ours, floor
	for begin := time.Now(); time.Since(begin) < long; {
		first.take(n)
		second.take(n)
		first, second = second, first
	}
	ours.end()
	floor.end()
	m := map[string]float64{
		"p50-us": micros(ours.late, 0.5), "floor-p50-us": micros(floor.late, 0.5),
		"p90-us": micros(ours.late, 0.9), "floor-p90-us": micros(floor.late, 0.9),
		"p99-us": micros(ours.late, 0.99), "floor-p99-us": micros(floor.late, 0.99),
	}
	m["p50-of-floor"] = m["p50-us"] / m["floor-p50-us"]
	m["p90-of-floor"] = max(m["p90-us"], 1) / max(m["floor-p90-us"], 1) // below 1 us both are on time
	m["p99-of-floor"] = m["p99-us"] / m["floor-p99-us"]
	if floor.cpu > 0 {
		m["cpu-%"] = 100 * float64(ours.cpu) / float64(ours.took)
		m["cpu-of-floor"] = m["cpu-%"] / (100 * float64(floor.cpu) / float64(floor.took))
	}
	return m
}

// turns runs the waits of a sleeper on a goroutine of its own.
type turns struct {
	late      []time.Duration
	cpu, took time.Duration
	begin     chan int // receives the number of waits
	ended     chan struct{}
}

func startTurns(start startSleeper, period time.Duration) *turns {
	t := &turns{begin: make(chan int), ended: make(chan struct{})}
	go func() {
		defer close(t.ended)
		wait, stop := start(period)
		defer stop()
		for n := range t.begin {
			wait() // returns to the grid
			wait()
			cpu, _ := cpuTime()
			begin := clock.Now()
			for range n {
				t.late = append(t.late, wait())
			}
			t.took += clock.Since(begin)
			used, _ := cpuTime()
			t.cpu += used - cpu
			t.ended <- struct{}{}
		}
	}()
	return t
}

func (t *turns) take(n int) {
	t.begin <- n
	<-t.ended
}

// forget drops what has been measured so far.
func (t *turns) forget() {
	t.late, t.cpu, t.took = make([]time.Duration, 0, 1<<17), 0, 0
}

func (t *turns) end() {
	close(t.begin)
	<-t.ended
	slices.Sort(t.late)
}
