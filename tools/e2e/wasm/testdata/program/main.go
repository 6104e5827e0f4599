// SPDX-License-Identifier: BSD-3-Clause

// This program measures itself in a browser, and leaves what it found in the page's variable result.
package main

import (
	"context"
	"encoding/json"
	"sync"
	"syscall/js"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

var zOuter, zInner = strobe.NewZone("outer"), strobe.NewZone("inner")

type result struct {
	Source     string  // of the clock
	ClockMS    float64 // a sleep by package clock
	PageMS     float64 // the same sleep by the page's clock
	Back       int     // readings of the clock that were before the previous one
	Turns      int
	Early      int // turns that came before they were due
	TurnsMS    float64
	Snapshot   strobe.Snapshot
	Goroutines int
}

func main() {
	const goroutines = 3
	r := result{Goroutines: goroutines}
	r.compare()
	r.turn()
	var all sync.WaitGroup
	for range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			outer()
		}()
	}
	all.Wait()
	r.Snapshot = strobe.TakeSnapshot()
	text, err := json.Marshal(r)
	if err != nil {
		text, _ = json.Marshal(err.Error())
	}
	js.Global().Set("result", string(text))
}

func outer() {
	defer zOuter.Enter().Exit()
	for range 5 {
		func() {
			defer zInner.Enter().Exit()
			time.Sleep(4 * time.Millisecond)
		}()
	}
}

func page() float64 { return js.Global().Get("performance").Call("now").Float() }

// compare measures a sleep with both clocks: clock.Now is read inside the page's readings.
func (r *result) compare() {
	r.Source = clock.Describe().Source
	from := page()
	start := clock.Now()
	last := start
	for time.Duration(last-start) < 200*time.Millisecond {
		time.Sleep(time.Millisecond)
		for range 100 {
			now := clock.Now()
			if now < last {
				r.Back++
			}
			last = now
		}
	}
	r.PageMS = page() - from
	r.ClockMS = float64(last-start) / 1e6
}

// turn waits for a few turns.
func (r *result) turn() {
	lim := pace.NewLimiter(pace.Options{Rate: 100})
	defer lim.Close()
	begun := clock.Now()
	for due := range lim.Turns(context.Background()) {
		if clock.Now() < due {
			r.Early++
		}
		if r.Turns++; r.Turns == 20 {
			break
		}
	}
	r.TurnsMS = float64(clock.Since(begun)) / 1e6
}
