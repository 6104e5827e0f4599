// SPDX-License-Identifier: BSD-3-Clause

// Command control holds a temperature with a loop at a fixed rate, and says how punctual its ticks were.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/strobe-go/strobe"
	_ "github.com/strobe-go/strobe/live/auto"
	"github.com/strobe-go/strobe/pace"
)

var zSense = strobe.NewZone("sense")

// A room loses heat and is heated.
type room struct{ temperature, heat float64 }

// sense reads a sensor, whose filter takes some time.
func (r *room) sense(seconds float64) (filtered float64) {
	defer zSense.Enter().Exit()
	r.temperature += seconds * (r.heat - 0.1*(r.temperature-10))
	const taps = 2000
	for i := range taps {
		filtered += (r.temperature + 0.01*math.Sin(float64(i))) / taps
	}
	return filtered
}

// decide is a controller with a proportional and an integral part. It takes a few nanoseconds, and so needs no zone.
func (r *room) decide(is, seconds float64, integral *float64) {
	const want = 21
	*integral += (want - is) * seconds
	r.heat = min(5, max(0, 2*(want-is)+*integral))
}

func main() {
	rate := flag.Float64("rate", 500, "ticks per second")
	length := flag.Duration("for", 10*time.Second, "how long to run")
	flag.Parse()
	defer strobe.StartReporter(os.Stdout, time.Hour).Stop()

	ctx, cancel := context.WithTimeout(context.Background(), *length)
	defer cancel()
	lim := pace.NewLimiter(pace.Options{Rate: *rate})
	defer lim.Close()
	r, integral := room{temperature: 10}, 0.
	for range lim.Turns(ctx) {
		strobe.Frame("tick")
		r.decide(r.sense(1 / *rate), 1 / *rate, &integral)
	}
	fmt.Printf("the room has %.1f degrees\n", r.temperature)
	s := lim.Stats()
	if p50, p99, most, ok := s.Late(); ok {
		fmt.Printf("%d ticks: late by %v in the middle, %v in the 99th percentile, %v at most; %d deadlines missed\n", s.Waits, p50, p99, most, s.Missed)
	}
}
