// SPDX-License-Identifier: BSD-3-Clause

package pace_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

func ExampleLimiter_Turns() {
	lim := pace.NewLimiter(pace.Options{Rate: 250})
	defer lim.Close()
	n := 0
	for due := range lim.Turns(context.Background()) {
		fmt.Println("turn", n, "on time or later:", clock.Now() >= due)
		if n++; n == 3 {
			break
		}
	}
	// Output:
	// turn 0 on time or later: true
	// turn 1 on time or later: true
	// turn 2 on time or later: true
}

func ExampleLimiter_Wait() {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	lim := pace.NewLimiter(pace.Options{Rate: 100, Late: pace.CatchUp})
	defer lim.Close()
	for lim.Wait(ctx) == nil {
		// one step of a simulation
	}
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

func ExampleSleepUntil() {
	due := clock.Now().Add(2 * time.Millisecond)
	pace.SleepUntil(due)
	fmt.Println(clock.Now() >= due)
	// Output: true
}

func ExampleProbe() {
	for _, way := range pace.Ways()[:1] {
		way.Period, way.N = time.Millisecond, 20
		l, err := pace.Probe(context.Background(), way)
		fmt.Println(l.Name, l.N, l.P50 >= 0, err)
	}
	// Output: time.Sleep 20 true <nil>
}
