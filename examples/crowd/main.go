// SPDX-License-Identifier: BSD-3-Clause

// Command crowd simulates walkers, each on a goroutine of its own, which all take one step per tick.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	_ "github.com/strobe-go/strobe/live/auto"
)

var zStep, zMeet = strobe.NewZone("step"), strobe.NewWaitZone("meet")

// A walker walks at random, and turns around at the wall.
type walker struct{ x, y, direction float64 }

func (w *walker) step(rng *rand.Rand) {
	defer zStep.Enter().Exit()
	w.direction += rng.NormFloat64() / 4
	sin, cos := math.Sincos(w.direction)
	w.x, w.y = w.x+cos, w.y+sin
	if math.Hypot(w.x, w.y) > 1000 {
		w.direction += math.Pi
	}
}

// walk takes a step for each tick.
func walk(seed uint64, ticks <-chan struct{}, done *sync.WaitGroup) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var w walker
	for range ticks {
		w.step(rng)
		done.Done()
	}
}

// tick lets all walkers take one step, and waits for the last.
func tick(walkers []chan struct{}, done *sync.WaitGroup) {
	done.Add(len(walkers))
	for _, w := range walkers {
		w <- struct{}{}
	}
	defer zMeet.Enter().Exit()
	done.Wait()
}

func main() {
	n := flag.Int("walkers", 10_000, "how many goroutines walk")
	length := flag.Duration("for", 10*time.Second, "how long to run")
	flag.Parse()
	walkers := make([]chan struct{}, *n)
	var done sync.WaitGroup
	for i := range walkers {
		walkers[i] = make(chan struct{}, 1)
		go walk(uint64(i), walkers[i], &done)
	}
	ticks := 0
	for start := time.Now(); time.Since(start) < *length; ticks++ {
		strobe.Frame("tick")
		tick(walkers, &done)
	}
	fmt.Printf("%d walkers took %d steps each\n", *n, ticks)

	s := strobe.TakeSnapshot() // a report has rows for each goroutine; these are sums
	for i, z := range s.Totals() {
		fmt.Printf("%-5s %9d calls, %v in all, measured on %d lanes\n", s.Zones[i].Name, z.Calls, z.Total.Round(time.Millisecond), len(s.Lanes))
	}
	fmt.Printf("the profiler holds %d KiB\n", s.Memory/1024)
}
